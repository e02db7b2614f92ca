"""The same games whatever runs them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from rookery.engine.targets import Target
from rookery.lab.menagerie.study import Mode, Study, run_study
from rookery.lab.run.jobs import Progress
from rookery.lab.run.journal import FileJournal

pytestmark = pytest.mark.numba


def sums(
    mode: Mode, games: int, *, threads: int = 1, chunk: int = 500, target: Target = "numba"
) -> Sequence[int]:
    study = run_study(mode, games, seed=11, threads=threads, chunk=chunk, target=target)
    return study.sums.products


@pytest.mark.parametrize("mode", Mode)
def test_threads_and_chunks_change_nothing(mode: Mode) -> None:
    expected = sums(mode, 3_001)
    for threads, chunk in ((2, 500), (3, 500), (2, 7), (3, 10_000)):
        assert sums(mode, 3_001, threads=threads, chunk=chunk) == expected


@pytest.mark.parametrize("mode", Mode)
def test_plain_python_plays_the_same_games(mode: Mode) -> None:
    assert sums(mode, 25, target="python") == sums(mode, 25)


@pytest.mark.parametrize("mode", Mode)
def test_another_seed_plays_other_games(mode: Mode) -> None:
    one, other = (run_study(mode, 50, seed, threads=1).sums.products for seed in (1, 2))
    assert one != other


def test_progress_is_told_from_the_start_to_the_end() -> None:
    seen: list[int] = []
    run_study(
        Mode.RULES,
        1_234,
        seed=1,
        threads=3,
        chunk=100,
        progress=lambda done, whole: seen.append(whole - done),
    )
    assert (seen[0], seen[-1]) == (1_234, 0)


@pytest.mark.parametrize("mode", Mode)
def test_a_stopped_study_goes_on_from_its_journal(mode: Mode, tmp_path: Path) -> None:
    def stops(done: int, _whole: int) -> None:
        if done:
            raise KeyboardInterrupt

    def run(journal: FileJournal | None, progress: Progress | None = None) -> Study:
        return run_study(
            mode, 12, seed=11, threads=1, chunk=5, target="python", journal=journal,
            progress=progress,
        )  # fmt: skip

    with FileJournal(tmp_path / "journal", {}) as journal, pytest.raises(KeyboardInterrupt):
        run(journal, stops)
    told: list[int] = []
    with FileJournal(tmp_path / "journal", {}) as journal:
        again = run(journal, lambda done, _: told.append(done))
    assert told[0] > 0
    assert again.sums.products == run(None).sums.products


def test_the_figures_come_as_a_frame() -> None:
    study = run_study(Mode.PUBLISHED, 20, seed=1, threads=1, target="python")
    frame = study.frame
    assert len(frame) == len(list(study.tables.cells()))
    assert frame["trimester"].drop_nulls().unique().sort().to_list() == [1, 2, 3]
    won = frame.filter(table="games_won")
    assert won["percent"].sum() == pytest.approx(200)
    assert won["paper"].to_list() == [54.82, 54.90, 53.11, 37.16]  # the right way round


def test_what_goes_wrong_in_a_thread_comes_out() -> None:
    def fails(_done: int, _whole: int) -> None:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        run_study(Mode.RULES, 10_000, seed=1, threads=2, progress=fails)
