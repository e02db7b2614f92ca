"""Old versions stay what they were: their choices at fixed positions, number for number."""

from __future__ import annotations

import json
from pathlib import Path

from tests.search.version_goldens import choices

HERE = Path(__file__).parent


def test_version_1_searches_as_it_did() -> None:
    expected = json.loads((HERE / "version_1.json").read_text("utf-8"))
    found = [json.loads(json.dumps(one)) for one in choices({"version": "1"})]
    assert len(expected) > 100
    assert found == expected


def test_the_goldens_tell_versions_apart() -> None:
    # The control: another way to bid is not the same.
    expected = json.loads((HERE / "version_1.json").read_text("utf-8"))
    assert next(choices({"version": "1", "style": "bold"})) != expected[0]
