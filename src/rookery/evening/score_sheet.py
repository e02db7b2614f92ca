"""The score sheet of a game with real cards: hand after hand, totals, and who has won.

Several phones may write it. A hand is known by its number, from 0, so two phones that write hand 5
mean the same one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from typing import NamedTuple

from rookery.cards import Seat, unpack
from rookery.engine.match import add_scores, winners
from rookery.engine.state import REDEALT, State
from rookery.evening.tally import Tally, scored, sides
from rookery.evening.versions import Meaning, Shared
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


class ScoreSheet:
    """What was said of each hand of a game, and what follows from it.

    The game has so many `hands`, redealt ones apart, whatever the totals are. With None it goes to
    the target.

    Attributes:
        entries: each hand, with what it scored.
        totals: the total of each seat, game points.
        winners: the seats that have won; empty while the game goes on.
        dealer: the seat that deals next.

    >>> from rookery.rules import variant
    >>> ScoreSheet(variant("kd_tournament"), [Tally(0, 95, points=(60,))]).totals
    (-95, 60, -95, 60)
    """

    def __init__(
        self,
        rules: Rules,
        tallies: Iterable[Tally] = (),
        hands: int | None = None,
        dealer: Seat = 0,
    ) -> None:
        """Write what was said of the hands so far; the seat `dealer` dealt the first one.

        Raises:
            BadTally: what is said of a hand cannot be.
        """
        self.rules, self.hands, self.dealer = rules, hands, dealer
        self.entries: list[Entry] = []
        self.totals: tuple[int, ...] = (0,) * rules.seats
        self.winners: tuple[Seat, ...] = ()
        for tally in tallies:
            self.write(tally)

    def write(self, tally: Tally) -> None:
        """Write another hand.

        Raises:
            BadTally: what is said of it cannot be, and nothing is written.
        """
        rules, number, dealer = self.rules, len(self.entries), self.dealer
        state, extra = scored(rules, tally), bool(self.winners)
        if state.phase == REDEALT:
            line = ScoreLine(number, dealer, None, None, None, None, self.totals)
            self.entries.append(Entry(tally, line, (), (), None, extra))
            return
        if not extra:
            totals = list(self.totals)
            add_scores(compile_rules(rules), state, totals)
            self.totals, self.winners = tuple(totals), self._winners(state, totals)
        score = tuple(state.score[: rules.seats])
        line = ScoreLine(number, dealer, tally.declarer, tally.bid, None, score, self.totals)
        who = tuple(sides(rules, tally.declarer, tally.partners))
        took = tuple(state.points[side[0]] for side in who)
        open_end = tally.declarer is None or tally.revoked is not None
        made = None if open_end else bool(state.made)
        self.entries.append(Entry(tally, line, who, took, made, extra))
        self.dealer = (dealer + 1) % rules.seats

    def _winners(self, state: State, totals: list[int]) -> tuple[Seat, ...]:
        if self.hands is None:
            return tuple(unpack(winners(compile_rules(self.rules), state, totals)))
        played = 1 + sum(entry.line.score is not None for entry in self.entries)
        if played < self.hands:
            return ()
        return tuple(seat for seat, total in enumerate(totals) if total == max(totals))


def meaning(rules: Rules) -> Meaning[Tally]:
    """Return what tells what a tally says: who bid what with whom, and what all have got.

    It may be said in different words: what one side has, or what the other has. What is returned
    raises `BadTally` for what cannot be.

    >>> from rookery.rules import variant
    >>> of = meaning(variant("kd_tournament"))
    >>> of(Tally(0, 95, points=(60,))) == of(Tally(0, 95, points=(None, 60)))
    True
    """

    @cache
    def read(tally: Tally) -> Hashable:
        state, who = scored(rules, tally), frozenset(tally.partners)
        bare = (tally.redealt, tally.declarer, tally.bid, who, tally.revoked)
        return (*bare, *state.points[: rules.seats], *state.score[: rules.seats])

    return read


def sheet_of(
    hands: Mapping[int, Shared[Tally]], rules: Rules, *, wanted: int | None = None, dealer: int = 0
) -> tuple[ScoreSheet, list[int]]:
    """Return the score sheet of the hands that count, and their numbers.

    `hands` are what `versions.folded` returned. The game has as many as are `wanted`; with None it
    goes to the target. `dealer` is the seat that dealt the first hand.

    Raises:
        BadTally: what is said of a hand cannot be.
    """
    counted = {
        number: hand.stands.said
        for number, hand in hands.items()
        if hand.counts and hand.stands.said is not None
    }
    return ScoreSheet(rules, counted.values(), wanted, dealer), list(counted)
