"""Mirrored games: whole matches on the same deals, with the bots changing places between them.

A *set* is one series of deals, from which a whole game is played in each room. Deal `d` of set `n`
is board ``n * DEALS + d``, so the families of boards keep games apart as well. Seat 0 deals first;
a hand that ends without a score is dealt again by the same seat, with the next deal.

A side that wins a game alone has won `WHOLE` parts of it. Sides that win together share them, and
so do all sides where nobody has won after `DEALS` deals.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from math import lcm
from typing import Final

import numpy as np

from rookery.bots.seat_info import SeatInfo, clear_notes
from rookery.cards import CARDS
from rookery.engine.deal import deal
from rookery.engine.kernel import kernel
from rookery.engine.match import add_scores, winners
from rookery.engine.state import DONE, Hidden, State
from rookery.game import Hand
from rookery.lab.duplicate import boards as at
from rookery.lab.duplicate.boards import draw_board, draw_cards, draw_dice, note_room, play_room
from rookery.lab.duplicate.by_hand import HandPlayed, Seats, play_hand
from rookery.lab.duplicate.job import LineupJob
from rookery.lab.run.jobs import Sums
from rookery.lab.run.programs import program, records, zeros
from rookery.rules.table import PLACES, RuleTable, compile_rules

# The sums of boards, of which those by bot are used, and then these places.
SETS, WON, WON_SQUARES, GAMES, SHARED, UNDECIDED, HANDS = range(at.WIDTH, at.WIDTH + 7)
WIDTH: Final = at.WIDTH + 7
WHOLE: Final = lcm(*range(1, PLACES + 1))
DEALS: Final = 256  # of a game at most
CHUNK: Final = 100  # sets; some tens of milliseconds of compiled play


@kernel
def play_sets(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    lineup: list[int],
    kinds: list[int],
    dice: list[int],
    order: list[int],
    total: list[int],
    rooms: int,
    seed: int,
    first: int,
    sets: int,
    sums: list[int],
) -> None:
    """Play sets `first` to `first` + `sets` - 1 of `seed`, adding to `sums`, shape (WIDTH,).

    `total` is room for each seat's total; the other arguments are those of `play_boards`.
    """
    for one in range(first, first + sets):
        won = 0
        for room in range(rooms):
            for seat in range(table.seats):
                kinds[seat] = lineup[(seat - room + table.seats) % table.seats]
                total[seat] = 0
            dealer = 0
            winning = 0
            for number in range(DEALS):
                draw_cards(table, s, h, order, seed, one * DEALS + number)
                draw_dice(table, dice, seed, one * DEALS + number)
                deal(table, s, h, order, dealer)
                for seat in range(table.seats):
                    mine[seat].rng = dice[seat]
                    clear_notes(mine[seat])
                play_room(table, s, h, mine, kinds, room, sums)
                winning = book_hand(table, s, room, total, sums)
                if winning:
                    break
                if s.phase == DONE:
                    dealer = (dealer + 1) % table.seats
            won += book_game(table, winning, room, sums)
        book_set(won, sums)


@kernel
def book_hand(table: RuleTable, s: State, room: int, total: list[int], sums: list[int]) -> int:
    """Add a finished hand to its game; return the mask of the seats that have won that, or 0."""
    note_room(table, s, room, sums)
    sums[HANDS] += 1
    if s.phase != DONE:
        return 0
    add_scores(table, s, total)
    return winners(table, s, total)


@kernel
def book_game(table: RuleTable, winning: int, room: int, sums: list[int]) -> int:
    """Note a game that a mask of seats has won, or nobody; return how much of it is the first's."""
    sums[GAMES] += 1
    if not winning:
        sums[UNDECIDED] += 1
        winning = (1 << table.seats) - 1
    sides = 0
    seen = 0
    for seat in range(table.seats):
        if winning >> seat & 1 and not seen >> seat & 1:
            seen |= table.partners[seat]
            sides += 1
    if sides > 1:
        sums[SHARED] += 1
    # The first bot of the line-up sits in the seat with the number of the room.
    return WHOLE // sides if winning & table.partners[room] else 0


@kernel
def book_set(won: int, sums: list[int]) -> None:
    """Add how much the first bot's side has won in all rooms of a set."""
    sums[SETS] += 1
    sums[WON] += won
    sums[WON_SQUARES] += won * won


class Sets(LineupJob):
    """A job: sets of mirrored games of a line-up."""

    @property
    def chunk(self) -> int:
        """How many sets a worker takes at a time."""
        return 1 if self.kinds is None or self.target == "python" else CHUNK

    def count(self, first: int, size: int) -> Sums:
        """Return the sums of these sets, shape (WIDTH,)."""
        kinds, nothing = self.kinds, np.zeros(WIDTH, np.int64)
        if kinds is None:
            return sum((sums for _, sums in self.parts(first, size)), nothing)
        play, rules = program(self.target, play_sets, self.rules, frozenset(kinds))
        lineup, *lists, sums = zeros(self.target, PLACES, PLACES, PLACES, CARDS, PLACES, WIDTH)
        lineup[: len(kinds)] = kinds
        play(
            rules, *records(self.target), lineup, *lists,
            self.rooms, self.seed, self.skip + first, size, sums,
        )  # fmt: skip
        return np.array(sums, np.int64)

    def parts(self, first: int, size: int) -> Generator[tuple[int, Sums], None, None]:
        """Yield the sums of set after set, or of all of them where compiled code plays.

        Bots that play one action at a time are seated anew for each game.
        """
        if self.kinds is not None:
            yield size, self.count(first, size)
            return
        for one in range(self.skip + first, self.skip + first + size):
            sums = [0] * WIDTH
            book_set(sum(self._game(one, room, sums) for room in range(self.rooms)), sums)
            yield 1, np.array(sums, np.int64)

    def _game(self, one: int, room: int, sums: list[int]) -> int:
        """Play a game one action at a time; return how much of it the first bot's side has won."""
        rules, table = self.rules, compile_rules(self.rules)
        total, dice, order = [0] * table.seats, [0] * PLACES, [0] * CARDS
        dealer = winning = 0
        with closing(Seats(rules, self.lineup, self.deadline_ms)) as seats:
            for number in range(DEALS):
                board = one * DEALS + number
                draw_board(table, State(), Hidden(), dice, order, self.seed, board)
                dealt = Hand(rules, dealer, order[: table.cards], None)
                where = f"game {one + 1}, room {room + 1}, hand {number + 1}"
                hand, answered = play_hand(dealt, seats, room, dice, where, sums, tuple(total))
                winning = book_hand(table, hand.state, room, total, sums)
                if self.told is not None:
                    bots = seats.bots(room)
                    played = HandPlayed(one, room, number, bots, hand, answered, tuple(total))
                    self.told(played)
                if hand.phase == "done":
                    dealer = (dealer + 1) % table.seats
                if winning:
                    break
        return book_game(table, winning, room, sums)
