"""The boards of a match as a job: compiled, uncompiled, on a GPU, or one action at a time.

Bots without kernels, outside programs and search, play one action at a time. Their sums are those
of the compiled boards and are made by the same functions. A kernel bot scores the same either way.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

import numpy as np

from rookery.bots.names import Bot
from rookery.bots.player import BotFailed, NoAnswer, Player, fallback_action
from rookery.cards import CARDS
from rookery.engine.state import Hidden, State
from rookery.engine.targets import Target
from rookery.game import Action, BadAction, Hand, IllegalAction, Verb
from rookery.lab.duplicate import boards as at
from rookery.lab.duplicate.boards import (
    draw_board,
    note_board,
    note_room,
    play_boards,
    rooms_of,
    scale_of,
)
from rookery.lab.run.jobs import Sums
from rookery.lab.run.programs import program, records, zeros
from rookery.rules import Rules
from rookery.rules.table import PLACES, RuleTable, compile_rules

log = logging.getLogger("rookery.match")

CHUNK: Final = 4000  # boards; some milliseconds of compiled play
PLAIN_CHUNK: Final = 25  # boards that are played without compiled code
SEARCH_CHUNK: Final = 1  # board of bots that search for seconds: progress shows, little is lost
GPU_CHUNK: Final = 1 << 22
BINS_A_GAME: Final = 16  # bins of the histogram to the game's highest bid
DEADLINE: Final = 1000  # ms that an outside program has for an action


@dataclass(frozen=True)
class Boards:
    """A job: some boards of a line-up.

    Attributes:
        name: the job's name.
        units: how many boards.
        rules: the rules.
        lineup: the bots from seat 0 of the first room on, one a seat.
        seed: of all boards.
        skip: the number of the first board.
        target: where kernels run; never changes the result.
        by_hand: play one action at a time, as bots without kernels always do.
        deadline_ms: how long an outside program has for an action.
        company: numbers of further bots to compile for, so that a whole league compiles once.
        bound: compile for these rules and bots alone; this plays faster and compiles for seconds.
    """

    name: str
    units: int
    rules: Rules
    lineup: tuple[Bot, ...]
    seed: int
    skip: int = 0
    target: Target = "numba"
    by_hand: bool = False
    deadline_ms: int = DEADLINE
    company: tuple[int, ...] = ()
    bound: bool = True

    @property
    def kinds(self) -> tuple[int, ...] | None:
        """The bots' numbers in compiled code; None where a bot has none, or with `by_hand`."""
        numbers = [bot.kernel for bot in self.lineup]
        known = [number for number in numbers if number is not None]
        return None if self.by_hand or len(known) < len(numbers) else tuple(known)

    @property
    def chunk(self) -> int:
        """How many boards a worker takes at a time."""
        if any(bot.kernel is None and not bot.command for bot in self.lineup):
            return SEARCH_CHUNK
        if self.kinds is None or self.target == "python":
            return PLAIN_CHUNK
        return GPU_CHUNK if self.target == "cuda" else CHUNK

    @property
    def rooms(self) -> int:
        """How often each board is played."""
        return rooms_of(compile_rules(self.rules), self.lineup)

    def count(self, first: int, size: int) -> Sums:
        """Return the sums of these boards, shape (WIDTH,); see `rookery.lab.duplicate.boards`.

        Raises:
            BotFailed: a bot cannot play at all.
        """
        table, kinds, rooms = compile_rules(self.rules), self.kinds, self.rooms
        width = bin_width(table, rooms)
        if kinds is None:
            return np.array(self._sums_by_hand(rooms, width, self.skip + first, size), np.int64)
        numbers = (rooms, width, self.seed, self.skip + first, size)
        if self.target == "cuda":
            from rookery.lab.duplicate.boards_gpu import play_boards_on_gpu

            return play_boards_on_gpu(self.rules, kinds, *numbers)
        made_for = frozenset((*kinds, *self.company)) if self.bound else None
        play, rules = program(self.target, play_boards, self.rules, made_for)
        lineup, *lists, sums = zeros(self.target, PLACES, PLACES, PLACES, CARDS, at.WIDTH)
        lineup[: len(kinds)] = kinds
        play(rules, *records(self.target), lineup, *lists, *numbers, sums)
        return np.array(sums, np.int64)

    def _sums_by_hand(self, rooms: int, width: int, first: int, boards: int) -> list[int]:
        """Return the sums of boards played one action at a time, by bots that are seated anew."""
        table = compile_rules(self.rules)
        sums, dice, order = [0] * at.WIDTH, [0] * PLACES, [0] * CARDS
        seated: dict[tuple[int, int], Player] = {}
        with ExitStack() as leaving:
            for board in range(first, first + boards):
                draw_board(table, State(), Hidden(), dice, order, self.seed, board)
                result = squares = 0
                for room in range(rooms):
                    hand = Hand(self.rules, board % self.rules.seats, order[: table.cards], None)
                    players = []
                    for seat in range(self.rules.seats):
                        who = (seat - room) % self.rules.seats
                        if (who, seat) not in seated:
                            seated[who, seat] = self.lineup[who].seated(
                                self.rules, seat, self.deadline_ms
                            )
                            leaving.callback(seated[who, seat].close)
                        players.append(seated[who, seat])
                        players[seat].begin(hand, dice[seat])
                    hand = self._play(hand, players, room, board, sums)
                    for player in players:
                        player.finish(hand)
                    margin = note_room(table, hand.state, room, sums)
                    result += margin
                    squares += margin * margin
                note_board(result, squares, width, sums)
        return sums

    def _play(
        self, hand: Hand, players: Sequence[Player], room: int, board: int, sums: list[int]
    ) -> Hand:
        while (seat := hand.to_act) is not None:
            who = (seat - room) % len(players)
            own = at.BOTS + at.EACH * who
            why = None
            try:
                after = _done(hand, players[seat].act(hand))
            except (IllegalAction, BadAction) as error:
                sums[own + at.ILLEGAL] += 1
                why = error.reason
            except NoAnswer as error:
                why = str(error)
            except BotFailed:
                raise
            except Exception as error:  # the match goes on after any error of a bot
                why = f"{type(error).__name__}: {error}"
            if why is not None:
                sums[own + at.FALLBACKS] += 1
                action = fallback_action(hand)
                after = hand.act(action)
                log.warning(
                    "%s in seat %d, board %d, room %d: %s; it did %r instead",
                    *(self.lineup[who], seat, board, room + 1, why, action.words),
                )
            sums[at.DECISIONS] += _decisions(hand, after)
            hand = after
        return hand


def _done(hand: Hand, action: Action) -> Hand:
    """Return the hand after an action, which must be one of the seat whose turn it is."""
    if action.seat != hand.turn:
        raise IllegalAction("not-your-turn", f"'{action}' is not a move of seat {hand.turn}")
    return hand.act(action)


def _decisions(before: Hand, after: Hand) -> int:
    """Return how many engine actions the last action was; a discard is one for each card."""
    action = after.actions[-1]
    cards = len(action.cards)
    if action.verb is Verb.DISCARD:
        return cards
    if action.verb is Verb.CALL:
        return cards + (cards < before.table.called_cards)  # and "no further card"
    return 1


def bin_width(table: RuleTable, rooms: int) -> int:
    """Return the width of a bin of the histogram, in the unit of a board's results."""
    return max(1, table.bid_maximum // BINS_A_GAME) * scale_of(table, rooms)
