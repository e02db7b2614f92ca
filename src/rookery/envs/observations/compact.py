"""What a seat is shown as numbers: one row of small whole numbers, written by compiled code.

It is written from `State`, which lies open, and from `SeatInfo`, which is the seat's own; no
hidden card can get in. This is version 0: what it means changes with the environments' version.

A row has the fields of `FIXED`, then those of `EACH` once for every place: first the seat itself,
then the others clockwise, and a blind hand last where there is one. A set of cards is 64 numbers:
1 for each card in it, in the order of `rookery.cards`, and seven that are always 0. Points are
counted in steps of 5, but what was said of the nest is not, and nothing exceeds 127.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rookery.bots.seat_info import SeatInfo, observe_nest
from rookery.cards import CARDS
from rookery.engine.actions import legal, legal_cards
from rookery.engine.card_sets import points_of, write_ones
from rookery.engine.kernel import kernel
from rookery.engine.state import PLAY, Hidden, State
from rookery.envs.observations.fields import (
    CARD_WORDS,
    Field,
    PlaceSets,
    places_in,
    words_in,
    writer,
)
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import RuleTable

MASK_WORDS: Final = 28  # of a mask: 224 numbers, of which the first `ACTIONS` count
CHOICES: Final = 4  # numbers beside a mask: the set of its cards, and three of all other actions
IN_SET: Final = 60  # actions in each of the three

FIXED: Final = (
    Field("hand", 8, "m.hand", "the seat's own cards"),
    Field("pickup", 8, "m.pickup", "the nest as the declarer found it, for the declarer alone"),
    Field("discards", 8, "m.nest", "what the declarer has discarded, for the declarer alone"),
    Field(
        "face_up",
        8,
        "s.face_up",
        "the cards of the nest that everybody has seen",
        "table.nest_size",
    ),
    Field("dummy", 8, "s.exposed", "the dummy's cards, where they lie open", "table.dummy"),
    Field("trick", 8, "s.trick_cards", "the cards of the trick under way"),
    Field("trumps", 8, "trumps", "all trumps, after the trump call"),
    Field("called", 8, "called", "the partner cards that were called", "table.called"),
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
        PlaceSets(
            (
                "1 << s.dealer",
                "1 << s.turn",
                "s.passed",
                "(1 << s.bidder if s.bidder >= 0 else 0)",
                "(1 << s.declarer if s.declarer >= 0 else 0)",
                "s.allies",
                "1 << s.leader",
            )
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
FIXED_WORDS: Final = words_in(FIXED)
EACH_WORDS: Final = words_in(EACH)


@kernel
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
    return places_in(FIXED, EACH, table.seats + table.blind)


# ``(table, state, seat info, row, at)``: writes `words_of` words.
write_observation: Final[Callable[[RuleTable, State, SeatInfo, list[int], int], None]] = writer(
    "write_observation(table, s, m, row, at)",
    "Write what a seat is shown from ``row[at]`` on.",
    FIXED,
    EACH,
    {**globals(), "SUITS": SUITS, "TRUMP": TRUMP, "points_of": points_of},
    "seat = m.seat",
    "trumps = table.mask[s.row * SUITS + TRUMP] if s.row >= 0 else 0",
    "called = 0",
    "if table.called:",
    "    for i in range(s.called_count):",
    "        called |= 1 << s.called[i]",
)


@kernel
def look(s: State, h: Hidden, m: SeatInfo, seat: int) -> None:
    """Write down what a seat knows, whether or not it is to act."""
    m.seat = seat
    m.hand = h.hand[seat]
    observe_nest(s, h, m, seat)


@kernel
def write_mask(
    table: RuleTable,
    s: State,
    h: Hidden,
    actions: list[int],
    masks: list[int],
    choices: list[int],
    i: int,
) -> None:
    """Write as mask `i` 1 for each legal action of the seat to act, else 0, in `MASK_WORDS` words.

    `actions` is room for their numbers, shape (`ACTIONS`,). The first of the `CHOICES` numbers
    beside the mask gets the set of the cards among them, and the next three the sets of all others,
    `IN_SET` to each. These are what counts: whoever is given a mask may write into it.
    """
    at = i * MASK_WORDS
    k = i * CHOICES
    if choices[k + 1] | choices[k + 2] | choices[k + 3]:
        for word in range(CARD_WORDS, MASK_WORDS):
            masks[at + word] = 0
        for other in range(1, CHOICES):
            choices[k + other] = 0
    choices[k] = legal_cards(table, s, h)
    write_ones(masks, at, choices[k])
    if s.phase != PLAY:
        for n in range(legal(table, s, h, actions)):
            if actions[n] >= CARDS:
                masks[at + (actions[n] >> 3)] |= 1 << 8 * (actions[n] & 7)
                other = actions[n] - CARDS
                choices[k + 1 + other // IN_SET] |= 1 << other % IN_SET
