"""The wheel for offline play: what is in it, by whom, and that it is of these sources."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from scripts.offline import wheel as offline
from scripts.offline.wheel import build_offline, wrong_in_offline
from tests.deploy.test_wheels import Files, held, packed, replaced, without
from tests.web.kit import fresh_kit_or_skip

from rookery.about import OFFLINE, version

ROOT = Path(__file__).parents[2]


def test_the_extra_requires_the_version_that_is_built() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["optional-dependencies"]["offline"] == [f"{OFFLINE}=={project['version']}"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel, of what `scripts.offline` has built."""
    fresh_kit_or_skip()
    return build_offline(tmp_path_factory.mktemp("wheel"))


def test_it_is_what_these_sources_make(wheel: Path) -> None:
    assert wrong_in_offline(wheel) == []
    assert wheel.name == f"rookery_cards_offline-{version()}-py3-none-any.whl"


STALE = "is not what scripts.offline makes now"
FAULTS: list[tuple[str, Callable[[Files], Files]]] = [
    ("says that it is", lambda files: replaced(files, "METADATA", b"MPL-2.0 AND ", b"")),
    ("says that it is", lambda files: replaced(files, "METADATA", b"-offline\n", b"\n")),
    ("alone", lambda files: replaced(files, "METADATA", b"cards==", b"cards>=")),
    (STALE, lambda files: without(files, "MPL-2.0.txt")),
    (STALE, lambda files: without(files, "NOTICE")),
    (STALE, lambda files: without(files, "program.zip.gz")),
    (STALE, lambda files: replaced(files, "kit.json", b'"made_from": "', b'"made_from": "0')),
    (
        "has rookery_offline/kit/more.gz too",
        lambda files: {**files, "rookery_offline/kit/more.gz": b""},
    ),
]


@pytest.mark.parametrize(("told", "fault"), FAULTS, ids=range(len(FAULTS)))
def test_a_fault_in_it_is_found(
    told: str, fault: Callable[[Files], Files], wheel: Path, tmp_path: Path
) -> None:
    spoilt = tmp_path / wheel.name
    packed(fault(held(wheel)), spoilt)
    found = wrong_in_offline(spoilt)
    assert len(found) == 1, found
    assert told in found[0]


def test_a_wrong_hash_and_old_kernels_are_found(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoilt = tmp_path / wheel.name
    packed(held(wheel), spoilt, spoil="rookery_offline/__init__.py")
    assert "__init__.py is not what RECORD says" in wrong_in_offline(spoilt)[0]
    monkeypatch.setattr(offline, "contents", lambda: {"kernels": "others"})
    assert "has no kernels of these sources" in wrong_in_offline(wheel)[0]
