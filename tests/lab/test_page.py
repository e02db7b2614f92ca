"""The Menagerie page: made of the runs that are kept, and the runs agree with others."""

from __future__ import annotations

import re
from math import hypot
from pathlib import Path

import pytest
from scripts.docs import menagerie as page_command
from scripts.docs import menagerie_partners as page_partners
from scripts.docs.menagerie import DATA, PAGE, PARTNERS, main, make
from scripts.docs.menagerie_kept import KeptError, read, written
from scripts.docs.menagerie_partners import CAST, LINEUPS, Partners
from scripts.docs.menagerie_pictures import counters
from scripts.docs.menagerie_text import page

from rookery.lab.menagerie.study import Mode, Study, run_study
from rookery.lab.stats import Z95

DOCS = Path(__file__).resolve().parents[2] / "docs"
FAR = 4.5  # standard errors of a difference; seeds are fixed, so it never depends on chance


@pytest.fixture(scope="module")
def kept() -> dict[Mode, Study]:
    return read((DOCS / "data" / DATA).read_text("utf-8"))


@pytest.fixture(scope="module")
def small() -> dict[Mode, Study]:
    return {mode: run_study(mode, 4, seed=1, threads=1, target="python") for mode in Mode}


@pytest.fixture(scope="module")
def partners() -> Partners:
    return page_partners.read((DOCS / "data" / PARTNERS).read_text("utf-8"))


@pytest.fixture(scope="module")
def few() -> Partners:
    return page_partners.ask(3, 1, target="python")


def test_the_page_says_what_is_kept(kept: dict[Mode, Study], partners: Partners) -> None:
    made = page(kept[Mode.PUBLISHED], kept[Mode.RULES], partners)
    assert (DOCS / PAGE).read_text("utf-8") == made


@pytest.mark.numba
@pytest.mark.parametrize("mode", list(Mode))
def test_what_is_kept_agrees_with_games_played_anew(
    mode: Mode, kept: dict[Mode, Study], published: Study, real: Study
) -> None:
    anew = dict((published if mode is Mode.PUBLISHED else real).tables.cells())
    figures = list(kept[mode].tables.cells())
    assert len(figures) > 30
    for key, figure in figures:
        error = hypot(figure.ci95, anew[key].ci95) / Z95
        assert abs(figure.mean - anew[key].mean) < FAR * error, key


def test_a_run_of_other_games_would_be_found_out(kept: dict[Mode, Study]) -> None:
    # The control of the test above: the two modes lie far apart.
    one, other = (dict(kept[mode].tables.cells()) for mode in Mode)
    key = ("games_won", 0, "papa")
    error = hypot(one[key].ci95, other[key].ci95) / Z95
    assert abs(one[key].mean - other[key].mean) > FAR * error


def test_what_is_kept_of_partners_agrees_with_boards_played_anew(partners: Partners) -> None:
    anew = page_partners.ask(2000, 99)
    for name in CAST:
        for who in LINEUPS:
            assert away(partners, anew, name, who) < FAR, (name, who)
        # The control: two who notice, and one, lie far apart.
        both, one = (partners.gain(name, who) for who in LINEUPS)
        assert both.low > one.high, name


def away(kept: Partners, anew: Partners, name: str, who: str) -> float:
    """Return how many standard errors of their difference two figures lie apart."""
    one, other = kept.gain(name, who), anew.gain(name, who)
    return abs(one.mean - other.mean) / (hypot(one.ci95, other.ci95) / 1.96)


def test_the_kept_runs_are_those_of_the_page(kept: dict[Mode, Study], partners: Partners) -> None:
    assert (partners.boards, partners.seed) == (page_command.BOARDS, page_command.SEED)
    assert {study.games for study in kept.values()} == {page_command.GAMES}
    assert {study.seed for study in kept.values()} == {page_command.SEED}


def test_kept_runs_come_back_whole(small: dict[Mode, Study]) -> None:
    again = read(written(small))
    for mode in Mode:
        assert list(again[mode].sums.products) == list(small[mode].sums.products)
        assert again[mode].tables == small[mode].tables


def test_what_is_kept_of_partners_comes_back_whole(few: Partners) -> None:
    assert page_partners.read(page_partners.written(few)) == few


def test_the_verdicts_follow_the_figures(small: dict[Mode, Study], few: Partners) -> None:
    text = page(small[Mode.PUBLISHED], small[Mode.RULES], few)
    assert "It is not shown" in text  # four games show little
    assert "not shown in the program" in text or "not shown at the real game" in text
    assert "Not everybody is certain to gain by it" in text  # and three deals too
    assert "on 3 deals" in text
    assert "$" not in text


def test_the_page_tells_the_whole_story(kept: dict[Mode, Study]) -> None:
    text = (DOCS / PAGE).read_text("utf-8")
    for number, conclusion in enumerate(kept[Mode.RULES].conclusions, 1):
        assert f"### {number}. {conclusion.title}" in text
    assert "Karapet 21.42 + 20.70 + 12.71 = 54.83" in text
    assert "Papa 21.42 + 20.72 + 12.76 = 54.90" in text
    assert "Of its 7 chances, 7 are right" in text
    shown = re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)
    assert len(shown) == 5
    for name in shown:
        picture = (DOCS / PAGE).parent / name
        assert picture.read_text("utf-8").lstrip().startswith(("<svg", "<?xml"))


def test_the_picture_counts_the_points_that_the_program_misses() -> None:
    assert "120 points in the deck; 80 of them counted by the program" in counters()


def test_the_page_answers_the_papers_first_open_question(partners: Partners) -> None:
    text = (DOCS / PAGE).read_text("utf-8").partition("## What noticing your partner")[2]
    for name in CAST:
        for who in LINEUPS:
            gain = partners.gain(name, who)
            assert f"{gain.mean:+.2f} ± {gain.ci95:.2f}" in text
    assert "**Everybody gains by it.** It is worth most to the Rabbit, 24.4 points" in text


def test_making_the_page_from_what_is_kept_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for name in (DATA, PARTNERS):
        (tmp_path / "data" / name).write_bytes((DOCS / "data" / name).read_bytes())
    files = make(tmp_path, kept=True)
    assert {file.name for file in files} >= {
        Path(PAGE).name,
        DATA,
        PARTNERS,
        "menagerie-partners.svg",
    }
    for file in (PAGE, f"data/{DATA}", f"data/{PARTNERS}"):
        assert (tmp_path / file).read_bytes() == (DOCS / file).read_bytes()


@pytest.mark.numba
def test_one_command_makes_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--games", "300", "--boards", "200", "--seed", "3"]) == 0
    named = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert len(named) == 8
    assert all(path.stat().st_size > 1000 for path in named)
    text = (tmp_path / PAGE).read_text("utf-8")
    assert "over 300 games" in text
    assert "on 200 deals" in text


@pytest.mark.parametrize("change", ["[]", "{}", '"format"', '"boards": 200000', '"club"'])
def test_broken_sums_of_partners_get_one_line(
    change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (DOCS / "data" / PARTNERS).read_text("utf-8")
    broken = change if change in ("[]", "{}") else text.replace(change, f'{change[:4]}no": 7', 1)
    with pytest.raises(KeptError):
        page_partners.read(broken)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / DATA).write_bytes((DOCS / "data" / DATA).read_bytes())
    (tmp_path / "data" / PARTNERS).write_text(broken, "utf-8")
    assert main([str(tmp_path), "--kept"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (tmp_path / PAGE).exists()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": "rookery-menagerie/0"}', '{"format": "rookery-menagerie/1"}'],
)
def test_broken_results_get_one_line(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeptError):
        read(text)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / DATA).write_text(text, "utf-8")
    assert main([str(tmp_path), "--kept"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line
    assert not (tmp_path / PAGE).exists()


def test_missing_results_get_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--kept"]) == 2
    assert DATA in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["--games", "1"], ["--boards", "1"], ["--seed", "-1"], ["--games", "x"]]
)
def test_bad_numbers_are_refused(words: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path), *words])
    assert ended.value.code == 2
