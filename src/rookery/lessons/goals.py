"""Goals: what a right choice fulfils, checked with the engine's tables and the hand that follows.

A goal is a mapping from the name of a check to what it wants. All of them must hold; the first
that does not is the reason that the learner is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
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


def _bid(before: Hand, action: Action, after: Hand, wanted: list[int]) -> bool:
    low, high = wanted
    return isinstance(action.amount, int) and low <= action.amount <= high


def _passes(before: Hand, action: Action, after: Hand, wanted: bool) -> bool:
    return (action.verb is Verb.PASS) == wanted


def _is(before: Hand, action: Action, after: Hand, wanted: list[str]) -> bool:
    return action.words in wanted


def _card(before: Hand, action: Action, after: Hand, wanted: list[str]) -> bool:
    return all(any(is_kind(before, card, kind) for kind in wanted) for card in action.cards)


def _keeps(before: Hand, action: Action, after: Hand, wanted: list[str]) -> bool:
    return not any(is_kind(before, card, kind) for card in action.cards for kind in wanted)


def _takes(before: Hand, action: Action, after: Hand, wanted: str) -> bool:
    winner = after.tricks[len(before.tricks)].winner
    if wanted == "me":
        return winner == before.turn
    ours = bool(side_of(after.table, after.hidden, before.state.turn) >> winner & 1)
    if wanted == "partner":
        return ours and winner != before.turn
    return ours == (wanted == "us")


def _any(before: Hand, action: Action, after: Hand, wanted: bool) -> bool:
    return wanted


Check = Callable[[Hand, Action, Hand, Any], bool]
# A bid between two numbers; a pass or none; one of these actions; a card of one of these kinds;
# no card of these kinds; who wins the trick (me, partner, us, them); anything at all.
CHECKS: Final[Mapping[str, Check]] = MappingProxyType(
    {
        "bid": _bid,
        "passes": _passes,
        "is": _is,
        "card": _card,
        "keeps": _keeps,
        "takes": _takes,
        "any": _any,
    }
)


def missed(goal: Mapping[str, Any], before: Hand, action: Action, after: Hand) -> str | None:
    """Return the name of the first check that a choice does not pass; None where all hold.

    Args:
        goal: what is wanted.
        before: the hand where the choice was made.
        action: the choice.
        after: the hand as it went on, for a card to the end of its trick.
    """
    for name, wanted in goal.items():
        if not CHECKS[name](before, action, after, wanted):
            return name
    return None


def first_kept(hand: Hand, card: Card, kinds: Iterable[str]) -> str | None:
    """Return the first of `kinds` that a card is of: why it has to stay; None where it may go."""
    return next((kind for kind in kinds if is_kind(hand, card, kind)), None)
