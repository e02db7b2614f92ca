"""The kernel of `house-rules`: each board is played several times, to compare like with like.

A board's cards are played

- once for each seat as the dealer, so that the luck of the cards falls on every position alike;
- once more with the first lead passed to the next seat, all else the same;
- once more with the nest left as it was dealt, all else the same;
- once for each side of the table with a stronger bot on that side and a weaker one elsewhere.

A *margin* is the score of a seat's side less the mean score of the others, times `unit`, which
makes it a whole number. An unscored hand has no margin, or 0 where bots are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.dispatch import decide, play_tricks
from rookery.bots.seat_info import SeatInfo, clear_notes, observe
from rookery.cards import ROOK
from rookery.engine.actions import apply
from rookery.engine.card_sets import lowest
from rookery.engine.deal import deal
from rookery.engine.declaration import lead_first
from rookery.engine.kernel import kernel
from rookery.engine.state import DONE, NEST, PLAY, TRUMP_CALL, Hidden, State
from rookery.lab.duplicate.boards import draw_board, margin, sides_of
from rookery.rules.table import PLACES, RuleTable

# Places in a board's row. The first group is over the rooms in which every seat is dealer once.
BOARDS: Final = 0
ROOMS: Final = 1  # rooms that were scored
UNSCORED: Final = 2  # rooms in which nobody took a contract and the deal was cancelled
CONTRACTS: Final = 3
MADE: Final = 4
BID: Final = 5  # contracts, points
TAKEN: Final = 6  # points that the declarers' sides took
SQUARES: Final = 7  # squared margins of all seats
ROOK_HELD: Final = 8  # rooms in which the Rook was dealt to a hand
ROOK_MARGIN: Final = 9  # margins of the seat that was dealt it
SEAT_MARGIN: Final = 10  # + position: margins, from the dealer's left round to the dealer
# The leader's margin less the one with the lead passed on; the declarer's less that without the
# nest, and the same for the points that their side took.
LEADS: Final = SEAT_MARGIN + 8
LEAD_GAIN: Final = LEADS + 1
NESTS: Final = LEADS + 2
NEST_GAIN: Final = LEADS + 3
NEST_TAKEN: Final = LEADS + 4
# The stronger bot against the weaker one.
DUEL_ROOMS: Final = LEADS + 5
DUEL_MARGIN: Final = LEADS + 6  # margins of the stronger bot's side
DUEL_SQUARES: Final = LEADS + 7  # squared margins of all seats
DUEL_SHARED: Final = LEADS + 8  # products of a seat's margins in any two different rooms of a board
WIDTH: Final = LEADS + 9

# Places in the notes of a board: a seat's margin in the first room, then its sum over duel rooms.
FIRST: Final = 0
SUMMED: Final = PLACES
NOTES: Final = 2 * PLACES

PLAIN, LEAD_ON, NEST_LEFT, DUEL = 0, 1, 2, 3  # what is special about a room


def unit(table: RuleTable) -> int:
    """Return the number of other sides, which is the divisor that turns margins into points."""
    return sides_of(table) - 1


@kernel
def declare(
    table: RuleTable, s: State, h: Hidden, mine: Sequence[SeatInfo], kinds: list[int], room: int
) -> None:
    """Let the bots bid and declare, up to the first lead, as the kind of room requires."""
    while s.phase < PLAY:
        m = mine[s.turn]
        observe(table, s, h, m)
        if room == NEST_LEFT and s.phase == NEST:
            apply(table, s, h, lowest(h.pickup & h.hand[s.turn]))
        else:
            if room == NEST_LEFT and s.phase == TRUMP_CALL and s.turn == s.declarer:
                m.hand &= ~h.pickup | h.nest
            apply(table, s, h, decide(table, s, m, kinds[s.turn]))
    if room == LEAD_ON and s.phase == PLAY:
        s.turn = (s.turn + 1) % table.seats
        s.exposed = 0
        lead_first(table, s, h)


@kernel
def note_room(table: RuleTable, s: State, sums: list[int], at: int, rook_at: int) -> None:
    """Add a scored hand of equal bots to a board's row."""
    sums[at + ROOMS] += 1
    if s.declarer >= 0:
        sums[at + CONTRACTS] += 1
        sums[at + MADE] += s.made
        sums[at + BID] += s.contract
        sums[at + TAKEN] += s.points[s.declarer]
    for seat in range(table.seats):
        own = margin(table, s, seat)
        sums[at + SQUARES] += own * own
        sums[at + SEAT_MARGIN + (seat - s.dealer - 1) % table.seats] += own
        if seat == rook_at:
            sums[at + ROOK_HELD] += 1
            sums[at + ROOK_MARGIN] += own


@kernel
def measure_boards(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    dice: list[int],
    order: list[int],
    notes: list[int],
    strong: int,
    weak: int,
    seed: int,
    skip: int,
    first: int,
    boards: int,
    block: int,
    sums: list[int],
) -> None:
    """Play all rooms of boards `first` to `first` + `boards` - 1, and add each to its block's row.

    Block k holds boards k * `block` to (k + 1) * `block` - 1, and has its row at k * `WIDTH`. The
    cards of board b are those of number `skip` + b of the seed.
    """
    seats = table.seats
    for board in range(first, first + boards):
        number = skip + board
        at = board // block * WIDTH
        draw_board(table, s, h, dice, order, seed, number)
        for i in range(NOTES):
            notes[i] = 0
        sums[at + BOARDS] += 1
        leader = -1
        declarer = -1
        taken = 0
        for which in range(2 * seats + 2):
            room = PLAIN
            dealer = number % seats
            side = 0
            if which < seats:
                dealer = (number + which) % seats
            elif which == seats:
                room = LEAD_ON
            elif which == seats + 1:
                room = NEST_LEFT
            else:
                room = DUEL
                seat = which - seats - 2
                side = table.partners[seat]
                if side & ((1 << seat) - 1):
                    continue  # this side has been played
            if (room == LEAD_ON and leader < 0) or (room == NEST_LEFT and declarer < 0):
                continue
            for seat in range(seats):
                kinds[seat] = weak if room == DUEL and not side >> seat & 1 else strong
                mine[seat].rng = dice[seat]
                clear_notes(mine[seat])
            deal(table, s, h, order, dealer)
            rook_at = -1
            for seat in range(seats):
                if h.hand[seat] >> ROOK & 1:
                    rook_at = seat
            declare(table, s, h, mine, kinds, room)
            if which == 0 and s.phase == PLAY:
                leader = s.turn
                declarer = s.declarer if table.nest_size else -1
            play_tricks(table, s, h, mine, kinds)
            scored = s.phase == DONE
            if room == PLAIN:
                if scored:
                    note_room(table, s, sums, at, rook_at)
                else:
                    sums[at + UNSCORED] += 1
                if which == 0:
                    taken = s.points[declarer] if declarer >= 0 else 0
                    for seat in range(seats):
                        notes[FIRST + seat] = margin(table, s, seat) if scored else 0
            elif room == LEAD_ON:
                sums[at + LEADS] += 1
                sums[at + LEAD_GAIN] += notes[FIRST + leader] - margin(table, s, leader)
            elif room == NEST_LEFT:
                sums[at + NESTS] += 1
                sums[at + NEST_GAIN] += notes[FIRST + declarer] - margin(table, s, declarer)
                sums[at + NEST_TAKEN] += taken - s.points[declarer]
            else:
                sums[at + DUEL_ROOMS] += 1
                for seat in range(seats):
                    own = margin(table, s, seat) if scored else 0
                    if seat == lowest(side):
                        sums[at + DUEL_MARGIN] += own
                    sums[at + DUEL_SQUARES] += own * own
                    sums[at + DUEL_SHARED] += 2 * own * notes[SUMMED + seat]
                    notes[SUMMED + seat] += own
