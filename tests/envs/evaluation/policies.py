"""Policies for tests: they decide by what they are given alone, and always alike."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np

from rookery.engine.actions import PASS
from rookery.envs.hands import Seen


def steady(seen: Seen) -> int:
    """Do something legal that looks random and depends on every number of what is seen."""
    legal = np.flatnonzero(seen["action_mask"])
    return int(legal[crc32(seen["observation"].tobytes()) % len(legal)])


def steady_many(seen: Seen) -> Any:  # noqa: ANN401  (an array)
    """Do as `steady` at each table."""
    rows = zip(seen["observation"], seen["action_mask"], strict=True)
    return np.array([steady({"observation": row, "action_mask": mask}) for row, mask in rows])


def timid(seen: Seen) -> int:
    """Pass if possible, and else do the first that is legal: no bid, no overbid."""
    legal = np.flatnonzero(seen["action_mask"])
    return PASS if PASS in legal else int(legal[0])


class Watching:
    """Decides as `steady`, and keeps what it was given and told."""

    def __init__(self) -> None:
        self.given: list[Seen] = []
        self.told: list[str | None] = []

    def __call__(self, seen: Seen) -> int:
        self.given.append(dict(seen))
        return steady(seen)

    def meet(self, partner: str | None) -> None:
        self.told.append(partner)
