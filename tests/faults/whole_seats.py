"""What many cookies, leaving hosts, reloads and restores come to, in full."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

from tests.faults import restores as whole_restores
from tests.faults.promises import Control, Result
from tests.faults.restores import PLANTED as FORGOTTEN
from tests.faults.restores import restored
from tests.faults.strangers import PLANTED, besieged

ATTEMPTS: Final = 1_000_000
RESTORES: Final = 1_000
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


def restores(size: int, seed: int, done: int) -> list[Result]:
    """Bring so many databases back, and look for what was known before; P23."""
    began = time.process_time()
    with TemporaryDirectory() as folder:
        seen = restored(Path(folder), size, seed + done)
        control = None if done else _known_on(Path(folder), seed)
    return [
        Result(
            promise="P23",
            part="",
            unit="restores",
            size=seen.restores,
            full=RESTORES,
            held=not seen.wrong,
            counts={
                **{f"by way: {name}": n for name, n in sorted(seen.ways.items())},
                **{f"in phase {name}": n for name, n in sorted(seen.phases.items())},
                "keys known before": seen.known,
                "what told of a card": len(seen.wrong),
            },
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P23",
            control=control,
            note="; ".join(seen.wrong[:3]),
        )
    ]


def _known_on(folder: Path, seed: int) -> Control:
    caught = 0
    for number, (name, (where, what, fault)) in enumerate(FORGOTTEN.items()):
        ways = ("client",) if name == "no mark is believed" else ("command",)
        with patch.object(where, what, fault), patch.object(whole_restores, "WAITED", 0.5):
            # The third of the phases has a hand under way.
            caught += bool(restored(folder / f"control {number}", 3, seed, ways).wrong)
    counts = {"faults planted": len(FORGOTTEN), "found": caught}
    return Control(", ".join(FORGOTTEN), caught == len(FORGOTTEN), counts)


CAMPAIGNS: Final = {
    "strangers": (("P24",), ATTEMPTS, 20_000, strangers),
    "restores": (("P23",), RESTORES, 100, restores),
}
