"""P13, P16: through a bad network everybody sees one order, and every answer is true."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.bad_network import Storm, storm
from tests.faults.proxy import ENDS, Weather

pytestmark = pytest.mark.slow


def enough(seen: Storm) -> bool:
    """Return whether there was every kind of weather, and people did something in it."""
    much = seen.faults["twice"] > 10 and seen.acked > 100 and seen.resent > 10 and seen.lines > 60
    return much and set(ENDS) <= seen.faults.keys()


def test_one_order_explains_what_everybody_saw(tmp_path: Path) -> None:
    result = asyncio.run(storm(tmp_path, seconds=8, seed=1, until=enough))
    assert result.found == []
    assert enough(result), result


def test_the_control_without_ids_a_resend_happens_twice(tmp_path: Path) -> None:
    # Everything arrives twice, so that it hangs on no chance whether some talk does.
    result = asyncio.run(
        storm(
            tmp_path,
            seconds=1,
            seed=2,
            build="forgetful",
            weather=Weather(twice=1.0),
            until=lambda seen: seen.acked > 100,
        )
    )
    assert "twice" in result.kinds
