"""P2: the power goes with the process, and only what was synced is left."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from tests.faults import power
from tests.faults.campaign import TABLES, campaign

from rookery.server.store.sqlite import FILE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(power.absent(), reason="needs Linux and gcc, for the disk"),
]


def test_a_power_cut_loses_nothing(tmp_path: Path) -> None:
    shim = power.shim(tmp_path)
    result = asyncio.run(campaign(tmp_path / "data", rounds=3, seed=5, shim=shim))
    assert result.found == []
    assert (result.rounds, result.torn, result.lost) == (3, 2, 0)
    assert result.acked > 100


def test_the_control_without_a_sync_at_every_commit_it_does(tmp_path: Path) -> None:
    shim = power.shim(tmp_path)
    # A kill alone does not show it: the system still has what was written.
    killed = asyncio.run(campaign(tmp_path / "killed", 1, 6, "normal", tables=TABLES[:4]))
    cut = asyncio.run(campaign(tmp_path / "cut", 2, 6, "normal", shim, tables=TABLES[:4]))
    assert killed.found == []
    assert cut.lost > 0


def test_of_a_file_a_cut_leaves_what_was_synced_or_pages_of_it(tmp_path: Path) -> None:
    live = tmp_path / FILE
    durable = tmp_path / f"{FILE}.durable"
    outcomes = set()
    for seed in range(40):
        live.write_bytes(b"n" * 8192)
        durable.write_bytes(b"o" * 8192)
        power.cut(tmp_path, Random(seed), torn=seed % 2 == 0)
        outcomes.add(live.read_bytes()[::4096])
    assert outcomes == {b"oo", b"no", b"on", b"nn"}
