"""A card, a colour, a set of cards: the numbers the engine counts in and the words people use.

A card is a number from 0 to 56: ``4 * (rank - 1) + colour`` for the numbered cards, 56 for the
Rook. Cards of one rank stand side by side, so in a set of cards (one ``int``, bit ``c`` for card
``c``) the lowest bit is the lowest rank whatever its colour, and all 57 bits fit a signed 64-bit
integer.

A standard pack uses the same numbers: spades, hearts, diamonds and clubs are colours 0 to 3, the
ace is rank 1, jack, queen and king are 11, 12 and 13, and the joker is the Rook.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

Card: TypeAlias = int
"""The number of a card, 0 to 56."""
CardSet: TypeAlias = int
"""A set of cards as one number: the bit of each card in it is 1."""
Seat: TypeAlias = int
"""The number of a seat, clockwise from 0."""
Pack: TypeAlias = Literal["rook", "standard"]

CARDS: Final = 57
ROOK: Final[Card] = 56
COLOURS: Final = 4
RANKS: Final = 14

LETTERS: Final[dict[Pack, str]] = {"rook": "RGYB", "standard": "SHDC"}
SUIT_WORDS: Final[dict[Pack, tuple[str, ...]]] = {
    "rook": ("red", "green", "yellow", "black"),
    "standard": ("spades", "hearts", "diamonds", "clubs"),
}
ROOK_NAMES: Final[dict[Pack, str]] = {"rook": "RK", "standard": "JK"}
EXAMPLES: Final[dict[Pack, tuple[str, ...]]] = {
    "rook": ("R14", "G10", "RK"),
    "standard": ("SA", "H10", "JK"),
}
_FACES: Final = {1: "A", 11: "J", 12: "Q", 13: "K"}


class UnknownCard(ValueError):
    """A text that names no card of the pack. Code: ``unknown-card``."""

    code = "unknown-card"


def card_at(colour: int, rank: int) -> Card:
    """Return the number of the card of `colour` (0 to 3) and `rank` (1 to 14).

    >>> card_at(1, 10)
    37
    """
    return 4 * (rank - 1) + colour


def colour_of(card: Card) -> int:
    """Return the printed colour of a numbered card, 0 to 3.

    >>> colour_of(37)
    1
    """
    return card % 4


def rank_of(card: Card) -> int:
    """Return the printed rank of a numbered card, 1 to 14.

    >>> rank_of(37)
    10
    """
    return card // 4 + 1


# Where in a sorted hand each card goes.
_PLACES: Final = tuple(
    CARDS if card == ROOK else RANKS * colour_of(card) + rank_of(card) for card in range(CARDS)
)


def _names(pack: Pack) -> tuple[str, ...]:
    letters = LETTERS[pack]
    faces = _FACES if pack == "standard" else {}
    numbered = (
        f"{letters[colour_of(c)]}{faces.get(rank_of(c), rank_of(c))}" for c in range(CARDS - 1)
    )
    return (*numbered, ROOK_NAMES[pack])


NAMES: Final[dict[Pack, tuple[str, ...]]] = {"rook": _names("rook"), "standard": _names("standard")}
# A standard pack has no 14, so no text may name one.
_NUMBERS: Final = {
    pack: {
        name: c
        for c, name in enumerate(names)
        if pack == "rook" or c == ROOK or c < 4 * (RANKS - 1)
    }
    for pack, names in NAMES.items()
}


def card_name(card: Card, pack: Pack = "rook") -> str:
    """Return the name of `card`, as records and commands print it.

    Raises:
        UnknownCard: there is no card of this number.

    >>> card_name(37), card_name(56), card_name(0, "standard")
    ('G10', 'RK', 'SA')
    """
    if not 0 <= card < CARDS:
        raise UnknownCard(f"{card} is the number of no card; expected 0 to {CARDS - 1}")
    return NAMES[pack][card]


def parse_card(text: str, pack: Pack = "rook") -> Card:
    """Return the number of the card that `text` names; in upper or lower case.

    Raises:
        UnknownCard: `text` names no card of the pack.

    >>> parse_card("g10"), parse_card("RK")
    (37, 56)
    """
    try:
        return _NUMBERS[pack][text.upper()]
    except (AttributeError, KeyError):  # or no text at all, such as a card's number
        one, two, three = EXAMPLES[pack]
        reason = f"{text!r} is not a card of this pack; expected one like {one}, {two} or {three}"
        raise UnknownCard(reason) from None


def pack_cards(cards: Iterable[Card]) -> CardSet:
    """Return the set that holds `cards`.

    >>> pack_cards([0, 3])
    9
    """
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def unpack(cards: CardSet) -> Iterator[Card]:
    """Yield the cards of a set, lowest number first.

    Raises:
        ValueError: the number is below 0, and so no set.

    >>> list(unpack(9))
    [0, 3]
    """
    while cards > 0:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low
    if cards:
        raise ValueError(f"{cards} is no set of cards; expected 0 or more, as pack_cards returns")


def by_suit(cards: CardSet) -> list[Card]:
    """Return a set's cards as a player sorts a hand: by colour, rank rising, Rook last.

    >>> [card_name(c) for c in by_suit(pack_cards(map(parse_card, ["B5", "R14", "RK", "R2"])))]
    ['R2', 'R14', 'B5', 'RK']
    """
    return sorted(unpack(cards), key=_PLACES.__getitem__)
