"""What a seat is shown as numbers: one row of small whole numbers, written by compiled code.

It is written from `State`, which lies open, and from `SeatInfo`, which is the seat's own; no
hidden card can get in. This is version 0: what it means changes with the environments' version.

A row has the fields of `FIXED`, then those of `EACH` once for every place: first the seat itself,
then the others clockwise, and a blind hand last where there is one. A set of cards is 64 numbers:
1 for each card in it, in the order of `rookery.cards`, and seven that are always 0. Points are
counted in steps of 5, but what was said of the nest is not, and nothing exceeds 127.

Compiled code writes eight numbers at once, as the bytes of one integer, the lowest first. So a row
is *words* there, and an int8 view of them for everybody else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from rookery.bots.seat_info import SeatInfo, discards_of
from rookery.engine.actions import legal, legal_cards
from rookery.engine.card_sets import points_of
from rookery.engine.kernel import generated_kernel, kernel
from rookery.engine.state import PLAY, Hidden, State
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import RuleTable

MOST: Final = 127
MASK_WORDS: Final = 28  # of a mask: 224 numbers, of which the first `ACTIONS` count
# Seven bits times this: each bit at the place of its byte, and others between, in no byte's first.
_STRIDE: Final = 0x0002040810204081
_FIRSTS: Final = 0x0101010101010101


class Field(NamedTuple):
    """Some numbers of a row, as many as fill whole words.

    Attributes:
        name: what they are called.
        words: eight numbers each.
        code: an expression of a kernel that is a set of bits, or up to eight small numbers.
        about: what they mean.
    """

    name: str
    words: int
    code: str | tuple[str, ...]
    about: str


FIXED: Final = (
    Field("hand", 8, "m.hand", "the seat's own cards"),
    Field("pickup", 8, "m.pickup", "the nest as the declarer found it, for the declarer alone"),
    Field("discards", 8, "m.nest", "what the declarer has discarded, for the declarer alone"),
    Field(
        "face_up",
        8,
        "s.face_up if table.nest_size else 0",
        "the cards of the nest that everybody has seen",
    ),
    Field("dummy", 8, "s.exposed if table.dummy else 0", "the dummy's cards, where they lie open"),
    Field("trick", 8, "s.trick_cards", "the cards of the trick under way"),
    Field("trumps", 8, "trumps", "all trumps, after the trump call"),
    Field("called", 8, "called if table.called else 0", "the partner cards that were called"),
    Field("phase", 2, "1 << s.phase", "1 at the place of the phase in `PHASES`"),
    Field("call", 2, "1 << s.call if s.call >= 0 else 0", "1 at the place of the trump call"),
    Field(
        "numbers",
        1,
        ("s.high // 5", "s.contract // 5", "s.statement + 1", "s.calls", "s.tricks"),
        "the highest bid; the contract; what was said of the nest, as in `State`, and 1 more; calls"
        " made; complete tricks",
    ),
    Field(
        "flags",
        1,
        ("s.sun", "s.circus", "s.rook_low", "s.broken", "s.sides_known"),
        "the Sun is the highest bid; a circus; the Rook is low; trumps are broken; all sides known",
    ),
)
EACH: Final = (
    Field("played", 8, "s.played_by[place]", "the cards that the place has played"),
    Field("void", 1, "s.void[place]", "the suits that the place has shown to lack"),
    Field(
        "roles",
        1,
        (
            "int(place == s.dealer)",
            "int(place == s.turn)",
            "s.passed >> place & 1",
            "int(place == s.bidder)",
            "int(place == s.declarer)",
            "s.allies >> place & 1",
            "int(place == s.leader)",
        ),
        "the dealer; to act; out of the auction; made the highest bid; the declarer; known to play"
        " with the declarer; leads, or led, to the trick",
    ),
    Field(
        "won",
        1,
        ("s.won[place]", "points_of(table, s.captured[place]) // 5"),
        "how many tricks the place has won, and the counters in them",
    ),
)
FIXED_WORDS: Final = sum(field.words for field in FIXED)
EACH_WORDS: Final = sum(field.words for field in EACH)


def words_of(table: RuleTable) -> int:
    """Return how many words a row has by these rules; eight numbers each."""
    return FIXED_WORDS + (table.seats + table.blind) * EACH_WORDS


def places_of(table: RuleTable) -> dict[str, slice]:
    """Return where the numbers of each field stand; ``played[1]`` is of the next seat clockwise.

    >>> from rookery.rules import variant
    >>> from rookery.rules.table import compile_rules
    >>> table = compile_rules(variant("kd_tournament"))
    >>> places_of(table)["hand"], len(places_of(table)), 8 * words_of(table)
    (slice(0, 64, None), 28, 912)
    """
    named = [(field.name, field.words) for field in FIXED]
    for place in range(table.seats + table.blind):
        named += [(f"{field.name}[{place}]", field.words) for field in EACH]
    found: dict[str, slice] = {}
    at = 0
    for name, words in named:
        found[name] = slice(8 * at, 8 * (at + words))
        at += words
    return found


@kernel
def spread(bits: int, at: int) -> int:
    """Return the eight bits from bit `at` of a set as the bytes of a word.

    >>> hex(spread(0b1000_0001_0110, 4)), hex(spread(0b101, 0))
    ('0x100000000000001', '0x10001')
    """
    bits = bits >> at & 0xFF
    return (bits & 0x7F) * _STRIDE & _FIRSTS | bits >> 7 << 56


def _packed(numbers: tuple[str, ...]) -> str:
    """Return an expression for up to eight small numbers as the bytes of a word."""
    return " | ".join(f"min({code}, MOST) << {8 * i}" for i, code in enumerate(numbers))


def _writing(fields: tuple[Field, ...], start: str, indent: str) -> list[str]:
    """Return the lines that write some fields of a row from the word `start` on."""
    lines: list[str] = []
    at = 0
    for field in fields:
        if isinstance(field.code, tuple):
            lines.append(f"row[{start} + {at}] = {_packed(field.code)}")
        else:
            lines += [
                f"bits = {field.code}",
                f"for i in range({field.words}):",
                f"    row[{start} + {at} + i] = spread(bits, 8 * i)",
            ]
        at += field.words
    return [indent + line for line in lines]


_SOURCE: Final = "\n".join(
    [
        "def write_observation(table, s, m, row, at):",
        '    """Write what a seat is shown from ``row[at]`` on."""',
        "    trumps = table.mask[s.row * SUITS + TRUMP] if s.row >= 0 else 0",
        "    called = 0",
        "    for i in range(s.called_count):",
        "        called |= 1 << s.called[i]",
        *_writing(FIXED, "at", "    "),
        "    for k in range(table.seats + table.blind):",
        "        place = (m.seat + k) % table.seats if k < table.seats else k",
        "        start = at + FIXED_WORDS + k * EACH_WORDS",
        *_writing(EACH, "start", "        "),
    ]
)
# ``(table, state, seat info, row, at)``: writes `words_of` words.
write_observation: Final[Callable[[RuleTable, State, SeatInfo, list[int], int], None]] = (
    generated_kernel(
        _SOURCE,
        {**globals(), "SUITS": SUITS, "TRUMP": TRUMP, "points_of": points_of},
    )
)


@kernel
def look(s: State, h: Hidden, m: SeatInfo, seat: int) -> None:
    """Write down what a seat knows, whether or not it is to act."""
    m.seat = seat
    m.hand = h.hand[seat]
    m.nest = discards_of(s, h, seat)
    m.pickup = h.pickup if seat == s.declarer else 0


@kernel
def write_mask(
    table: RuleTable, s: State, h: Hidden, actions: list[int], mask: list[int], at: int
) -> None:
    """Write from ``mask[at]`` on 1 for each legal action of the seat to act, else 0, in words.

    `actions` is room for their numbers, shape (`ACTIONS`,).
    """
    if s.phase == PLAY:
        cards = legal_cards(table, s, h)
        for i in range(8):
            mask[at + i] = spread(cards, 8 * i)
        for i in range(8, MASK_WORDS):
            mask[at + i] = 0
        return
    for i in range(MASK_WORDS):
        mask[at + i] = 0
    for i in range(legal(table, s, h, actions)):
        mask[at + (actions[i] >> 3)] |= 1 << 8 * (actions[i] & 7)
