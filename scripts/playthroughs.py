"""Write a playthrough of every variant in OpenSpiel, by which a change in what it does shows.

    python -m scripts.playthroughs

Each is a hand of random actions, a line an action: who acted, what, among how many, and a hash of
all that OpenSpiel can ask of the state and what each player sees of it. Every tenth state is
written out as the player to act sees it. A test plays all of them again.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).resolve().parents[1] / "tests" / "envs" / "playthroughs"
WRITTEN_OUT: Final = 10
DEALS: Final = 4


def games() -> dict[str, str]:
    """Return the games of which there is a playthrough, by the names of the files."""
    from rookery.rules import catalog

    named = {name: f"rook(deals={DEALS},rules={name})" for name in catalog()}
    return {**named, "mini_rook": "mini_rook"}


def hash_of(state: Any, observers: list[Any]) -> str:  # noqa: ANN401
    """Return a hash of a state and of what every player sees of it: 12 hex digits."""
    digest = hashlib.sha256(f"{state}\n{state.history()}\n{state.legal_actions()}".encode())
    if not state.is_chance_node():
        digest.update(f"{state.rewards()} {state.returns()}".encode())
        for observer in observers:
            for player in range(state.num_players()):
                observer.set_from(state, player)
                digest.update(observer.tensor.tobytes())
                digest.update(observer.string_from(state, player).encode())
    return digest.hexdigest()[:12]


def lines_of(name: str) -> Iterator[str]:
    """Yield the lines of a game's playthrough."""
    import pyspiel

    import rookery.envs.open_spiel  # noqa: F401  (registers the games)

    game = pyspiel.load_game(games()[name])
    kinds = [
        pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
        for recall in (False, True)
        for public, private in (
            (True, pyspiel.PrivateInfoType.SINGLE_PLAYER),
            (True, pyspiel.PrivateInfoType.NONE),
            (False, pyspiel.PrivateInfoType.SINGLE_PLAYER),
        )
    ]
    observers = [game.make_py_observer(kind) for kind in kinds]
    yield f"game: {game}"
    yield f"players: {game.num_players()}"
    yield f"actions: {game.num_distinct_actions()}"
    yield f"utility: {game.min_utility():.0f} to {game.max_utility():.0f}"
    yield f"longest: {game.max_game_length()}"
    yield f"observation: {game.observation_tensor_size()} numbers"
    yield f"information state: {game.information_state_tensor_size()} numbers"
    yield ""
    dice = random.Random(name)  # noqa: S311  (a game)
    state, number = game.new_initial_state(), 0
    while not state.is_terminal():
        player = state.current_player()
        if player >= 0 and number % WRITTEN_OUT == 1:
            yield f"# {state.information_state_string(player)}"
            yield f"# {state.observation_string(player)}"
        legal = state.legal_actions()
        action = dice.choice(legal)
        words = state.action_to_string(player, action)
        what = f"{words} ({action} of {len(legal)})"
        yield f"{number} player {player}: {what} {hash_of(state, observers)}"
        state.apply_action(action)
        number += 1
    yield f"returns: {state.returns()} {hash_of(state, observers)}"


def playthrough(name: str) -> str:
    """Return a game's playthrough as a text."""
    return "".join(f"{line}\n" for line in lines_of(name))


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name in games():
        (FOLDER / f"{name}.txt").write_text(playthrough(name), "utf-8")


if __name__ == "__main__":
    main()
