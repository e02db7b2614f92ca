"""Rook for OpenSpiel: importing this registers the games `rook` and `mini_rook`.

Needs ``rookery-cards[open-spiel]``.

>>> import pyspiel
>>> import rookery.envs.open_spiel
>>> game = pyspiel.load_game("rook(rules=kd_tournament)")
>>> state = game.new_initial_state()
>>> state.apply_action(7)  # the deal of seed 7
>>> state.current_player(), state.action_to_string(state.legal_actions()[0])
(1, 'bid 70')

| parameter | |
|---|---|
| `rules` | a variant, or the path of a rule file; ``kd_tournament`` where nothing is said |
| `chance` | ``sampled``: one node that chooses among seeds; ``explicit``: among all deals |
| `deals`, `seed` | of ``sampled``: how many seeds there are, and the first of them |
| `dealer` | the seat that deals |

A player is a seat, an action a number of `rookery.engine.actions`, and a game is one hand. What it
is worth is in `rookery.envs.tables.Tables.rewards`: points, and they add up to 0. A hand that the
rules cancel is worth 0 to everybody. `mini_rook` has two players, five cards and 30 deals: small
enough to be solved.

OpenSpiel cannot ask a game in Python for another world that a player holds possible: `resample`
gives one.
"""

from rookery.envs.open_spiel.game import MiniRookGame, RookGame
from rookery.envs.open_spiel.worlds import resample

__all__ = ["MiniRookGame", "RookGame", "resample"]
