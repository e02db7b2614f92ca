"""Names that hosts have typed of people who ask to be forgotten, taken out of evenings."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Final

from rookery.evening.log.changes import KEPT, Claim
from rookery.evening.log.names import Names, begun, first_names, rewrites, take
from rookery.evening.movements.state import EveningError
from rookery.server.store.base import Store
from rookery.server.store.people.sheets import SheetEntry
from rookery.server.work import in_thread

log: Final = logging.getLogger(__name__)


async def wipe_names(store: Store) -> bool:
    """Take the names of whoever is forgotten out of the evenings where they said who they are.

    An evening is done in one step, and noted there; so whatever is not done is done the next time.
    Return whether there were any. What a later version has written of an evening waits for it.
    """
    some = False
    for code in await store.sheets.unwiped():
        found = await store.sheets.of(code, -1)
        if found is None:
            continue
        entries = await store.sheets.entries(code)
        try:
            names = await in_thread(_names, found.sheet.body, entries)
        except (ValueError, LookupError) as error:
            # Of the error no word, which may be somebody's.
            log.warning("evening %s keeps a name: %s", code, type(error).__name__)
            continue
        anew = rewrites(names.theirs | names.old)
        await store.sheets.wipe(code, anew, names.claims, len(entries))
        some = True
    return some


def _names(body: str, entries: Sequence[SheetEntry]) -> Names:
    about = json.loads(body)
    evening, names = begun(about), Names(first_names(about))
    for one in entries:
        change, over = KEPT.validate_json(one.body), None if one.person else one.over
        try:
            take(evening, names, one.number, one.id, change, one.writer, over)
        except EveningError:  # it came too late, and nothing happened
            if isinstance(change, Claim) and over == 0:
                names.claims.append(one.number)
    return names
