"""The verdicts come from the figures: other figures, other verdicts."""

import re
from dataclasses import replace

import pytest

from rookery.bots.menagerie import HOG, KARAPET, PAPA, RABBIT
from rookery.lab.menagerie.figures import (
    HONEST,
    PAIR_NAMES,
    PAPER,
    Verdict,
    conclusions,
    front_runners,
)
from rookery.lab.menagerie.study import Mode, Study, run_study
from rookery.lab.menagerie.tally import (
    CAST,
    GAMES,
    PAIR_GAMES,
    PAIR_TRICKS,
    TRICKS,
    WIDTH,
    Sums,
    pair_of,
)
from rookery.lab.menagerie.text import report

pytestmark = pytest.mark.numba
SURVIVES, OPEN, FAILS = Verdict.SURVIVES, Verdict.OPEN, Verdict.FAILS


def swapped(study: Study, one: int, other: int) -> Study:
    """Return the study as if two characters had played under each other's names."""
    name = list(range(CAST))
    name[one], name[other] = other, one
    place = list(range(WIDTH))
    for kind in range(CAST):
        for start in (GAMES, *(TRICKS + CAST * third for third in range(3))):
            place[start + kind] = start + name[kind]
        for mate in range(kind):
            for start in (PAIR_GAMES, PAIR_TRICKS):
                place[start + pair_of(kind, mate)] = start + pair_of(name[kind], name[mate])
    old = study.sums.products
    new = [
        old[min(place[i], place[j]) * WIDTH + max(place[i], place[j])]
        for i in range(WIDTH)
        for j in range(WIDTH)
    ]
    return replace(study, sums=Sums(new))


def verdicts(study: Study) -> list[Verdict]:
    return [conclusion.verdict for conclusion in conclusions(study.sums)]


def test_the_real_game_bears_out_all_four(real: Study) -> None:
    assert verdicts(real) == [SURVIVES] * 4
    assert front_runners(real.sums) == (PAPA,)


def test_the_papers_own_games_do_not_show_that_the_middle_way_is_best(published: Study) -> None:
    assert verdicts(published) == [SURVIVES, SURVIVES, OPEN, SURVIVES]
    assert front_runners(published.sums) == (KARAPET, PAPA)
    assert "3. The middle way is best. This is not shown." in report(published)


def test_with_karapet_and_the_hog_swapped_the_first_two_fall(real: Study) -> None:
    turned = swapped(real, KARAPET, HOG)
    assert verdicts(turned) == [FAILS, FAILS, SURVIVES, SURVIVES]
    assert "1. Conservative play loses early and wins late. This does not survive." in report(
        turned
    )
    assert "The Hog takes more than a quarter of tricks 1-3: 5.9" in report(turned)


def test_with_papa_and_the_rabbit_swapped_the_third_falls(real: Study) -> None:
    assert verdicts(swapped(real, PAPA, RABBIT))[2] is FAILS


def test_with_papa_in_second_place_the_third_survives_in_part(real: Study) -> None:
    assert verdicts(swapped(real, KARAPET, PAPA))[2] is Verdict.PARTLY


def test_when_games_follow_tricks_the_fourth_falls(real: Study) -> None:
    # Give each character's games to the one with as many tricks: rows of games and tricks agree.
    by_games = sorted(range(CAST), key=lambda kind: real.sums.total({GAMES + kind: 1}))
    by_tricks = sorted(
        range(CAST),
        key=lambda kind: real.sums.total({TRICKS + CAST * third + kind: 1 for third in range(3)}),
    )
    place = list(range(WIDTH))
    for games, tricks in zip(by_games, by_tricks, strict=True):
        place[GAMES + tricks] = GAMES + games
    old = real.sums.products
    new = [
        old[min(place[i], place[j]) * WIDTH + max(place[i], place[j])]
        for i in range(WIDTH)
        for j in range(WIDTH)
    ]
    aligned = replace(real, sums=Sums(new))
    assert verdicts(aligned) == [SURVIVES, SURVIVES, SURVIVES, FAILS]
    assert "No two characters are certain to stand in opposite order." in report(aligned)


def test_a_handful_of_games_settles_little() -> None:
    few = run_study(Mode.RULES, 12, seed=3, threads=1)
    assert verdicts(few)[2:] == [OPEN, OPEN]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("games", [2, 3, 100])
def test_a_report_of_few_games_can_be_read(mode: Mode, games: int) -> None:
    study = run_study(mode, games, seed=1, threads=1)
    lines = report(study).splitlines()
    assert max(map(len, lines)) <= 80
    tables, true = study.tables, study.tables.pair_tricks_honest
    for pair in PAIR_NAMES:
        (row,) = (line for line in lines if line.startswith(f"{pair.title()} "))
        own = [tables.pair_games[pair].mean, tables.pair_tricks[pair].mean]
        paper = [PAPER.pair_games[pair], (PAPER.pair_tricks if true else HONEST)[pair]]
        shown = [own[0], paper[0], own[1], paper[1], *([true[pair].mean] if true else [])]
        figures = re.sub(r"± +\S+", "", row).split()[1:]
        assert figures == [f"{figure:.2f}" for figure in shown]
