"""Rook for researchers' tools, whose names are registered when this is imported.

``gymnasium.make("rookery/Rook-v0")`` and ``make_vec`` have one seat among bots;
``pettingzoo.make("aec", "rookery/rook-v0")`` and `rook_v0` have all seats as agents. They need
``rookery-cards[rl]``. `rookery.envs.open_spiel` is for OpenSpiel, and needs
``rookery-cards[open-spiel]``.
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

if find_spec("pettingzoo"):
    import pettingzoo

    # Versions before 1.27 have no register; whoever wants Gymnasium alone may have one.
    if hasattr(pettingzoo, "aec_registry") and "rookery/rook-v0" not in pettingzoo.aec_registry:
        pettingzoo.register("aec", "rookery/rook-v0", entry_point="rookery.envs.rook_v0:env")
