"""A hand of Rook as OpenSpiel's state: a position, and nothing else that has to be copied."""

from __future__ import annotations

from typing import Any, Final

import pyspiel

from rookery.engine.actions import ACTIONS
from rookery.engine.state import PHASES
from rookery.envs.acting import OVER
from rookery.envs.open_spiel.setting import Setting
from rookery.envs.open_spiel.words import acts_in_words, deal_in_words
from rookery.envs.positions import UNDEALT, choices, decider, lies_open, phase_of
from rookery.game.action import action_of
from rookery.rules.table import compile_rules

_CHANCE: Final = UNDEALT[0]
_OVER: Final = OVER & 0xFF
_NOTHING: Final = [0] * ACTIONS


class RookState(pyspiel.State):
    """A hand, from before the deal to its score.

    OpenSpiel copies every attribute of a state in Python when it clones one; so there is one, an
    object of bytes that need not be copied.

    Attributes:
        position: see `rookery.envs.positions`.
    """

    __slots__ = ("__dict__", "_setting")  # what stands in a slot is not copied

    position: bytes

    def __init__(self, game: Any) -> None:  # noqa: ANN401  (a `RookGame`)
        """Begin a hand of a game, not yet dealt."""
        super().__init__(game)
        self._setting: Setting = game.setting
        self.position = UNDEALT

    def current_player(self) -> int:
        """Return the seat that decides, or what OpenSpiel has for chance and for the end."""
        return decider(self.position)

    def is_terminal(self) -> bool:
        """Return whether the hand is over."""
        return self.position[0] == _OVER

    def is_chance_node(self) -> bool:
        """Return whether the hand has not been dealt."""
        return self.position[0] == _CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return what the player, or else whoever is to act, may do, ascending."""
        if self.position[0] == _CHANCE:
            return list(range(len(self._setting.outcomes)))
        due = player is None or player == decider(self.position)
        return choices(self.position) if due else []

    def _legal_actions(self, player: int) -> list[int]:
        """Return what `legal_actions` does, for OpenSpiel's C++."""
        return choices(self.position)

    # What OpenSpiel gives for these is the same, but its way through C++ took most of a step.

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Return 1 for each action that the player, or else whoever is to act, may do, else 0."""
        seat = decider(self.position) if player is None else player
        if seat in self._setting.seats:
            mask = _NOTHING.copy()
            if seat == decider(self.position):
                for action in choices(self.position):
                    mask[action] = 1
            return mask
        if self.position[0] == _CHANCE and seat != pyspiel.PlayerId.CHANCE:
            # OpenSpiel would write all outcomes of chance into a mask that has no room for them.
            raise pyspiel.SpielError(f"player {seat}: expected 0 to {self._setting.seats[-1]}")
        return super().legal_actions_mask(seat)  # type: ignore[no-any-return]

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return what the player, or else whoever is to act, sees now."""
        seat = decider(self.position) if player is None else player
        if seat in self._setting.seats:
            return self._setting.tensors.observation(self.position, seat)
        return super().observation_tensor(seat)  # type: ignore[no-any-return]

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return what the player, or else whoever is to act, sees, with all that was done."""
        seat = decider(self.position) if player is None else player
        if seat in self._setting.seats:
            return self._setting.tensors.information_state(self.position, seat)
        return super().information_state_tensor(seat)  # type: ignore[no-any-return]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals and how likely each of them is, all alike."""
        return self._setting.outcomes.copy()

    def _apply_action(self, action: int) -> None:
        """Deal, or do what the seat to act has chosen."""
        if len(self.position) == 1:
            self.position = self._setting.dealt(action, self.__dict__.pop("order", None))
            return
        after = self._setting.positions.after(self.position, action)
        if after is None:
            raise pyspiel.SpielError(self._refusal(action))
        self.position = after

    def _refusal(self, action: int) -> str:
        if self.is_terminal():
            return f"action {action}: the hand is over; begin another with new_initial_state()"
        phase = PHASES[phase_of(self.position)]
        return (
            f"player {self.current_player()}: action {action} is not legal in the phase {phase};"
            f" expected one of {choices(self.position)}, see legal_actions_mask()"
        )

    def _action_to_string(self, player: int, action: int) -> str:
        """Return an action as a record has it, without its seat: ``bid 75``."""
        if player == pyspiel.PlayerId.CHANCE:
            return deal_in_words(self._setting, action)
        rules = self._setting.rules
        phase = phase_of(self.position)
        return action_of(compile_rules(rules), phase, 0, action, rules.pack).words

    def returns(self) -> list[float]:
        """Return what the hand is worth to each player, points; 0 until it is over."""
        return [float(points) for points in self._setting.positions.margins(self.position)]

    def __str__(self) -> str:
        """Return the hand as a text, all cards open."""
        if len(self.position) == 1:
            return "not dealt"
        rules = self._setting.rules
        score = lies_open(self.position, "score")[: rules.seats]
        over = f"\nscore {' '.join(map(str, score))}" if self.is_terminal() else ""
        return f"{acts_in_words(self._setting, self.position)}{over}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make the state again: OpenSpiel's own text of game and state."""
        return restored, (pyspiel.serialize_game_and_state(self.get_game(), self),)


def restored(text: str) -> RookState:
    """Return the state that a text of OpenSpiel's ``serialize_game_and_state`` holds."""
    state: RookState = pyspiel.deserialize_game_and_state(text)[1]
    return state
