"""Rook as a game of OpenSpiel, by any rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pyspiel

from rookery.engine.actions import ACTIONS
from rookery.envs.open_spiel.observer import RookObserver
from rookery.envs.open_spiel.setting import EXPLICIT, PARAMETERS, Setting
from rookery.envs.open_spiel.state import RookState
from rookery.rules import RulesError, load

MINI: Final = Path(__file__).with_name("mini.toml")


def _type_of(name: str, title: str, players: int, parameters: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Return what OpenSpiel wants to know of all games of a name, for up to so many players."""
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        # Sampled chance, too, is a choice among outcomes that are listed: in OpenSpiel's own mode
        # of that name the game keeps a generator, which games in Python cannot hand over.
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(parameters),
    )


class RookGame(pyspiel.Game):
    """One hand of Rook, for as many players as the rules have; see `rookery.envs.open_spiel`.

    Attributes:
        setting: rules and parameters, and what follows from them.
    """

    kind: Any = _type_of("rook", "Rook", 8, PARAMETERS)

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Make the game that OpenSpiel's parameters name.

        Raises:
            pyspiel.SpielError: no such rules, dealer, seed or deals.
        """
        self.setting = self._setting_of({**PARAMETERS, **(params or {})})
        rules = self.setting.rules
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=self.setting.drawn_anew + 1,
            num_players=rules.seats,
            min_utility=-float(self.setting.most_points),
            max_utility=float(self.setting.most_points),
            utility_sum=0.0,
            max_game_length=self.setting.most_decisions,
        )
        super().__init__(self.kind, info, dict(params or {}))

    def _setting_of(self, given: Mapping[str, Any]) -> Setting:
        """Return the setting that parameters name."""
        try:
            rules = load(given["rules"])
        except RulesError as error:
            raise pyspiel.SpielError(f"rules={given['rules']}: {error}") from None
        return Setting(rules, given)

    def new_initial_state(self) -> RookState:
        """Return a hand that has not been dealt."""
        return RookState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> RookObserver:  # noqa: ANN401
        """Return an observer; see `RookObserver` for what it takes and raises."""
        return RookObserver(self.setting, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        """Return 1: chance deals, and then no more."""
        return 1

    def __reduce__(self) -> tuple[Any, ...]:
        return loaded, (self.kind.short_name, self.get_parameters())


class MiniRookGame(RookGame):
    """A Rook small enough to be solved: two players, five cards, 30 deals, one explicit node."""

    kind = _type_of("mini_rook", "Mini-Rook", 2, {"dealer": 0})

    def _setting_of(self, given: Mapping[str, Any]) -> Setting:
        return Setting(load(MINI), {**given, "chance": EXPLICIT})


def loaded(name: str, params: Mapping[str, Any]) -> RookGame:
    """Return a game of those registered here."""
    game: RookGame = pyspiel.load_game(name, params)
    return game


pyspiel.register_game(RookGame.kind, RookGame)
pyspiel.register_game(MiniRookGame.kind, MiniRookGame)
