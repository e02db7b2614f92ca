"""Where known bots stand between `random` and `open-hand`, so that a match can say so.

The figures are those of the league that is kept; ``python -m rookery.lab.ladder docs`` writes them
anew with the page about the bots.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

FILE: Final = "known_places.json"


def place_of(rules: str, name: str) -> float | None:
    """Return where a bot stands at a game, `random` at 0 and `open-hand` at 100, percent.

    None where the kept league did not have the game, or the bot with these options. How long a bot
    may take is none of them.

    >>> place_of("kd_tournament", "random"), place_of("kd_tournament", "open-hand")
    (0.0, 100.0)
    >>> place_of("kd_tournament", "exec:mine") is None
    True
    >>> place_of("wanamingo", "expert:ms=9") == place_of("wanamingo", "expert")
    True
    """
    words = [word for word in name.split(":") if not word.startswith("ms=")]
    return _kept().get(rules, {}).get(":".join(words))


@cache
def _kept() -> dict[str, dict[str, float]]:
    text = files("rookery.lab").joinpath(FILE).read_text("utf-8")
    kept: dict[str, dict[str, float]] = json.loads(text)
    return kept
