"""How likely each seat is to win the match from the totals, as the search bot takes it."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.engine.card_sets import count
from rookery.engine.match import winners
from rookery.engine.state import DONE
from rookery.game import Hand
from rookery.search.stakes import WHOLE, chance_of_match
from rookery.search.thought import Thought


def chances(hand: Hand, totals: Sequence[int]) -> list[float]:
    """Return each seat's chance of winning the match, 0 to 1, after `hand`.

    From the totals alone, all cards to come being anybody's; those of the sides add up to 1.

    >>> from rookery.rules import load
    >>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    >>> chances(hand, [0, 0, 0, 0])
    [0.5, 0.5, 0.5, 0.5]
    """
    table, state = hand.table, hand.state
    seats = range(hand.rules.seats)
    thought = Thought()
    thought.after[: len(totals)] = totals
    won = winners(table, state, thought.after) if state.phase == DONE else 0
    if won:
        return [1.0 if won >> seat & 1 else 0.0 for seat in seats]
    found = [chance_of_match(table, seat, thought) / WHOLE for seat in seats]
    whole = sum(found[seat] / count(table.partners[seat]) for seat in seats)
    return [round(chance / whole, 4) for chance in found]
