"""Duplicate boards: one deal, played in several rooms; the bots change seats between rooms.

In room `r` the first bot of the line-up sits in seat `r`, the next on its left, and so on. A
*margin* is the score of the first bot's side in a room less the mean score of the other sides,
times the number of other sides. A board's result is the sum of its margins. Margins, results and
all sums of a match are whole numbers, so the order of counting never changes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.dispatch import DICELESS, SEATED, decide, decide_card
from rookery.bots.random_bot import random_action
from rookery.bots.seat_info import SeatInfo, clear_notes, observe, observe_trick
from rookery.engine.actions import actor, among, apply, permitted
from rookery.engine.card_sets import lowest
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.rng import seeded
from rookery.engine.state import DONE, PLAY, REDEALT, Hidden, State
from rookery.engine.trick import play
from rookery.lab.run.streams import SHARE
from rookery.rules.table import PLACES, REDEAL_AUTO, RuleTable

# Places in the sums of a match: all boards, then a block for each bot of the line-up, then the
# histogram of the boards' results.
BOARDS, TOTAL, SQUARES, ROOM_SQUARES, UNSCORED, DECISIONS = 0, 1, 2, 3, 4, 5
BOTS: Final = 6
POINTS, CONTRACTS, MADE, BID, TAKEN, ILLEGAL, FALLBACKS = 0, 1, 2, 3, 4, 5, 6
EACH: Final = 7
BINS: Final = 81  # an odd number: a board that ends level lies in the middle one
SPREAD: Final = BOTS + PLACES * EACH
WIDTH: Final = SPREAD + BINS


@kernel
def play_boards(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    lineup: list[int],
    kinds: list[int],
    dice: list[int],
    order: list[int],
    rooms: int,
    bin_width: int,
    seed: int,
    first: int,
    boards: int,
    sums: list[int],
) -> None:
    """Play boards `first` to `first` + `boards` - 1 of `seed`, adding to `sums`.

    Args:
        table: the rules.
        s: room for the public state.
        h: room for the hidden state.
        mine: room for what each seat knows.
        lineup: the bots from seat 0 of the first room on.
        kinds: room for who sits where.
        dice: room for each seat's generator.
        order: room for the deck.
        rooms: how often a board is played.
        bin_width: of the histogram of results, in the unit of results.
        seed: of all boards.
        first: number of the first board.
        boards: how many.
        sums: the sums to add to, shape (WIDTH,).
    """
    for board in range(first, first + boards):
        draw_cards(table, s, h, order, seed, board)
        if SEATED & ~DICELESS:
            draw_dice(table, dice, seed, board)
        result = 0
        squares = 0
        for room in range(rooms):
            begin_room(table, s, h, mine, lineup, kinds, dice, order, board, room)
            play_room(table, s, h, mine, kinds, room, sums)
            won = note_room(table, s, room, sums)
            result += won
            squares += won * won
        note_board(result, squares, bin_width, sums)


@kernel
def draw_board(
    table: RuleTable,
    s: State,
    h: Hidden,
    dice: list[int],
    order: list[int],
    seed: int,
    board: int,
) -> None:
    """Shuffle a board's deck and draw each seat's dice."""
    draw_cards(table, s, h, order, seed, board)
    draw_dice(table, dice, seed, board)


@kernel
def draw_cards(
    table: RuleTable, s: State, h: Hidden, order: list[int], seed: int, board: int
) -> None:
    """Shuffle a board's deck; deals that the rules cancel by themselves are drawn again."""
    h.rng = seeded(seed, board * SHARE)
    shuffle(table, h, order)
    if table.redeal == REDEAL_AUTO:
        deal(table, s, h, order, board % table.seats)
        while s.phase == REDEALT:
            shuffle(table, h, order)
            deal(table, s, h, order, board % table.seats)


@kernel
def draw_dice(table: RuleTable, dice: list[int], seed: int, board: int) -> None:
    """Draw each seat's dice for a board."""
    for seat in range(table.seats):
        dice[seat] = seeded(seed, board * SHARE + 1 + seat)


@kernel
def begin_room(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    lineup: list[int],
    kinds: list[int],
    dice: list[int],
    order: list[int],
    board: int,
    room: int,
) -> None:
    """Deal a board's cards and seat the line-up for this room, every bot with fresh notes."""
    deal(table, s, h, order, board % table.seats)
    for seat in range(table.seats):
        kinds[seat] = lineup[(seat - room + table.seats) % table.seats]
        mine[seat].rng = dice[seat]
        clear_notes(mine[seat])


@kernel
def play_room(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    room: int,
    sums: list[int],
) -> None:
    """Play the dealt hand to its end, every action checked against the rules.

    An illegal one is counted and replaced by a legal one.
    """
    decisions = 0
    while s.phase < PLAY:
        m = mine[s.turn]
        observe(table, s, h, m)
        cards = m.cards
        action = decide(table, s, m, kinds[s.turn])
        if not permitted(table, s, h, cards, action):
            note_illegal(table, s.turn, room, sums)
            m.cards = cards
            m.rng = 1 + decisions  # dice that are nobody's, and the same everywhere
            action = random_action(table, s, m)
        apply(table, s, h, action)
        decisions += 1
    while s.phase == PLAY:
        seat = actor(s) if table.dummy else s.turn
        m = mine[seat]
        observe_trick(table, s, h, m)
        cards = m.cards
        card = decide_card(table, s, m, kinds[seat])
        if not among(cards, card):
            note_illegal(table, seat, room, sums)
            card = lowest(cards)
        play(table, s, h, card)
        decisions += 1
    sums[DECISIONS] += decisions


@kernel
def note_illegal(table: RuleTable, seat: int, room: int, sums: list[int]) -> None:
    """Count an illegal action of the bot in `seat`, which was replaced by a legal one."""
    at = BOTS + EACH * ((seat - room + table.seats) % table.seats)
    sums[at + ILLEGAL] += 1
    sums[at + FALLBACKS] += 1


@kernel
def note_room(table: RuleTable, s: State, room: int, sums: list[int]) -> int:
    """Add a finished hand to the sums and return its margin; an unscored hand has margin 0."""
    if s.phase != DONE:
        sums[UNSCORED] += 1
        return 0
    if s.declarer >= 0:
        at = BOTS + EACH * ((s.declarer - room + table.seats) % table.seats)
        sums[at + CONTRACTS] += 1
        sums[at + MADE] += s.made
        sums[at + BID] += s.contract
        sums[at + TAKEN] += s.points[s.declarer]
    for seat in range(table.seats):
        sums[BOTS + EACH * ((seat - room + table.seats) % table.seats) + POINTS] += s.score[seat]
    return margin(table, s, room)


@kernel
def margin(table: RuleTable, s: State, seat: int) -> int:
    """Return how far a seat's side is above the mean of the others, points times their number."""
    seen = table.partners[seat]
    sides = 0
    others = 0
    for other in range(table.seats):
        if not seen >> other & 1:
            seen |= table.partners[other]
            others += s.score[other]
            sides += 1
    return s.score[seat] * sides - others


@kernel
def note_board(result: int, squares: int, bin_width: int, sums: list[int]) -> None:
    """Add a board's result and the sum of its margins' squares to the sums."""
    sums[BOARDS] += 1
    sums[TOTAL] += result
    sums[SQUARES] += result * result
    sums[ROOM_SQUARES] += squares
    place = BINS // 2 + (result + bin_width // 2) // bin_width
    sums[SPREAD + min(max(place, 0), BINS - 1)] += 1


def sides_of(table: RuleTable) -> int:
    """Return the number of sides; each seat is one where a partner is called.

    >>> from rookery.rules import load
    >>> from rookery.rules.table import compile_rules
    >>> [sides_of(compile_rules(load(name))) for name in ("kd_tournament", "call_partner_5")]
    [2, 5]
    """
    return len({table.partners[seat] for seat in range(table.seats)})


def rooms_of(table: RuleTable, lineup: Sequence[object]) -> int:
    """Return how many rooms a line-up needs, so that every side sits everywhere once.

    Where the bots of a side differ, every bot sits everywhere once.

    >>> from rookery.rules import load
    >>> from rookery.rules.table import compile_rules
    >>> table = compile_rules(load("kd_tournament"))
    >>> rooms_of(table, "abab"), rooms_of(table, "aaaa"), rooms_of(table, "abcd")
    (2, 2, 4)
    """
    seats, sides = table.seats, sides_of(table)
    bots = list(lineup)
    return next(
        rooms
        for rooms in range(sides, seats + 1, sides)
        if seats % rooms == 0 and bots[rooms:] + bots[:rooms] == bots
    )


def scale_of(table: RuleTable, rooms: int) -> int:
    """Return the divisor that turns a board's result into points a room.

    >>> from rookery.rules import load
    >>> from rookery.rules.table import compile_rules
    >>> scale_of(compile_rules(load("kd_tournament")), 2)
    2
    """
    return rooms * (sides_of(table) - 1)
