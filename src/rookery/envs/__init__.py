"""Rook for researchers' tools: Gymnasium's names are registered when this is imported.

``gymnasium.make("rookery/Rook-v0")`` and ``make_vec`` have one seat among bots; `rook_v0` is for
PettingZoo, all seats as agents. Both need ``rookery-cards[rl]``. `rookery.envs.open_spiel` is for
OpenSpiel, and needs ``rookery-cards[open-spiel]``.
"""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("gymnasium"):
    from gymnasium.envs.registration import register, registry

    if "rookery/Rook-v0" not in registry:
        register(
            "rookery/Rook-v0",
            entry_point="rookery.envs.single:RookEnv",
            vector_entry_point="rookery.envs.vector:RookVectorEnv",
        )
