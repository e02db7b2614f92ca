"""P25: what is dear is refused to whoever asks for it without end, and the control is found out."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.faults.price import flooded

pytestmark = pytest.mark.slow

HANDS = 12
SECONDS = 2.0


def test_what_is_dear_is_refused_and_the_control_gives_it_away(tmp_path: Path) -> None:
    sound = flooded(tmp_path, "replay", SECONDS, hands=HANDS)
    assert sound.answers[200] > 0
    assert sound.answers[429] > 0
    assert sound.waits
    free = flooded(tmp_path, "replay", SECONDS, "gratis", hands=HANDS)
    assert free.answers.keys() == {200}
