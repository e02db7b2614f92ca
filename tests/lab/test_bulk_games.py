"""The same games whatever runs them."""

from collections.abc import Sequence

import pytest

from rookery.lab.bulk_games import Target
from rookery.lab.menagerie import Mode, run_study

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


def test_progress_is_told_once_the_code_is_compiled() -> None:
    seen: list[int] = []
    began: list[int] = []
    run_study(
        Mode.RULES,
        1_234,
        seed=1,
        threads=3,
        chunk=100,
        ready=lambda: began.append(len(seen)),
        progress=lambda done, whole: seen.append(whole - done),
    )
    assert (seen[0], seen[-1]) == (1_234, 0)
    assert began == [0]


def test_what_goes_wrong_in_a_thread_comes_out() -> None:
    def fails(_done: int, _whole: int) -> None:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        run_study(Mode.RULES, 10_000, seed=1, threads=2, progress=fails)
