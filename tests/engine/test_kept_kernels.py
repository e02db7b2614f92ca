"""The kernels' code is made once for all that is built of it, and never taken when it is stale."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from scripts.native import __main__ as native
from scripts.native import link
from scripts.native.machine import MACHINES, Machine

from rookery.engine import targets
from rookery.engine.targets.native import LIBRARY

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


def test_the_code_of_a_machine_is_made_once_for_all_who_link_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[str] = []

    def object_code(bitcode: bytes, machine: Machine) -> bytes:
        made.append(machine.name)
        return bitcode + machine.triple.encode()

    def write_library(code: bytes, path: Path, *_: object) -> None:
        path.write_bytes(code)

    monkeypatch.setattr(native, "LIBRARIES", tmp_path)
    monkeypatch.setattr(link, "object_code", object_code)
    monkeypatch.setattr(link, "write_library", write_library)
    one, other = (MACHINES[name] for name in ("linux-x86_64", "linux-aarch64"))
    for linker in (["cc"], None):
        native.build(b"code", one, tmp_path / "library", linker)
        assert (tmp_path / "library").read_bytes() == b"code" + one.triple.encode()
    assert made == [one.name]
    native.build(b"other code", one, tmp_path / "library")
    native.build(b"other code", other, tmp_path / "library")
    assert (tmp_path / "library").read_bytes() == b"other code" + other.triple.encode()
    native.build(b"other code", other, tmp_path / "library", force=True)
    assert made == [one.name, one.name, other.name, other.name]


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


@pytest.mark.parametrize("here", [True, False])  # the first is the control
def test_a_library_of_another_machine_is_stale_whatever_it_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, here: bool
) -> None:
    """A checkout that another machine has built in, or a folder that two of them share."""
    wanted = native.told_by(LIBRARY)
    if wanted is None:
        pytest.skip("python -m scripts.native builds what is tested")
    library = tmp_path / LIBRARY.name
    whole = LIBRARY.read_bytes()
    library.write_bytes(whole if here else b"\0" * 64 + whole[64:])
    built: list[Path] = []
    for module in (native, targets.native):
        monkeypatch.setattr(module, "LIBRARY", library)
    monkeypatch.setattr(native, "contents", lambda: wanted)
    monkeypatch.setattr(native, "linked_kernels", lambda *_, **__: b"code")
    monkeypatch.setattr(native, "build", lambda *words, **_: built.append(words[2]))
    targets.native._opened.cache_clear()
    native.main()
    targets.native._opened.cache_clear()
    assert native.told_by(library) == wanted
    assert built == ([] if here else [library])
