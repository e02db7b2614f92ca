"""Makes the bots' threads and workers of a server from its settings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from rookery.server.bots.counters import BotTally
from rookery.server.bots.engine import BotThreads, Thinker
from rookery.server.settings import Settings

if TYPE_CHECKING:
    from rookery.server.bots.link import Opened


LINES: Final = 2  # to each address, so that one is open while the other is opened again


def thinker_of(settings: Settings, tally: BotTally) -> Thinker:
    """Return threads for a server's bots, with workers where the settings name some."""
    threads = BotThreads(settings.bot_threads, settings.bot_deadline, tally)
    if not settings.bot_workers and not settings.bots_at:
        return threads
    # Imported late: nobody needs it at the start.
    from rookery.server.bots.link import STUCK
    from rookery.server.bots.pool import Pool
    from rookery.server.bots.searching import Searching
    from rookery.server.bots.transport import LIVE, PATIENT, child, elsewhere

    secret = (settings.bots_secret or "").encode()
    play: dict[str, Callable[[], Awaitable[Opened]]] = {}
    reviews: dict[str, Callable[[], Awaitable[Opened]]] = {}
    for address in settings.bots_at:
        for number in range(1, LINES + 1):
            play[f"{address} ({number})"] = lambda at=address: elsewhere(  # type: ignore[misc]
                at, secret, "play"
            )
        reviews[f"{address} (reviews)"] = lambda at=address: elsewhere(  # type: ignore[misc]
            at, secret, "review"
        )
    for number in range(1, settings.bot_workers + 1):
        play[f"bot worker {number}"] = lambda: child(LIVE)
    if settings.bot_workers:
        reviews["review worker"] = lambda: child(PATIENT)
    slowest = settings.bot_slowest / 1000
    at_play, at_reviews = (Pool(those, STUCK, slowest, tally.gave_up) for those in (play, reviews))
    return Searching(threads, at_play, at_reviews, settings.bot_deadline, tally)
