"""What many cookies, leaving hosts and reloads come to, in full."""

from __future__ import annotations

import asyncio
import time
from typing import Final
from unittest.mock import patch

from tests.faults.promises import Control, Result
from tests.faults.strangers import PLANTED, besieged

ATTEMPTS: Final = 1_000_000
SPOILED: Final = 24_000  # attempts with a fault, at most: it ends with the first that is found


def strangers(size: int, seed: int, done: int) -> list[Result]:
    """Try so many things that could bring somebody others' cards, seats or time; P24."""
    began = time.process_time()
    siege = asyncio.run(besieged(size, seed + done))
    answers = {f"answered {told}": n for told, n in sorted(_answers(siege.tried).items())}
    return [
        Result(
            promise="P24",
            part="",
            unit="attempts",
            size=siege.size,
            full=ATTEMPTS,
            held=not siege.wrong,
            counts={
                **answers,
                **{f"reloads in phase {name}": n for name, n in sorted(siege.phases.items())},
                "hands dealt": siege.hands,
                "times that a stranger was sent a hand, their own": siege.looked,
                "cards, seats or time of others": len(siege.wrong),
            },
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P24",
            control=None if done else _planted(seed),
            note="; ".join(siege.wrong[:3]),
        )
    ]


def _answers(tried: dict[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, n in tried.items():
        told = name.partition(": ")[2]
        if told:
            found[told] = found.get(told, 0) + n
    return found


def _planted(seed: int) -> Control:
    caught = 0
    for where, name, fault in PLANTED.values():
        with patch.object(where, name, fault):
            caught += bool(asyncio.run(besieged(SPOILED, seed)).wrong)
    counts = {"faults planted": len(PLANTED), "found": caught}
    return Control(", ".join(PLANTED), caught == len(PLANTED), counts)


CAMPAIGNS: Final = {"strangers": (("P24",), ATTEMPTS, 20_000, strangers)}
