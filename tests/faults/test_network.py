"""P13, P16: through a bad network everybody sees one order, and every answer is true."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.bad_network import storm
from tests.faults.proxy import ENDS

pytestmark = pytest.mark.slow


def test_one_order_explains_what_everybody_saw(tmp_path: Path) -> None:
    result = asyncio.run(storm(tmp_path, seconds=8, seed=1))
    assert result.found == []
    assert set(ENDS) <= result.faults.keys()
    assert result.faults["twice"] > 10
    assert result.acked > 100
    assert result.resent > 10
    assert result.lines > 60


def test_the_control_without_ids_a_resend_happens_twice(tmp_path: Path) -> None:
    result = asyncio.run(storm(tmp_path, seconds=4, seed=2, build="forgetful"))
    assert "twice" in result.kinds
