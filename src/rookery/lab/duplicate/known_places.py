"""Where known bots stand between `random` and `open-hand`, for the report of a match.

The figures are those of the published league. ``python -m benchmarks.ladder.ladder docs`` writes
them again, with the page about the bots.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

FLOOR: Final = "random"
CEILING: Final = "open-hand"
FILE: Final = "known_places.json"


def place_of(rules: str, name: str) -> float | None:
    """Return where a bot stands at a game: `random` is 0, `open-hand` is 100, percent.

    None where the published league lacks the game, or the bot with these options. The time limit
    ``ms`` is not compared.

    >>> place_of("kd_tournament", "random"), place_of("kd_tournament", "open-hand")
    (0.0, 100.0)
    >>> place_of("kd_tournament", "exec:mine") is None
    True
    >>> place_of("wanamingo", "expert:ms=9") == place_of("wanamingo", "expert")
    True
    """
    words = [word for word in name.split(":") if not word.startswith("ms=")]
    return _kept().get(rules, {}).get(":".join(words))


def where_they_stand(rules: str, names: Sequence[str]) -> str:
    """Return one or two sentences for a report on where bots stand at a game.

    >>> where_they_stand("my rules", ["papa"])  # doctest: +ELLIPSIS
    'Where they stand between random play and seeing all cards has not been measured ...'
    """
    places = {name: place_of(rules, name) for name in names}
    known = [f"{name} at {at:.0f}" for name, at in places.items() if at is not None]
    if known:
        return (
            "On the way from random play (0) to seeing all cards (100), in the kept league of this "
            f"game: {', '.join(known)}."
        )
    return (
        "Where they stand between random play and seeing all cards has not been measured for this "
        f"game: a league of them with {FLOOR} and {CEILING} would tell."
    )


@cache
def _kept() -> dict[str, dict[str, float]]:
    text = files("rookery.lab.duplicate").joinpath(FILE).read_text("utf-8")
    kept: dict[str, dict[str, float]] = json.loads(text)
    return kept
