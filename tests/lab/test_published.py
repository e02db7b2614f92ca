"""The paper's program, played again: its figures, its laws, its odd auction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.engine.state import Hidden, State
from rookery.engine.trick import following
from rookery.engine.trick import play as engine_play
from rookery.lab.menagerie import published as program
from rookery.lab.menagerie.study import Mode, Study, run_study
from rookery.lab.menagerie.tally import (
    BOOKED,
    CAST,
    GAMES,
    HANDS,
    PAIR_TRICKS,
    PAIRS,
    THIRDS,
    TRICKS,
    Tally,
)
from rookery.rules.table import RuleTable

pytestmark = pytest.mark.numba
FIGURES = 4 + 4 + 6 + 6 + 6 + 12


def test_every_published_figure_comes_out_again(published: Study) -> None:
    distances = published.distances()
    assert len(distances) == FIGURES
    assert {key: z for key, z in distances.items() if abs(z) > 4} == {}


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_it_does_so_from_other_seeds_too(seed: int) -> None:
    distances = run_study(Mode.PUBLISHED, 20_000, seed, threads=2).distances()
    assert max(abs(z) for z in distances.values()) < 4


def test_the_real_game_gives_other_figures(real: Study) -> None:
    distances = real.distances()
    assert sum(abs(z) > 4 for z in distances.values()) > len(distances) / 2


def test_the_names_are_the_right_way_round(published: Study) -> None:
    # Under each other's names the two would still be near: only the pairs tell them apart.
    won = published.tables.games_won
    pairs = published.tables.pair_games
    papas = sum(pairs[pair].mean for pair in ("karapet-papa", "papa-hog", "papa-rabbit"))
    assert papas == pytest.approx(won["papa"].mean)


def test_every_trick_is_won_once_and_booked_at_most_once(published: Study) -> None:
    total = {i: published.sums.total({i: 1}) for i in range(BOOKED + PAIRS)}
    for third in range(THIRDS):
        tricks = sum(total[TRICKS + third * CAST + kind] for kind in range(CAST))
        assert tricks == 3 * total[HANDS]
    assert sum(total[PAIR_TRICKS + pair] for pair in range(PAIRS)) == 9 * total[HANDS]
    assert sum(total[GAMES + kind] for kind in range(CAST)) == 2 * published.games
    booked = sum(total[BOOKED + pair] for pair in range(PAIRS))
    assert 0.7 * 9 * total[HANDS] < booked < 0.8 * 9 * total[HANDS]  # the last seat's own are lost


def test_it_plays_only_legal_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    plays = 0

    def watched(table: RuleTable, s: State, h: Hidden, card: int) -> None:
        nonlocal plays
        plays += 1
        assert following(table, s, h.hand[s.turn]) >> card & 1
        engine_play(table, s, h, card)

    monkeypatch.setattr(program, "play", watched)
    study = run_study(Mode.PUBLISHED, 20, seed=5, threads=1, target="python")
    assert plays == 36 * study.hands


def rounds(caps: list[int]) -> tuple[int, int]:
    """Return winner and contract of the program's auction, round by round."""
    calls = [70] * 4
    passed = [False] * 4
    while sum(passed) < 3:
        for seat in range(4):
            if not passed[seat]:
                if calls[seat] + 5 <= min(caps[seat], 120):
                    calls[seat] += 5
                else:
                    passed[seat] = True
    return calls.index(max(calls)), max(calls)


@given(st.lists(st.integers(5, 30).map(lambda n: 5 * n), min_size=4, max_size=4))
def test_the_auction_is_the_one_that_goes_round_by_round(caps: list[int]) -> None:
    limits = iter(caps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "private_maximum", lambda *_: next(limits))
        s = State()
        program.auction(s, Hidden(), Tally())
    assert (s.declarer, s.contract) == rounds(caps)
