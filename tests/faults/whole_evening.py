"""Evenings in full: what `whole` runs against real servers."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from tests.faults.promises import Control, Result
from tests.faults.scorers import Scored, scoring

KILLS: Final = 200
CHUNK: Final = 20


def scores(size: int, seed: int, done: int) -> list[Result]:
    """Kill a server so often while phones write scores, and cut their networks as often; P27."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        control = None if done else _control(folder, seed)
        seen = asyncio.run(scoring(folder / "sound", size, size, seed + done))
    return score_results(seen, seed, time.perf_counter() - began, control)


def _control(folder: Path, seed: int) -> Control:
    early = asyncio.run(scoring(folder / "early", 6, 0, seed, build="early scores"))
    fresh = asyncio.run(scoring(folder / "fresh", 6, CHUNK, seed, fresh=True))
    return Control(
        "an answer before the commit, and phones with a new id for each time they send",
        bool(early.lost and fresh.twice),
        {"lost": len(early.lost), "there twice": len(fresh.twice)},
    )


def score_results(seen: Scored, seed: int, seconds: float, control: Control | None) -> list[Result]:
    """Return the results of P27 that a campaign comes to."""
    shared: dict[str, Any] = {
        "promise": "P27",
        "full": KILLS,
        "held": seen.sound,
        "seed": seed,
        "command": "scripts/promises --only P27",
        "note": "; ".join((seen.lost + seen.twice + seen.wrong)[:1]),
    }
    return [
        Result(
            part="kills",
            unit="kills",
            size=seen.kills,
            seconds=seconds,
            control=control,
            counts={
                "scores acknowledged": seen.acked,
                "sent again": seen.resent,
                "lost": len(seen.lost),
                "there twice": len(seen.twice),
                "not shown as they were said last": len(seen.wrong),
            },
            **shared,
        ),
        Result(
            part="cut networks",
            unit="cut networks",
            size=seen.cuts,
            seconds=0.0,
            control=None,
            counts={"lost": len(seen.lost), "there twice": len(seen.twice)},
            **shared,
        ),
    ]


CAMPAIGNS: Final = {"scores": (("P27-kills", "P27-cut-networks"), KILLS, CHUNK, scores)}
