"""A score sheet that several phones write: what its hands score, of what people say of them.

A hand is known by its number, from 0, so two phones that write hand 5 mean the same one.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache

from rookery.evening.score_sheet import ScoreSheet
from rookery.evening.tally import Tally, scored
from rookery.evening.versions import Meaning, Shared
from rookery.rules import Rules


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
