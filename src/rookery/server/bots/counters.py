"""What the bots of a server did: decisions, how long they took, and how often somebody stood in."""

from __future__ import annotations

from collections import Counter

from rookery.server.counters import Durations


class BotTally:
    """Counts since the server began, by the level or bot that a table names.

    Attributes:
        times: how long decisions took, by name; their number is in it.
        stood_in: how often the club player decided instead, by name and why: a word of
            `bot_link.Unanswered`.
        hints: how many hints were given, by whose.
        reviews: how many matches were looked at, by how that ended.
        given_up: how many workers were given up, by what they were doing: ``warming`` or ``stuck``.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.times: dict[str, Durations] = {}
        self.stood_in: Counter[tuple[str, str]] = Counter()
        self.hints: Counter[str] = Counter()
        self.reviews: Counter[str] = Counter()
        self.given_up: Counter[str] = Counter()

    def decided(self, name: str, seconds: float) -> None:
        """Take in a decision."""
        self.times.setdefault(name, Durations()).add(seconds)

    def gave_up(self, doing: str) -> None:
        """Count a worker that was given up while it was `doing` something."""
        self.given_up[doing] += 1
