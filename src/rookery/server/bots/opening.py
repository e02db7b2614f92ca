"""Makes the bots' threads and workers of a server from its settings."""

from __future__ import annotations

from functools import partial
from typing import Final

from rookery.server.bots.engine import BotTally, BotThreads
from rookery.server.settings import Settings

LINES: Final = 2  # to each address, so that one is open while the other is opened again


def thinker_of(settings: Settings, tally: BotTally) -> BotThreads:
    """Return threads for a server's bots, with workers where the settings name some."""
    if not settings.bot_workers and not settings.bots_at:
        return BotThreads(settings.bot_threads, settings.bot_deadline, tally)
    # Imported late: nobody needs it at the start.
    from rookery.server.bots.pool import STUCK, Pool
    from rookery.server.bots.searching import Searching
    from rookery.server.bots.transport import LIVE, PATIENT, child, elsewhere

    play, reviews = {}, {}
    for address in settings.bots_at:
        there = partial(elsewhere, address, (settings.bots_secret or "").encode())
        for number in range(1, LINES + 1):
            play[f"{address} ({number})"] = partial(there, "play")
        reviews[f"{address} (reviews)"] = partial(there, "review")
    for number in range(1, settings.bot_workers + 1):
        play[f"bot worker {number}"] = partial(child, LIVE)
    if settings.bot_workers:
        reviews["review worker"] = partial(child, PATIENT)
    slowest = settings.bot_slowest / 1000
    at_play, at_reviews = (Pool(those, STUCK, slowest, tally.given_up) for those in (play, reviews))
    return Searching(at_play, at_reviews, settings.bot_threads, settings.bot_deadline, tally)
