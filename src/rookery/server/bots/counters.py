"""Counters of a server's bots: decisions, their times, and how often `club` stood in."""

from __future__ import annotations

from collections import Counter

from rookery.server.counters import Durations


class BotTally:
    """Counts since the server started, by the level or bot as tables name it.

    Attributes:
        times: how long decisions took, by name.
        stood_in: how often the club player decided instead, by name and reason (see
            `engine.Unanswered`).
        hints: how many hints were given, by level.
        reviews: how many matches were reviewed, by outcome.
        given_up: how many workers were ended, by state: ``warming`` or ``stuck``.
    """

    def __init__(self) -> None:
        """Begin with zeros."""
        self.times: dict[str, Durations] = {}
        self.stood_in: Counter[tuple[str, str]] = Counter()
        self.hints: Counter[str] = Counter()
        self.reviews: Counter[str] = Counter()
        self.given_up: Counter[str] = Counter()

    def decided(self, name: str, seconds: float) -> None:
        """Count a decision."""
        self.times.setdefault(name, Durations()).add(seconds)

    def gave_up(self, doing: str) -> None:
        """Count a worker that was ended in a state."""
        self.given_up[doing] += 1
