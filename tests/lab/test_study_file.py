"""Study files: read, refused in one line, carried out."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from rookery.lab.run.jobs import Threads
from rookery.lab.run.journal import FileJournal
from rookery.lab.studies.file import StudyError, StudyFile, find, read, shipped
from rookery.lab.studies.question import QUESTIONS, CannotAsk, question
from rookery.lab.studies.run import Outcome, conduct, markdown, run_of
from rookery.rules import catalog

SOUND = {
    "name": '"our-club"',
    "about": '"Who is ahead?"',
    "bots": '["papa", "rabbit"]',
    "rules": '["kd_tournament", { base = "kd_tournament", bid_minimum = 60 }]',
    "boards": "20",
    "questions": '["match"]',
}


def written(folder: Path, **changes: str) -> Path:
    path = folder / "our.toml"
    lines = (f"{key} = {value}\n" for key, value in (SOUND | changes).items() if value)
    path.write_text("".join(lines), "utf-8")
    return path


def carried_out(path: Path, threads: int = 1) -> Outcome:
    study = read(path)
    return conduct(study, study.plan(path.parent, target="python"), executor=Threads(threads))


def test_a_study_file_says_what_is_asked(tmp_path: Path) -> None:
    study = read(written(tmp_path))
    plan = study.plan(tmp_path)
    assert (study.seed, study.family, study.rows) == (1, "tuning", 0)
    assert [one.label for one in plan.settings] == ["kd_tournament", "kd_tournament bid_minimum=60"]
    assert plan.settings[1].rules.bid_minimum == 60
    assert (plan.bots, plan.boards, plan.seed) == (("papa", "rabbit"), 20, 1)


def test_what_a_study_asks_is_its_questions_rules_and_bots(tmp_path: Path) -> None:
    def asks(**changes: str) -> str:
        study = read(written(tmp_path, **changes))
        return study.asks(study.plan(tmp_path))

    house = tmp_path / "house.toml"
    house.write_text('base = "kd_tournament"\nbid_minimum = 60\n')
    asked = asks(rules='["house.toml"]')
    for same in (
        {"rules": '[{ base = "kd_tournament", bid_minimum = 60 }]'},
        {"rules": '["house.toml"]', "bots": '["rabbit", "papa"]'},
        {"rules": '["house.toml"]', "name": '"other"', "about": "", "seed": "7", "boards": "2"},
    ):
        assert asks(**same) == asked
    assert asks() != asked
    assert asks(rules='["house.toml"]', bots='["hog", "papa"]') != asked
    assert asks(rules='["house.toml"]', questions='["match", "auctions"]') != asked
    house.write_text('base = "kd_tournament"\nbid_minimum = 65\n')
    assert asks(rules='["house.toml"]') != asked


def test_rule_sets_that_differ_in_a_long_value_have_short_labels_that_differ(
    tmp_path: Path,
) -> None:
    counters = "{ 5 = 5, 10 = %s, 14 = 10 }"
    rules = ", ".join(f"{{ counters = {counters % ten} }}" for ten in (10, 15, 20))
    plan = read(written(tmp_path, rules=f"[{rules}]")).plan(tmp_path)
    labels = {one.label for one in plan.settings}
    assert len(labels) == 3
    assert all(label.startswith("kd_tournament counters={") for label in labels)
    assert max(map(len, labels)) <= len("kd_tournament counters=") + 24


def test_rules_may_be_all_and_files_beside_the_study(tmp_path: Path) -> None:
    assert len(read(written(tmp_path, rules='["all"]')).plan(tmp_path).settings) == len(catalog())
    (tmp_path / "house.toml").write_text('base = "red_1"\nname = "Ours"\nbid_minimum = 65\n')
    (setting,) = read(written(tmp_path, rules='["house.toml"]')).plan(tmp_path).settings
    assert (setting.label, setting.rules.bid_minimum) == ("Ours", 65)
    (setting,) = (
        read(written(tmp_path, rules='[{ name = "Mine", bid_minimum = 60 }]'))
        .plan(tmp_path)
        .settings
    )
    assert (setting.label, setting.rules.bid_minimum) == ("Mine", 60)


@pytest.mark.parametrize("name", ["house.toml", "house", "sub/house.toml"])
def test_a_rule_file_that_is_not_beside_the_study_is_not_looked_for_elsewhere(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "studies").mkdir()
    house = tmp_path / name
    house.parent.mkdir(exist_ok=True)
    house.write_text('base = "red_1"\nbid_minimum = 65\n')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StudyError, match=r"rules\[0\]: .*house"):
        read(written(tmp_path / "studies", rules=f'["{name}"]'))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "our.toml: name: is missing; expected small letters"),
        ({"name": '"Our Club"'}, 'our.toml: name: "Our Club" will not do; expected small'),
        ({"boards": "1"}, "boards: 1 will not do; expected a whole number from 2 to"),
        ({"boards": '"many"'}, 'boards: "many" will not do; expected a whole number'),
        ({"boards": "2.5"}, "boards: 2.5 will not do"),
        ({"seed": "-1"}, "seed: -1 will not do; expected a whole number from 0"),
        ({"bots": "[]"}, "bots: [] will not do; expected a list of names"),
        ({"bots": '["papa", "hogg"]'}, "bots[1]: 'hogg' is no bot; there are karapet"),
        ({"bots": '["papa", "hog", "Papa"]'}, "bots[2]: papa is named twice"),
        ({"bots": '["expert", "expert:version=2"]'}, "bots[1]: expert is named twice"),
        ({"rules": '["kd_turnament"]'}, 'rules[0]: rules: no variant is called "kd_turnament"'),
        ({"rules": "[{ bid_minimun = 60 }]"}, "rules[0]: bid_minimun: there is no such option"),
        ({"rules": '["red_1", "red_1"]'}, "rules: red_1 stands there twice"),
        ({"rules": '"all"'}, 'rules: "all" will not do; expected a list of ids, files, '),
        ({"rules": '"all"'}, ', or ["all"]'),
        ({"questions": '["mach"]'}, "questions[0]: no question is called 'mach'; did you mean"),
        ({"questions": '["match", "match"]'}, "questions[1]: match is asked twice"),
        ({"family": '"test"'}, 'family: "test" will not do; expected "tuning"'),
        ({"board": "20"}, "board: there is no such key; did you mean boards?"),
        ({"boards": "= 3"}, "our.toml: invalid value"),
        ({"boards": "[" * 5_000}, "our.toml: nested too deep; expected TOML"),
        ({"boards": "9" * 5_000}, "our.toml: exceeds the limit (4300 digits)"),
    ],
)
def test_a_broken_file_gets_one_line(changes: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(StudyError) as refused:
        read(written(tmp_path, **changes))
    line = str(refused.value)
    assert words.lower() in line.lower()
    assert line.startswith(str(tmp_path))
    assert "\n" not in line


def test_an_unknown_study_gets_one_line() -> None:
    with pytest.raises(StudyError, match="no study is called 'menagery'; did you mean menagerie"):
        find("menagery")
    with pytest.raises(StudyError, match=r"there are menagerie, auctions, .* dataset, and files"):
        find("nobody")
    with pytest.raises(StudyError, match=r"no such file or directory; expected a study"):
        read(find("nowhere/it.toml"))


def test_a_folder_is_no_study_and_no_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ours").mkdir()
    with pytest.raises(StudyError, match=r"^ours: is a directory; expected a study"):
        read(find("ours"))
    with pytest.raises(StudyError, match=r"rules\[0\]: .*ours: is a directory; expected a house-"):
        read(written(tmp_path, rules='["ours"]'))


def test_not_a_text_gets_one_line(tmp_path: Path) -> None:
    (tmp_path / "our.toml").write_bytes(b"name = \xff")
    with pytest.raises(StudyError, match="is no text in UTF-8"):
        read(tmp_path / "our.toml")


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_study_can_be_read_and_asked(name: str) -> None:
    path = find(name)
    study = read(path)
    assert study.name == name
    assert study.about
    plan = study.plan(path.parent)
    for asked in study.questions:
        jobs = question(asked).jobs(plan)
        assert len({job.name for job in jobs}) == len(jobs) > 0


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_says_what_it_is_about(name: str) -> None:
    assert question(name).ABOUT.endswith((".", "?"))


def test_a_match_the_other_way_round_says_the_same_of_each_bot(tmp_path: Path) -> None:
    one, other = (
        carried_out(written(tmp_path, bots=bots)).tables["match"].row(0, named=True)
        for bots in ('["papa", "random"]', '["random", "papa"]')
    )
    assert (one["bot"], one["against"]) == ("papa", "random")
    assert one["points_a_board"] == -other["points_a_board"] > 0
    assert one["points_a_board_ci95"] == pytest.approx(other["points_a_board_ci95"])
    for name in ("bot", "points_a_hand", "contracts", "made"):
        against = "against" if name == "bot" else f"against_{name}"
        assert (one[name], one[against]) == (other[against], other[name])
        assert one[name] != one[against]


def test_a_study_comes_out_as_frames_and_files(tmp_path: Path) -> None:
    outcome = carried_out(written(tmp_path))
    table = outcome.tables["match"]
    assert table["rules"].to_list() == ["kd_tournament", "kd_tournament bid_minimum=60"]
    assert table["boards"].to_list() == [20, 20]
    files = outcome.files()
    assert {"study.json", "report.txt", "match.csv", "match.md", "match.png"} == set(files)
    assert files["match.png"].startswith(b"\x89PNG")
    assert pl.read_csv(files["match.csv"]).columns == table.columns
    document = json.loads(files["study.json"])
    assert document["answers"]["match"]["match"][0]["bot"] == "papa"
    assert max(map(len, outcome.text.splitlines())) <= 80


def test_the_answer_does_not_depend_on_the_threads(tmp_path: Path) -> None:
    one, other = (carried_out(written(tmp_path), threads) for threads in (1, 3))
    assert one.tables["match"].equals(other.tables["match"])
    again = carried_out(written(tmp_path, seed="2"))
    assert not one.tables["match"].equals(again.tables["match"])


def test_families_have_boards_of_their_own(tmp_path: Path) -> None:
    found = [
        carried_out(written(tmp_path, family=f'"{family}"')).tables["match"]
        for family in ("tuning", "validation", "holdout")
    ]
    assert not found[0].equals(found[1])
    assert not found[1].equals(found[2])


def test_a_question_that_does_not_fit_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(CannotAsk, match="match: 1 bot to compare; expected 2 or more"):
        carried_out(written(tmp_path, bots='["papa"]'))


def test_a_study_is_taken_up_from_its_journal(tmp_path: Path) -> None:
    path = written(tmp_path)
    study = read(path)
    plan = study.plan(tmp_path, target="python")
    whole = carried_out(path)

    def stops(done: int, _whole: int) -> None:
        if done:
            raise KeyboardInterrupt

    path = tmp_path / "journal"
    with FileJournal(path, run_of(study, plan)) as journal, pytest.raises(KeyboardInterrupt):
        conduct(study, plan, executor=Threads(1), journal=journal, progress=stops)
    told: list[int] = []
    with FileJournal(tmp_path / "journal", run_of(study, plan)) as journal:
        again = conduct(study, plan, journal=journal, progress=lambda done, _: told.append(done))
    assert told[0] > 0
    assert again.tables["match"].equals(whole.tables["match"])


@pytest.mark.parametrize(
    "change",
    [
        {"boards": "21"},
        {"seed": "2"},
        {"bots": '["papa", "hog"]'},
        {"rules": '["red_1"]'},
        {"family": '"validation"'},
    ],
)
def test_whatever_changes_the_answer_changes_the_run(
    change: dict[str, str], tmp_path: Path
) -> None:
    def run(**changes: str) -> dict[str, str | int]:
        study: StudyFile = read(written(tmp_path, **changes))
        return run_of(study, study.plan(tmp_path))

    assert run() == run() != run(**change)


def test_tables_in_markdown_hold_what_they_hold() -> None:
    table = pl.DataFrame({"who": ["a|b", None], "much": [1.0, None]})
    assert markdown(table).splitlines()[2:] == ["| a\\|b | 1.000 |", "|  |  |"]
