"""Names that hosts have typed of people who ask to be forgotten, taken out of evenings."""

from __future__ import annotations

from rookery.server.api.evenings.held import Held
from rookery.server.store.base import Store
from rookery.server.work import in_thread


async def wipe_names(store: Store) -> bool:
    """Take the names of whoever is forgotten out of the evenings where they said who they are.

    An evening is done in one step, and noted there; so whatever is not done is done the next time.
    Return whether there were any.

    Raises:
        StoreError: the store cannot be read or written.
    """
    codes = await store.sheets.unwiped()
    for code in codes:
        found = await store.sheets.of(code, -1)
        if found is None:
            continue
        held = await in_thread(Held, found)
        log = await store.sheets.entries(code)
        await in_thread(held.take, log, found.sheet.touched)
        anew = held.without(held.places.theirs | held.places.old)
        await store.sheets.wipe(code, anew, held.claims, held.entries)
    return bool(codes)
