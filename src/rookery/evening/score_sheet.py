"""The score sheet of a game with real cards: hand after hand, totals, and who has won.

It keeps what people said, and nothing else: where an earlier hand is changed, all that comes after
it follows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from rookery.cards import Seat, unpack
from rookery.engine.match import add_scores, winners
from rookery.engine.state import REDEALT, State
from rookery.evening.tally import Tally, scored, sides
from rookery.game import ScoreLine
from rookery.rules import Rules
from rookery.rules.table import compile_rules


class Entry(NamedTuple):
    """One hand on the sheet.

    Attributes:
        tally: what was said of it.
        line: what it scored, as in the score sheet of any match; the trump call is None.
        sides: who played with whom, the declarer's side first; empty after a redeal.
        points: what each side took, bonuses too, game points.
        made: whether the contract was made; None without one, and after a redeal or a revoke.
        extra: whether the game was over before, so that the hand counts for nothing.
    """

    tally: Tally
    line: ScoreLine
    sides: tuple[tuple[Seat, ...], ...]
    points: tuple[int, ...]
    made: bool | None
    extra: bool


@dataclass(frozen=True)
class ScoreSheet:
    """What was said of each hand of a game, and what follows from it. Unchanging.

    The game has so many `hands`, redealt ones apart, whatever the totals are. With None it goes to
    the target.

    Raises:
        BadTally: what is said of a hand cannot be.

    >>> from rookery.rules import variant
    >>> sheet = ScoreSheet(variant("kd_tournament")).written(Tally(0, 95, points=(60,)))
    >>> sheet.totals
    (-95, 60, -95, 60)
    """

    rules: Rules
    tallies: tuple[Tally, ...] = ()
    hands: int | None = None
    first_dealer: Seat = 0

    def __post_init__(self) -> None:
        """Look at once whether all that is said can be."""
        _ = self._read

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Each hand, with what it scored."""
        return self._read.entries

    @property
    def totals(self) -> tuple[int, ...]:
        """The total of each seat, game points."""
        return self._read.totals

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won; empty while the game goes on."""
        return self._read.winners

    @property
    def dealer(self) -> Seat:
        """The seat that deals next."""
        return self._read.dealer

    def written(self, tally: Tally) -> ScoreSheet:
        """Return the sheet with another hand at its end.

        Raises:
            BadTally: what is said of it cannot be.
        """
        return replace(self, tallies=(*self.tallies, tally))

    @cached_property
    def _read(self) -> _Reading:
        reading = _Reading((), (0,) * self.rules.seats, (), self.first_dealer)
        for tally in self.tallies:
            reading = self._read_on(reading, tally)
        return reading

    def _read_on(self, before: _Reading, tally: Tally) -> _Reading:
        rules, number, extra = self.rules, len(before.entries), bool(before.winners)
        state, totals, won = scored(rules, tally), list(before.totals), before.winners
        if state.phase == REDEALT:
            line = ScoreLine(number, before.dealer, None, None, None, None, before.totals)
            entry = Entry(tally, line, (), (), None, extra)
            return before._replace(entries=(*before.entries, entry))
        if not extra:
            add_scores(compile_rules(rules), state, totals)
            won = self._winners(before, state, totals)
        score = tuple(state.score[: rules.seats])
        line = ScoreLine(
            number, before.dealer, tally.declarer, tally.bid, None, score, tuple(totals)
        )
        who = tuple(sides(rules, tally.declarer, tally.partners))
        took = tuple(state.points[side[0]] for side in who)
        open_end = tally.declarer is None or tally.revoked is not None
        entry = Entry(tally, line, who, took, None if open_end else bool(state.made), extra)
        dealer = (before.dealer + 1) % rules.seats
        return _Reading((*before.entries, entry), tuple(totals), won, dealer)

    def _winners(self, before: _Reading, state: State, totals: list[int]) -> tuple[Seat, ...]:
        if self.hands is None:
            return tuple(unpack(winners(compile_rules(self.rules), state, totals)))
        played = 1 + sum(entry.line.score is not None for entry in before.entries)
        if played < self.hands:
            return ()
        return tuple(seat for seat, total in enumerate(totals) if total == max(totals))


class _Reading(NamedTuple):
    """What follows from the hands of a sheet so far."""

    entries: tuple[Entry, ...]
    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    dealer: Seat
