"""What a player sees as lists of numbers, which OpenSpiel's tensors are in Python.

They are the numbers of `RookObserver`. Nearly all of them are 0: a list of zeros is copied, and the
rest is written into it, which takes a fifth of the time that an array takes to become a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rookery.cards import CARDS, unpack
from rookery.envs.observations.compact import words_of
from rookery.envs.positions import Positions, dealt_to, done, is_known_to
from rookery.rules.table import compile_rules

OF_ACT: Final = 3  # numbers of something that was done


def rows_of_done(
    position: bytes, seats: int, seat: int, *, private: bool = True, public: bool = True
) -> Iterator[tuple[int, int, int]]:
    """Yield what a seat was told of each thing that was done; see `RookObserver.dict`."""
    for one in done(position):
        own = private and one.place == seat
        known = is_known_to(one, seat if private else -1)
        if public or (own and not is_known_to(one, -1)):
            place = (one.place - seat) % seats if one.place < seats else seats
            yield 1 + place, 1 + one.phase, 1 + one.action if known else 0


class Tensors:
    """The tensors of a game's states."""

    def __init__(self, positions: Positions, most_done: int) -> None:
        """Take positions, and how many things are done in a hand at most."""
        self._positions, self._seats = positions, positions.rules.seats
        self._size = self._seats + 8 * words_of(compile_rules(positions.rules))
        self._seen = [0.0] * self._size
        self._all = [0.0] * (self._size + CARDS + OF_ACT * most_done)

    def observation(self, position: bytes, player: int) -> list[float]:
        """Return what a player sees now; zeros before the deal."""
        return self._written(self._seen.copy(), position, player)

    def information_state(self, position: bytes, player: int) -> list[float]:
        """Return what a player sees, with the cards it was dealt and all that was done."""
        numbers = self._written(self._all.copy(), position, player)
        if len(position) > 1:
            for card in unpack(dealt_to(position)[player]):
                numbers[self._size + card] = 1.0
            rows = rows_of_done(position, self._seats, player)
            history = [float(number) for row in rows for number in row]
            at = self._size + CARDS
            numbers[at : at + len(history)] = history
        return numbers

    def _written(self, numbers: list[float], position: bytes, player: int) -> list[float]:
        seats = self._seats
        numbers[player] = 1.0
        ones, others = self._positions.seen_ones(position, player)
        for at in ones:
            numbers[seats + at] = 1.0
        for one in others:
            numbers[seats + (one & 0xFFFF)] = float(one >> 16)
        return numbers
