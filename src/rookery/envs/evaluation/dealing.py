"""The kernels that deal boards to many tables at once, and add up what they came to.

They stand apart from what calls them: the native library is built from this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rookery.bots.seat_info import SeatInfo, clear_notes
from rookery.engine.deal import deal
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import Hidden, State
from rookery.envs.observations.compact import look, write_mask
from rookery.envs.observations.rows import write_rows
from rookery.envs.stepping import first_of, to_agent
from rookery.lab.duplicate.boards import draw_board, note_room
from rookery.rules.fields import cells
from rookery.rules.table import PLACES, RuleTable

DRAWN: Final = -1  # in a line-up: drawn from the pool for every hand


@dataclass(slots=True)
class Sitting:
    """Which boards are dealt next, in which room, and who plays them."""

    seed: int = 0  # of all boards
    first: int = 0  # number of the first table's board
    room: int = 0
    lineup: list[int] = cells(PLACES)  # the bots from seat 0 of the first room on, or `DRAWN`
    dice: list[int] = cells(PLACES)  # scratch: each seat's generator


@kernel
def begin_boards(
    table: RuleTable,
    states: Sequence[State],
    hiddens: Sequence[Hidden],
    mine: Sequence[SeatInfo],
    kinds: list[int],
    pool: list[int],
    room: list[int],
    agents: int,
    seats: list[int],
    observations: list[int],
    masks: list[int],
    choices: list[int],
    oracles: list[int],
    told: list[int],
    notes: list[int],
    totals: list[int],
    sitting: Sitting,
) -> None:
    """Deal a board at each table, seat the line-up, and play to the agents' first decisions.

    What it takes but for the sitting is what `step_tables` takes; `seats` gets -1 where no agent
    ever has to act.
    """
    for i in range(len(seats)):
        s = states[i]
        h = hiddens[i]
        start = first_of(table, i)
        board = sitting.first + i
        draw_board(table, s, h, sitting.dice, room, sitting.seed, board)
        deal(table, s, h, room, board % table.seats)
        for seat in range(table.seats):
            m = mine[start + seat]
            m.rng = sitting.dice[seat]
            clear_notes(m)
            kind = sitting.lineup[(seat - sitting.room + table.seats) % table.seats]
            if kind == DRAWN:
                kind = pool[below(m, len(pool))]
            kinds[start + seat] = kind
        seat = to_agent(table, s, h, mine, kinds, start, i, agents, told, notes)
        seats[i] = seat
        if seat >= 0:
            m = mine[start + table.seats]
            look(s, h, m, seat)
            write_rows(table, s, h, m, i, observations, oracles)
            write_mask(table, s, h, room, masks, choices, i)


@kernel
def note_rooms(
    table: RuleTable, states: Sequence[State], room: int, sums: list[int], margins: list[int]
) -> None:
    """Add the finished hands of a room to the sums, and write down their margins."""
    for i in range(len(margins)):
        margins[i] = note_room(table, states[i], room, sums)
