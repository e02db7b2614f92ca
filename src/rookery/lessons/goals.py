"""Goals: what a right choice fulfils, checked with the engine's tables and the hand that follows.

A goal is a mapping from the name of a check to what it wants. All of them must hold; the first
that does not is the reason that the learner is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rookery.cards import ROOK, SUIT_WORDS, Card, colour_of, pack_cards, rank_of
from rookery.engine.card_sets import points_of
from rookery.engine.score import side_of
from rookery.game import Action, Hand, Verb
from rookery.rules.order import SUITS, TRUMP

KINDS: Final = ("counter", "plain", "trump", "rook", "high", "low")
HIGH: Final = 11  # a card of this number or above is a high one


def is_kind(hand: Hand, card: Card, kind: str) -> bool:
    """Return whether a card is of a kind: one of `KINDS`, or a suit's word."""
    if kind in ("counter", "plain"):
        return (points_of(hand.table, pack_cards([card])) > 0) == (kind == "counter")
    if kind == "trump":
        row = hand.state.row
        return row >= 0 and bool(hand.table.mask[row * SUITS + TRUMP] >> card & 1)
    if kind == "rook" or card == ROOK:
        return kind == "rook" and card == ROOK
    if kind in ("high", "low"):
        return (rank_of(card) >= HIGH) == (kind == "high")
    return SUIT_WORDS[hand.rules.pack][colour_of(card)] == kind


def holds(check: str, wanted: Any, before: Hand, action: Action, after: Hand) -> bool:  # noqa: ANN401  (of JSON)
    """Return whether a choice passes a check; the arguments are those of `missed`."""
    match check:
        case "bid":  # between two numbers
            low, high = wanted
            return isinstance(action.amount, int) and low <= action.amount <= high
        case "passes":
            return bool((action.verb is Verb.PASS) == wanted)
        case "is":  # one of these actions
            return bool(action.words in wanted)
        case "card":  # of one of these kinds
            return all(any(is_kind(before, card, kind) for kind in wanted) for card in action.cards)
        case "keeps":  # all cards of these kinds
            return not any(is_kind(before, card, kind) for card in action.cards for kind in wanted)
        case "takes":  # the trick: me, partner, us or them
            return _takes(before, after, wanted)
    return bool(wanted)  # anything at all


def _takes(before: Hand, after: Hand, wanted: str) -> bool:
    winner = after.tricks[len(before.tricks)].winner
    if wanted == "me":
        return winner == before.turn
    ours = bool(side_of(after.table, after.hidden, before.state.turn) >> winner & 1)
    if wanted == "partner":
        return ours and winner != before.turn
    return ours == (wanted == "us")


def missed(goal: Mapping[str, Any], before: Hand, action: Action, after: Hand) -> str | None:
    """Return the name of the first check that a choice does not pass; None where all hold.

    `after` is the hand as it went on, for a card to the end of its trick.
    """
    for check, wanted in goal.items():
        if not holds(check, wanted, before, action, after):
            return check
    return None
