"""Cards as texts: which are in the deck, what each is worth, how people sort them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from .errors import JudgeError

Options: TypeAlias = dict[str, Any]
Card: TypeAlias = str

LETTERS = {"rook": "RGYB", "standard": "SHDC"}
WORDS = {
    "R": "red",
    "G": "green",
    "Y": "yellow",
    "B": "black",
    "S": "spades",
    "H": "hearts",
    "D": "diamonds",
    "C": "clubs",
}
FACES = {"A": 1, "J": 11, "Q": 12, "K": 13}
ROOKS = ("RK", "JK")


def is_rook(card: Card) -> bool:
    """Return whether the card is the Rook, or the joker that stands for it."""
    return card in ROOKS


def colour(card: Card) -> str:
    """Return the printed colour's letter of a card that is not the Rook."""
    return card[0]


def rank(card: Card) -> int:
    """Return the printed rank, 1 to 14, of a card that is not the Rook."""
    text = card[1:]
    return FACES[text] if text in FACES else int(text)


def whole_pack(options: Options) -> list[Card]:
    """Return every card that the pack has, whether this game uses it or not."""
    if options["pack"] == "standard":
        faces = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
        return [s + f for s in "SHDC" for f in faces] + ["JK"]
    return [s + str(r) for s in "RGYB" for r in range(1, 15)] + ["RK"]


def deck(options: Options) -> list[Card]:
    """Return the cards of this game, sorted as people sort them."""
    used = []
    for card in whole_pack(options):
        if is_rook(card):
            if options["rook_in_deck"]:
                used.append(card)
        elif rank(card) in options["ranks"] or card in options["extra_cards"]:
            used.append(card)
    return used


def in_order(options: Options, cards: Iterable[Card]) -> list[Card]:
    """Return the cards colour by colour, rank rising, the Rook last."""
    wanted = set(cards)
    return [card for card in whole_pack(options) if card in wanted]


def worth(options: Options, card: Card) -> int:
    """Return the points of one card."""
    counters = options["counters"]
    if card in counters:
        return int(counters[card])
    if is_rook(card):
        return int(options["rook_value"])
    return int(counters.get(str(rank(card)), 0))


def total_worth(options: Options, cards: Iterable[Card]) -> int:
    """Return the points of several cards together."""
    return sum(worth(options, card) for card in cards)


def read_card(options: Options, text: str) -> Card:
    """Return the card that a text names, in either letter case.

    Raises:
        JudgeError: ``unknown-card``.
    """
    card = text.upper()
    if card not in whole_pack(options):
        raise JudgeError("unknown-card", text)
    return card


def check_deal(options: Options, deal: list[list[Card]], nest: list[Card]) -> None:
    """Check that the deal is this deck, dealt in the right sizes.

    Raises:
        JudgeError: ``bad-deal``.
    """
    hands = options["seats"] + (1 if options["dummy"] == "blind" else 0)
    if len(deal) != hands:
        raise JudgeError("bad-deal", f"{len(deal)} hands")
    if any(len(hand) != options["hand_size"] for hand in deal):
        raise JudgeError("bad-deal", "a hand has the wrong size")
    if len(nest) != options["nest_size"]:
        raise JudgeError("bad-deal", "the nest has the wrong size")
    dealt = [card for hand in deal for card in hand] + list(nest)
    if sorted(dealt) != sorted(deck(options)):
        raise JudgeError("bad-deal", "the cards dealt are not the deck")


def check_red_and_black(options: Options) -> None:
    """Check that rules about red or black cards are not asked of a standard pack.

    Raises:
        JudgeError: ``bad-rules``.
    """
    special = [options["red_1"], options["red_2"], options["black_2"]]
    asked = special != ["off", "off", "off"] or options["rook_at_no_trump"] == "red_10_5"
    if asked and options["pack"] == "standard":
        raise JudgeError("bad-rules", "a standard pack has no red and no black colour")
