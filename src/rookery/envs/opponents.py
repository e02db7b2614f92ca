"""Bots of any kind beside one agent: those that search, the network, and programs of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from rookery.bots.names import bot_or_level
from rookery.bots.player import NoAnswer, Player, fallback_action
from rookery.cards import unpack
from rookery.engine.records import Attributes
from rookery.envs.tables import Tables
from rookery.game import BadAction, Hand, IllegalAction

DICE: Final = 1 << 62  # states of generators go from 1 to this


class Opponents:
    """Bots in all seats of a table but one. They are asked one action at a time, as at a table.

    For that the hand is followed beside the compiled table, where all seats are agents.

    Attributes:
        reward: what hands that ended since the agent's last action were worth to it, points.
    """

    def __init__(self, tables: Tables, names: Sequence[str], seat: int) -> None:
        """Take a single table, the bots to draw from for each seat and hand, and the agent's seat.

        Raises:
            UnknownBot: there is no such bot.
        """
        self._tables = tables
        self._bots = [bot_or_level(name) for name in names]
        self._seat = seat
        self._seated: dict[tuple[int, int], Player] = {}
        self._players: dict[int, Player] = {}
        self.reward = 0

    def begin(self, dice: np.random.Generator) -> None:
        """Play a hand that was dealt up to the agent's first decision.

        One that ends before that is nobody's doing, and the next is dealt.
        """
        self._dice = dice
        with self._or_nothing():
            self._sit_down()
            self._play_on()
            while self._hand.phase == "done":
                following = (self._hand.dealer + 1) % self._tables.rules.seats
                self._tables.begin(int(dice.integers(DICE)), following)
                self._sit_down()
                self._play_on()

    def answer(self, action: Any) -> None:  # noqa: ANN401  (anything that is a whole number)
        """Do the agent's action, and play on until it has to act again or the episode is over.

        Raises:
            TypeError: it is no whole number.
            IllegalAgentAction: it is not legal; nothing was done then.
        """
        self._tables.act(action)
        self.reward = 0
        with self._or_nothing():
            self._follow(int(action))
            self._play_on()
            while self._hand.phase == "done" and self._tables.seats[0] >= 0:  # a match goes on
                self._sit_down()
                self._play_on()

    def close(self) -> None:
        """Let all bots leave: nothing that they have started goes on running."""
        for player in self._seated.values():
            player.close()
        self._seated.clear()

    def _sit_down(self) -> None:
        """Follow a hand that has just been dealt, with bots drawn for it."""
        rules = self._tables.rules
        s, h = Attributes(self._tables.states[0]), Attributes(self._tables.hiddens[0])
        # The rules may have given the nest to somebody before anybody spoke.
        nest = int(h.pickup) or int(h.nest)
        order = [card for seat in range(rules.seats) for card in unpack(int(h.hand[seat]) & ~nest)]
        if rules.blind:
            order += [int(card) for card in h.blind[: rules.hand_size]]
        face_up = int(s.face_up) & nest
        order += [*unpack(face_up), *unpack(nest & ~face_up)]
        self._hand = Hand(rules, int(s.dealer), order, None)
        self._players = {}
        totals = self._tables.totals[0].tolist() if self._tables.match else ()
        for seat in range(rules.seats):
            if seat != self._seat:
                which = int(self._dice.integers(len(self._bots)))
                if (which, seat) not in self._seated:
                    self._seated[which, seat] = self._bots[which].seated(rules, seat)
                self._players[seat] = self._seated[which, seat]
                dice = int(self._dice.integers(1, DICE))
                self._players[seat].begin(self._hand, dice, totals)

    @contextmanager
    def _or_nothing(self) -> Iterator[None]:
        """Have no hand under way after a bot has failed: none of us could follow it."""
        try:
            yield
        except BaseException:
            self._tables.seats[0] = -1
            raise

    def _follow(self, number: int) -> None:
        """Do with the hand what was done at the table."""
        # What others do next writes the rewards anew: of a match, a hand may lie between.
        self.reward += int(self._tables.rewards[0, self._seat])
        self._hand = self._hand.do(number)
        if self._hand.over:
            for player in self._players.values():
                player.finish(self._hand)

    def _play_on(self) -> None:
        """Let bots act until the agent has to, or the hand is over; one cancelled is none."""
        while self._hand.phase != "done":
            if self._hand.over:
                self._sit_down()
            hand, seat = self._hand, int(self._tables.seats[0])
            if seat == self._seat:
                return
            try:
                numbers = hand.numbers_of(self._players[seat].act(hand))
            except (BadAction, IllegalAction, NoAnswer):
                numbers = hand.numbers_of(fallback_action(hand))
            for number in numbers:
                self._tables.act(number)
                self._follow(number)
