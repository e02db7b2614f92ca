"""One command runs the promises in full; a small run costs nothing that a full one has found."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.faults import promises, promises_page, whole
from tests.faults.promises import Control, Result, added, keep, kept, revision
from tests.faults.whole import CAMPAIGNS, Campaign, attempted

FULL = 10


def a_result(size: int = FULL, **changes: object) -> Result:
    control = Control("an early answer", caught=True)
    made = Result("P2", "", "cuts", size, FULL, True, {"lost": 0}, 7, 1.0, "scripts/x")
    return msgspec.structs.replace(made, control=control, **changes)


class Here:
    """A campaign of two chunks, and where its results are kept."""

    def __init__(self, folder: Path) -> None:
        self.home, self.aside = folder / "home", folder / "aside"
        self.ran: list[tuple[int, int, int]] = []
        self.stopped_at, self.held = FULL, True

    def run(self, size: int, seed: int, done: int) -> list[Result]:
        if done >= self.stopped_at:
            raise KeyboardInterrupt
        self.ran.append((size, seed, done))
        return [a_result(size, seed=seed, held=self.held)]

    def attempted(
        self, share: float = 1.0, seed: int | None = None, *, again: bool = False
    ) -> bool:
        return attempted("cuts", share, seed, 1.0, again=again, home=self.home, aside=self.aside)

    def sizes(self) -> list[tuple[int, int]]:
        """Return seed and size of what is kept at home."""
        return [(one.seed, one.size) for one in kept(self.home)]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    made = Here(tmp_path)
    monkeypatch.setitem(CAMPAIGNS, "cuts", Campaign(("P2",), FULL, 5, made.run))
    keep(a_result(date="2026-01-02"), folder=made.home)
    return made


def test_where_all_is_kept_nothing_is_run_and_that_is_said(
    here: Here, capsys: pytest.CaptureFixture[str]
) -> None:
    assert here.attempted()
    assert here.ran == []
    told = capsys.readouterr().out
    assert told == ("cuts: 10 of 10, kept from 2026-01-02; nothing was run, --again runs it\n")


def test_again_runs_it_from_nothing_and_takes_its_place(here: Here) -> None:
    assert here.attempted(again=True)
    assert here.ran == [(5, 7, 0), (5, 7, 5)]
    [now] = kept(here.home)
    assert (now.size, now.date) != (FULL, "2026-01-02")
    assert not kept(here.aside / "again")
    assert here.attempted(seed=8, again=True)
    assert here.sizes() == [(8, FULL)]
    # From now on this is the seed of what is kept.
    assert here.attempted()
    assert len(here.ran) == 4


def test_again_that_is_interrupted_leaves_what_was_kept_and_goes_on(here: Here) -> None:
    here.stopped_at = 5
    with pytest.raises(KeyboardInterrupt):
        here.attempted(again=True)
    assert [one.date for one in kept(here.home)] == ["2026-01-02"]
    assert [one.size for one in kept(here.aside / "again")] == [5]
    here.stopped_at = FULL
    assert here.attempted(again=True)
    assert here.ran == [(5, 7, 0), (5, 7, 5)]
    assert here.sizes() == [(7, FULL)]


def test_what_is_found_again_not_to_be_held_is_not_left_aside(here: Here) -> None:
    here.held = False
    assert not here.attempted(again=True)
    [now] = kept(here.home)
    assert (now.size, now.held) == (5, False)


@pytest.mark.parametrize(
    ("share", "seed", "folder", "again"),
    [
        (0.5, 7, "seed-7-share-0.5", False),
        (0.5, 3, "seed-3-share-0.5", False),
        (0.5, 3, "seed-3-share-0.5", True),
        (1.0, 3, "seed-3", False),
    ],
)
def test_another_seed_and_a_smaller_size_are_kept_aside(
    here: Here,
    capsys: pytest.CaptureFixture[str],
    *,
    share: float,
    seed: int,
    folder: str,
    again: bool,
) -> None:
    for _ in range(2):
        assert here.attempted(share, seed, again=again)
    assert len(here.ran) == (2 if again else 1) * int(share * 2)
    assert [one.date for one in kept(here.home)] == ["2026-01-02"]
    assert [one.seed for one in kept(here.aside / folder)] == [seed]
    assert f"cuts: seed {seed}, kept in {here.aside / folder}" in capsys.readouterr().out


def test_a_share_that_is_none_is_told_in_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["scripts/promises", "--share", "2"])
    with pytest.raises(SystemExit, match="2"):
        whole.main()
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == "scripts/promises: error: --share: 2 is none; expected more than 0 and at most 1"


def test_a_result_says_which_program_it_was(tmp_path: Path) -> None:
    keep(a_result(5), folder=tmp_path)
    [one] = kept(tmp_path)
    assert one.revision == revision()
    later = added(msgspec.structs.replace(one, revision="1a2b3c4"), a_result(5), 5)
    assert later.revision == "1a2b3c4 to ?"
    shown = promises_page.page([a_result(revision="1a2b3c4 to 2b3c4d5+")])
    assert "revision 1a2b3c4 to 2b3c4d5+, seed 7" in shown
    # The control: what was kept before it was written down does not claim one.
    assert "revision 1" not in promises_page.page([a_result()])


def test_a_revision_is_that_of_the_clone_and_says_where_it_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> str:
        revision.cache_clear()
        return revision()

    def git(*words: str) -> None:
        named = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "-C", str(tmp_path), *named, *words], check=True)

    monkeypatch.setattr(promises, "ROOT", tmp_path)
    try:
        assert found() == ""
        git("init", "--quiet")
        (tmp_path / "src").mkdir()
        (tmp_path / "src" / "a.py").write_text("a = 1\n")
        git("add", "src")
        git("commit", "--quiet", "-m", "a")
        assert re.fullmatch(r"[0-9a-f]{7,}", found())
        (tmp_path / "docs.md").write_text("more\n")
        assert not found().endswith("+")
        (tmp_path / "src" / "a.py").write_text("a = 2\n")
        assert re.fullmatch(r"[0-9a-f]{7,}\+", found())
        monkeypatch.setattr(promises, "ROOT", tmp_path / "src")
        assert found() == ""
    finally:
        revision.cache_clear()


def test_counts_stay_in_their_order_when_they_are_added_up() -> None:
    counts = {"acknowledged": 5, "of these late": 0, "refused": 3}
    more = a_result(counts={"acknowledged": 2, "of these late": 0, "refused": 1, "new": 4})
    assert [*added(a_result(counts=counts), more, FULL).counts.items()] == [
        ("acknowledged", 7),
        ("of these late", 0),
        ("refused", 4),
        ("new", 4),
    ]
