"""P23 in small: after a restore, nothing that was known before tells of a card."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.faults import restores
from tests.faults.restores import PHASES, PLANTED, WAYS, restored

SIZE = 2 * len(PHASES)


def test_nothing_that_was_known_tells_of_a_card(tmp_path: Path) -> None:
    seen = restored(tmp_path, SIZE, seed=23)
    assert seen.wrong == []
    assert seen.restores == SIZE
    assert min(seen.ways[way] for way in WAYS) >= 3
    assert {"lobby", "auction", "nest", "play", "between", "over"} <= seen.phases.keys()
    assert seen.known > 2 * SIZE


# Where no timeline begins, every way but the client's shows it, and that by its mark.
@pytest.mark.parametrize(
    ("fault", "way"),
    [
        *((fault, way) for fault in list(PLANTED)[:3] for way in WAYS if way != "client"),
        *((fault, "client") for fault in PLANTED if fault != "no timeline begins"),
    ],
)
def test_the_control_what_is_still_known_is_found(
    tmp_path: Path, fault: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, name, wrong = PLANTED[fault]
    monkeypatch.setattr(where, name, wrong)
    monkeypatch.setattr(restores, "WAITED", 0.5)
    # A hand is under way in the third of the phases.
    assert restored(tmp_path, 3, seed=23, ways=(way,)).wrong
