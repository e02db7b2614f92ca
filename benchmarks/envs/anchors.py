"""The environments of others, each as its own documentation steps it; `compare` runs this.

It runs in a virtual environment that has them and not Rookery.
"""

from __future__ import annotations

import random
from typing import Any, Final

from benchmarks.envs.timing import Entry, Step, main, open_spiel, petting_zoo

BATCH: Final = 4096  # of Pgx


def spiel(text: str) -> Step:
    """Return a hand of a game of OpenSpiel."""
    import pyspiel

    return open_spiel(pyspiel.load_game(text))


def python_spiel(module: str, text: str) -> Step:
    """Return a hand of a game of OpenSpiel that is written in Python."""
    from importlib import import_module

    import_module(f"open_spiel.python.games.{module}")
    return spiel(text)


def rlcard() -> Step:
    """Return a hand of RLCard's bridge."""
    import rlcard as package

    env: Any = package.make("bridge", config={"seed": 1})

    def step() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return step


def classic(name: str) -> Step:
    """Return rounds of a card game of PettingZoo's own."""
    from importlib import import_module

    return petting_zoo(import_module(f"pettingzoo.classic.{name}").env())


def pgx() -> Step:
    """Return steps of Pgx's bridge bidding, compiled whole, many tables at once.

    Its deals come with their double-dummy results from a large file. Which deals these are changes
    no speed, so they are drawn here, with made-up results.
    """
    import tempfile

    import jax
    import jax.numpy as jnp
    import numpy as np
    from pgx.bridge_bidding import BridgeBidding
    from pgx.experimental import act_randomly, auto_reset

    dice = np.random.default_rng(1)
    deals = 10_000
    # A deal is four numbers of 13 digits in base 4: who has each card of a suit.
    owners = np.stack([dice.permutation(np.repeat(np.arange(4), 13)) for _ in range(deals)])
    keys = (owners.reshape(deals, 4, 13) * 4 ** np.arange(12, -1, -1)).sum(axis=2)
    values = dice.integers(0, 1 << 20, (deals, 4))
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file, np.stack([keys, values]).astype(np.int32))
        file.flush()
        env = BridgeBidding(file.name)
    step_all = jax.vmap(auto_reset(env.step, env.init))
    steps = 16

    def run(state: Any, key: Any) -> tuple[Any, Any]:  # noqa: ANN401  (JAX's)
        def once(carry: Any, _: None) -> tuple[Any, None]:  # noqa: ANN401
            state, key = carry
            key, first, second = jax.random.split(key, 3)
            action = act_randomly(first, state.legal_action_mask)
            state = step_all(state, action, jax.random.split(second, BATCH))
            return (state, key), None

        return jax.lax.scan(once, (state, key), None, length=steps)[0]

    compiled = jax.jit(run)
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, BATCH))
    assert state.observation.shape == (BATCH, 480)
    held = [state, key]

    def step() -> int:
        held[:] = compiled(*held)
        jnp.asarray(held[0].observation).block_until_ready()
        return BATCH * steps

    return step


RLCARD: Final = ("pettingzoo", "rlcard", "numpy")
ENTRIES: Final = {
    "open_spiel bridge": Entry(
        ("open_spiel",), lambda: spiel("bridge(use_double_dummy_result=false)")
    ),
    "pgx bridge_bidding": Entry(("pgx", "jax", "jaxlib"), pgx),
    "rlcard bridge": Entry(("rlcard", "numpy"), rlcard),
    "pettingzoo leduc_holdem_v4": Entry(RLCARD, lambda: classic("leduc_holdem_v4")),
    "pettingzoo texas_holdem_v4": Entry(RLCARD, lambda: classic("texas_holdem_v4")),
    "pettingzoo texas_holdem_no_limit_v6": Entry(
        RLCARD, lambda: classic("texas_holdem_no_limit_v6")
    ),
    "open_spiel python_kuhn_poker": Entry(
        ("open_spiel",), lambda: python_spiel("kuhn_poker", "python_kuhn_poker")
    ),
    "open_spiel python_liars_poker": Entry(
        ("open_spiel",), lambda: python_spiel("liars_poker", "python_liars_poker")
    ),
}

if __name__ == "__main__":
    main(ENTRIES)
