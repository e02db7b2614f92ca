"""What a puzzle is about, computed from the position, the right choice and the wrong ones.

Nothing here looks at a card that the seat has not seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from rookery.cards import ROOK, Card, pack_cards, rank_of
from rookery.engine.card_sets import points_of
from rookery.game import Action, Hand, Verb
from rookery.puzzles.puzzle import THEMES, Worth
from rookery.review.inference import Inference, infer
from rookery.review.mistakes import what_was_wrong
from rookery.review.reasons import emptied_colour, last_of_suit
from rookery.rules.order import TRUMP
from rookery.rules.table import BONUS_LAST_TRICK, NEST_TO_LAST_TRICK, RuleTable

TEN = 10
LAST = 3  # tricks


def themes_of(hand: Hand, choices: Sequence[Worth]) -> tuple[str, ...]:
    """Return the themes of a decision in the order of `THEMES`; none fits some cards.

    The right choice comes first.
    """
    if hand.phase == "auction":
        return () if choices[0].actions[0] == Verb.REDEAL else ("bid",)
    known = infer(hand)
    right, *wrong = (hand.parse(f"{hand.turn} {one.actions[0]}") for one in choices)
    found = _of_discard if hand.phase == "nest" else _of_card
    return tuple(theme for theme in THEMES if theme in found(hand, known, right, wrong))


def _of_discard(hand: Hand, known: Inference, right: Action, wrong: Sequence[Action]) -> set[str]:
    away, *others = (pack_cards(action.cards) for action in (right, *wrong))
    points = points_of(known.table, away)
    themes = {"discard"}
    if points and any(points_of(known.table, other) < points for other in others):
        themes.add("bury")
    emptied = emptied_colour(known.cards, away) >= 0
    if emptied and any(emptied_colour(known.cards, other) < 0 for other in others):
        themes.add("void")
    return themes


def _of_card(hand: Hand, known: Inference, right: Action, wrong: Sequence[Action]) -> set[str]:
    table, card = known.table, right.card
    others = [action.card for action in wrong]
    themes = set()
    if draws_trumps(known, card) and any(known.suit_of(other) != TRUMP for other in others):
        themes.add("draw-trumps")
    if feeds(known, card) and any(table.value[other] < table.value[card] for other in others):
        themes.add("feed")
    if _saves_ten(hand, known, right, wrong):
        themes.add("save-ten")
    if last_of_suit(known, card) and not known.takes(card):
        themes.add("void")
    if _counts_bird(known, card, others):
        themes.add("count-bird")
    if table.hand_size - known.state.tricks <= LAST and last_trick_pays(table):
        themes.add("last-trick")
    return themes


def draws_trumps(known: Inference, card: Card) -> bool:
    """Return whether a card leads trumps while the other side may hold some."""
    if known.state.led >= 0 or known.suit_of(card) != TRUMP:
        return False
    return bool(known.with_others(known.trumps, ~known.friends))


def feeds(known: Inference, card: Card) -> bool:
    """Return whether a card gives its points to a partner who is ahead or may still win."""
    if known.state.led < 0 or not known.table.value[card] or known.takes(card):
        return False
    return known.friend_ahead or bool(known.threats(card, known.friends & known.others))


def _saves_ten(hand: Hand, known: Inference, right: Action, wrong: Sequence[Action]) -> bool:
    """Return whether a ten comes home, or is kept from a trick that the others may take."""
    if _is_ten(known, right.card):
        foes = known.behind & ~known.friends
        return known.takes(right.card) and not known.threats(right.card, foes)
    return any(
        _is_ten(known, other.card)
        and what_was_wrong(hand, other, right).code in ("fed", "beatable")
        for other in wrong
    )


def _is_ten(known: Inference, card: Card) -> bool:
    return card != ROOK and rank_of(card) == TEN and known.table.value[card] > 0


def _counts_bird(known: Inference, right: Card, wrong: Sequence[Card]) -> bool:
    """Return whether the Rook is the answer, or what would beat a wrong card and not this one."""
    if ROOK not in known.table.deck[: known.table.cards]:
        return False
    if right == ROOK:
        return True
    foes = known.behind & ~known.friends
    if not known.takes(right) or known.threats(right, foes) >> ROOK & 1:
        return False
    return any(known.takes(o) and known.threats(o, foes) >> ROOK & 1 for o in wrong)


def last_trick_pays(table: RuleTable) -> bool:
    """Return whether whoever takes the last trick gets the nest or a bonus for it."""
    return table.bonus == BONUS_LAST_TRICK or bool(
        table.nest_size and table.nest_to == NEST_TO_LAST_TRICK
    )
