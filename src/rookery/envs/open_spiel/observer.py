"""What a player sees of a hand, for OpenSpiel: numbers, named pieces of them, and words.

The numbers are those of `rookery.envs.observations.compact`. With perfect recall the cards that the
seat was dealt and all that was done are added, in the order in which it was done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyspiel

from rookery.cards import CARDS, card_name, pack_cards, unpack
from rookery.engine.state import PHASES
from rookery.envs.observations.compact import EACH, FIXED, places_of
from rookery.envs.open_spiel.setting import Setting
from rookery.envs.open_spiel.state import RookState
from rookery.envs.open_spiel.tensors import OF_ACT, rows_of_done
from rookery.envs.open_spiel.words import told_in_words
from rookery.game.action import call_words
from rookery.rules.table import compile_rules

_CODES: Final = {field.name: field.code for field in (*FIXED, *EACH)}
_CARDS: Final = 8  # words of a set of cards
PRIVATE: Final = tuple(  # fields that are written from what the seat alone knows
    name for name, code in _CODES.items() if isinstance(code, str) and code.startswith("m.")
)


def _plain(name: str) -> str:
    """Return the name of a field without its place: ``played`` of ``played[1]``."""
    return name.partition("[")[0]


class RookObserver:
    """A player's view, as OpenSpiel's observers are.

    Attributes:
        tensor: float32, all numbers; written in place by `set_from`.
        dict: the same memory in named pieces: ``player``; the fields of an observation
            (``hand``, ``played[1]``); with perfect recall ``dealt``, and ``history``, a row for
            each thing that was done: 1 and whose turn it was (places from the seat's own on,
            clockwise), 1 and the phase, 1 and the action's number; 0 for a card that the seat
            cannot see, and where nothing was done yet.
    """

    def __init__(
        self,
        setting: Setting,
        kind: Any = None,  # noqa: ANN401  (pyspiel has no types)
        params: Mapping[str, Any] | None = None,
    ) -> None:
        """Make an observer of a kind, OpenSpiel's ``IIGObservationType``; no parameter is known.

        Without a kind it sees what a player sees now.

        Raises:
            ValueError: a parameter, or a kind that shows the cards of all players.
        """
        if params:
            raise ValueError(f"observation parameters {dict(params)}; expected none")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("private_info ALL_PLAYERS; expected SINGLE_PLAYER or NONE")
        self._setting = setting
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._public, self._recall = kind.public_info, kind.perfect_recall
        self._places = {
            name: where
            for name, where in places_of(compile_rules(setting.rules)).items()
            if (self._private if _plain(name) in PRIVATE else self._public)
        }
        shapes: dict[str, tuple[int, ...]] = {"player": (setting.rules.seats,)}
        shapes |= {name: (where.stop - where.start,) for name, where in self._places.items()}
        if self._recall:
            shapes |= {"dealt": (CARDS,)} if self._private else {}
            shapes["history"] = (setting.most_done, OF_ACT)
        sizes = {name: int(np.prod(shape)) for name, shape in shapes.items()}
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(sizes.values()), np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        at = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[at : at + sizes[name]].reshape(shape)
            at += sizes[name]
        taken = [np.arange(where.start, where.stop) for where in self._places.values()]
        self._taken = np.concatenate(taken) if taken else np.zeros(0, np.int64)
        first = setting.rules.seats
        self._row = self.tensor[first : first + len(self._taken)]

    def set_from(self, state: RookState, player: int) -> None:
        """Write what a player sees of a state into `tensor`; zeros before the deal."""
        # What everybody sees looks the same to everybody: as from seat 0.
        seat = player if self._private else 0
        self.tensor.fill(0)
        if not self._private and not self._public:
            return
        if self._private:
            self.dict["player"][player] = 1
        position, positions = state.position, self._setting.positions
        self._row[:] = positions.seen(position, seat)[self._taken]
        if not self._recall or len(position) == 1:
            return
        if self._private:
            dealt = positions.told(position, seat).dealt
            self.dict["dealt"][:] = [dealt >> card & 1 for card in range(CARDS)]
        told = rows_of_done(
            position, self._setting.rules.seats, seat, private=self._private, public=self._public
        )
        for i, numbers in enumerate(told):
            self.dict["history"][i] = numbers

    def string_from(self, state: RookState, player: int) -> str:
        """Return what a player sees of a state in words; nothing before the deal."""
        position = state.position
        if len(position) == 1:
            return ""
        if self._recall:
            told = told_in_words(
                self._setting, position, player, private=self._private, public=self._public
            )
            return ", ".join(told)
        seat = player if self._private else 0
        row = self._setting.positions.seen(position, seat)
        words = [f"seat {player}"] if self._private else []
        for name, where in self._places.items():
            values = row[where]
            if values.any():
                words.append(f"{name} {self._in_words(_plain(name), values)}")
        return ", ".join(words)

    def _in_words(self, name: str, values: npt.NDArray[np.int8]) -> str:
        """Return the numbers of a field as names of cards, or whatever they are."""
        if not isinstance(_CODES[name], str):
            return " ".join(map(str, np.trim_zeros(values, "b").tolist()))
        ones = np.flatnonzero(values).tolist()
        if len(values) == 8 * _CARDS:
            pack = self._setting.rules.pack
            return " ".join(card_name(card, pack) for card in unpack(pack_cards(ones)))
        if name == "phase":
            return PHASES[ones[0]]
        if name == "call":
            return call_words(self._setting.rules.pack)[ones[0]]
        return " ".join(map(str, ones))
