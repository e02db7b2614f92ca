"""The kernels that deal boards to many tables at once, and add up what they came to.

They stand apart from what calls them: the native library is built from this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.seat_info import SeatInfo, clear_notes
from rookery.engine.deal import deal
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import Hidden, State
from rookery.envs.observations.compact import CHOICES, MASK_WORDS, look, write_mask
from rookery.envs.stepping import first_of, to_agent, write_rows
from rookery.lab.duplicate.boards import draw_board, note_room
from rookery.rules.table import RuleTable

DRAWN: Final = -1  # in a line-up: drawn from the pool for every hand


@kernel
def begin_boards(
    table: RuleTable,
    states: Sequence[State],
    hiddens: Sequence[Hidden],
    mine: Sequence[SeatInfo],
    kinds: list[int],
    pool: list[int],
    space: list[int],
    agents: int,
    seats: list[int],
    observations: list[int],
    masks: list[int],
    choices: list[int],
    oracles: list[int],
    told: list[int],
    notes: list[int],
    totals: list[int],
    lineup: list[int],
    dice: list[int],
    room: int,
    seed: int,
    first: int,
) -> None:
    """Deal a board at each table and seat the line-up for a room; see `step_tables`.

    Args:
        table: the rules.
        states: the open cards of each table.
        hiddens: the closed cards of each.
        mine: what each seat knows, see `first_of`.
        kinds: gets each seat's bot, likewise.
        pool: the bots that a drawn one is drawn from.
        space: for the deck, and for numbers of actions.
        agents: set of the seats that are agents in this room.
        seats: gets who is to act at each table, -1 where no agent ever is.
        observations: gets what each of them sees.
        masks: gets what each may do.
        choices: see `step_tables`.
        oracles: see `step_tables`.
        told: see `step_tables`.
        notes: see `step_tables`.
        totals: of no use for single boards.
        lineup: the bots from seat 0 of the first room on; `DRAWN` for one that is drawn.
        dice: room for each seat's generator.
        room: which room.
        seed: of all boards.
        first: number of the first table's board.
    """
    for i in range(len(seats)):
        s = states[i]
        h = hiddens[i]
        start = first_of(table, i)
        draw_board(table, s, h, dice, space, seed, first + i)
        deal(table, s, h, space, (first + i) % table.seats)
        for seat in range(table.seats):
            m = mine[start + seat]
            m.rng = dice[seat]
            clear_notes(m)
            kind = lineup[(seat - room + table.seats) % table.seats]
            if kind == DRAWN:
                kind = pool[below(m, len(pool))]
            kinds[start + seat] = kind
        seat = to_agent(table, s, h, mine, i, kinds, agents, told, notes)
        seats[i] = seat
        if seat >= 0:
            m = mine[start + table.seats]
            look(s, h, m, seat)
            write_rows(table, s, h, m, i, observations, oracles)
            write_mask(table, s, h, space, masks, i * MASK_WORDS, choices, i * CHOICES)


@kernel
def note_rooms(
    table: RuleTable, states: Sequence[State], room: int, sums: list[int], margins: list[int]
) -> None:
    """Add the finished hands of a room to the sums, and write down their margins."""
    for i in range(len(margins)):
        margins[i] = note_room(table, states[i], room, sums)
