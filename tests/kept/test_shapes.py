"""What a server writes, one of 1.0 reads that has the same database while they are updated.

That one refuses an event or an entry with a field that it does not know, or of a kind that it does
not know. So what is new goes where it reads over it, or waits for a version of the database.
"""

from __future__ import annotations

import json

import pytest
from tests.kept.looks import HERE
from tests.kept.making.shapes import shapes

READ = json.loads((HERE / "v1_0" / "shapes.json").read_text("utf-8"))


@pytest.mark.parametrize("kind", sorted(READ))
def test_nothing_is_written_that_an_earlier_version_cannot_read(kind: str) -> None:
    written = shapes()[kind]
    assert written.keys() <= READ[kind].keys()
    assert {tag: {*names} - {*READ[kind][tag]} for tag, names in written.items()} == {
        tag: set() for tag in written
    }
