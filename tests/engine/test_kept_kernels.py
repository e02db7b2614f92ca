"""The kernels' code is made once for all that is built of it, and never taken when it is stale."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from scripts.native import __main__ as native

pytest.importorskip("numba")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Put a stand-in for the process that compiles; return how often it was asked."""
    asked: list[int] = []

    def run(*_: object, **__: object) -> SimpleNamespace:
        asked.append(len(asked))
        return SimpleNamespace(stdout=b"code %d" % len(asked))

    monkeypatch.setattr(native, "subprocess", SimpleNamespace(run=run, PIPE=None))
    return asked


def test_the_code_is_made_once_and_again_when_it_has_to_be(made: list[int], tmp_path: Path) -> None:
    kept, wanted = tmp_path / "new" / "kernels.bc", {"builder": "0", "kernels": {}}
    first = native.kernels(wanted, kept=kept)
    assert native.kernels(wanted, kept=kept) == first
    assert made == [0]
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]
    # Whatever the library says of itself differently.
    assert native.kernels({**wanted, "builder": "1"}, kept=kept) != first
    assert native.kernels({**wanted, "builder": "1"}, force=True, kept=kept) != first
    assert len(made) == 3
    for spoilt in (kept.read_bytes()[:-1], kept.read_bytes() + b"0", b"", b"text"):
        kept.write_bytes(spoilt)
        native.kernels(wanted, kept=kept)
        native.kernels(wanted, kept=kept)
    assert len(made) == 7


@pytest.mark.parametrize(
    "name", ["lower.py", "kernels.py", "specialise.py", "numba.py", "whole.py"]
)
def test_what_makes_the_code_is_part_of_what_the_library_says(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = native.contents()["builder"]
    (changed,) = (path for path in native._BUILDER if path.name == name)
    other = tmp_path / name
    other.write_bytes(changed.read_bytes() + b"\n")
    paths = [other if path == changed else path for path in native._BUILDER]
    monkeypatch.setattr(native, "_BUILDER", tuple(paths))
    assert native.contents()["builder"] != before
