"""The question `house-rules`: every rule set of a plan and every single change to it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from rookery.lab.run.jobs import Sums
from rookery.lab.studies.changes import changes_of
from rookery.lab.studies.file import SHIPPED, read, shipped
from rookery.lab.studies.question import QUESTIONS, Answer, CannotAsk, Plan, Setting, question
from rookery.lab.studies.questions import house_rules, house_rules_tables
from rookery.lab.studies.questions.house_rules_tables import OF_A_CHANGE, TOLD, wider
from rookery.lab.studies.questions.quantities import QUANTITIES
from rookery.rules import load

NAMES = ("rook_1906", "kd_original")
PLAN = Plan(
    tuple(Setting(name, load(name)) for name in NAMES), ("papa", "random"), 4, 8, "python"
)  # fmt: skip


def counted(plan: Plan) -> Mapping[str, Sums]:
    return {job.name: job.count(0, job.units) for job in house_rules.jobs(plan)}


@pytest.fixture(scope="module")
def answer() -> Answer:
    return house_rules.answer(PLAN, counted(PLAN))


def test_every_change_is_in_one_table_or_the_other(answer: Answer) -> None:
    for name in NAMES:
        every = changes_of(load(name))
        rows = answer.tables["changes"].filter(pl.col("rules") == name)
        left = answer.tables["not-played"].filter(pl.col("rules") == name)
        assert rows.height == sum(change.kind == "played" for change in every)
        assert left.height == len(every) - rows.height
        assert {*rows["option"], *left["option"]} == {change.option for change in every}
    assert "" not in set(answer.tables["not-played"]["why"])


def test_the_text_counts_what_the_tables_hold(answer: Answer) -> None:
    changes, left = answer.tables["changes"], answer.tables["not-played"]
    idle = left.filter(pl.col("why") == "decides nothing in a hand here").height
    words = " ".join(answer.text.split())
    assert f"{changes.height:,} single changes were played on the same 4 boards" in words
    assert f"; {changes['same'].sum():,} of them changed nothing that papa does." in words
    assert f" {idle:,} more decide nothing in a hand, and {left.height - idle:,} do not" in words
    assert 0 < idle < left.height


def test_what_changes_nothing_is_exactly_nothing(answer: Answer) -> None:
    table = answer.tables["changes"]
    same = table.filter(pl.col("same"))
    assert 0 < same.height < table.height
    for name in OF_A_CHANGE:
        for column in (f"{name}_change", f"{name}_change_ci95"):
            assert set(same[column].drop_nulls().to_list()) <= {0.0}
    # What the characters never look at or do.
    for option in ("redeal", "nest_shown", "renege"):
        assert set(table.filter(pl.col("option") == option)["same"]) <= {True}, option


def test_a_change_is_the_difference_of_two_figures(answer: Answer) -> None:
    base = {row["rules"]: row for row in answer.tables["rule-sets"].iter_rows(named=True)}
    seen = 0
    for row in answer.tables["changes"].iter_rows(named=True):
        for name in OF_A_CHANGE:
            before = base[row["rules"]][name]
            if row[name] is not None and before is not None:
                assert row[f"{name}_change"] == pytest.approx(row[name] - before)
                seen += 1
    assert seen > 100


def test_each_figure_has_its_interval_beside_it(answer: Answer) -> None:
    for name in ("rule-sets", "changes"):
        columns = answer.tables[name].columns
        for quantity in QUANTITIES if name == "rule-sets" else OF_A_CHANGE:
            assert columns[columns.index(quantity) + 1] == f"{quantity}_ci95"


def test_the_contracts_of_a_small_run(answer: Answer) -> None:
    found = answer.tables["rule-sets"].row(
        by_predicate=pl.col("rules") == "kd_original", named=True
    )
    assert (found["made"], found["contract"], found["rook"]) == (50.0, 72.1875, None)
    assert (found["seat_1"], found["seat_2"]) == (-found["seat_2"], -found["seat_1"])


def test_the_text_fits_the_terminal(answer: Answer) -> None:
    lines = answer.text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].startswith("rook_1906 ")
    assert "do not fit with the other rules" in " ".join(lines)


def test_pictures_are_drawn(answer: Answer) -> None:
    pictures = answer.draw()
    assert set(pictures) == {"rule-sets.png", "changes.png"}
    assert all(picture.startswith(b"\x89PNG") for picture in pictures.values())


def test_chance_alone_does_not_name_a_change(answer: Answer) -> None:
    """With thousands of comparisons one has to stand out by far."""
    table = answer.tables["changes"]
    assert wider(table, 1000) > 1.9
    assert wider(table.head(0), 1000) > wider(table.head(0), 4000) * 0.9
    assert set(TOLD) <= set(OF_A_CHANGE)


def test_of_what_stands_out_the_greatest_rise_and_the_greatest_fall_are_named() -> None:
    blank: dict[str, object] = {f"{name}_change": 0.0 for name in OF_A_CHANGE}
    blank |= {f"{name}_change_ci95": 1.0 for name in OF_A_CHANGE}
    factor = wider(pl.DataFrame([{"same": False}] * 7), 1000)
    rows = [
        {**blank, "rules": "r", "option": option, "setting": "s", "points": points, "same": False}
        | {f"{name}_change": change}
        for option, points, name, change in (
            ("less", 0, "made", 9.0),
            ("most", 0, "made", 9.5),
            ("down", 0, "made", -8.0),
            ("other", 5, "made", -70.0),  # another number of points is dealt
            ("near", 0, "lead", 0.99 * factor),
            ("past", 0, "nest", 1.01 * factor),
            ("few", 0, "skill", 12.346),
        )
    ]
    told = list(house_rules_tables._strongest(pl.DataFrame(rows), 1000))
    heads = [TOLD[name] for name in ("made", "nest", "skill")]
    assert [line.strip() for line in told if not line.startswith("    ")] == heads
    options = [line.split("r: ")[1] for line in told if line.startswith("    ")]
    assert options == ["most = s", "down = s", "past = s", "few = s"]
    assert told[1].split()[:2] == ["+9.5", "\u00b11.0"]
    assert told[-1].split()[:2] == ["+12.35", "\u00b11.00"]


def test_two_bots_are_needed() -> None:
    with pytest.raises(CannotAsk, match="1 bots; expected 2"):
        house_rules.jobs(replace(PLAN, bots=("club",)))
    with pytest.raises(CannotAsk, match="target cuda"):
        house_rules.jobs(replace(PLAN, target="cuda"))


@pytest.mark.parametrize("name", ["house-rules", "auctions", "cooperation"])
def test_the_study_of_the_same_name_is_shipped_and_can_be_asked(name: str) -> None:
    assert name in shipped()
    assert name in QUESTIONS
    study = read(SHIPPED / f"{name}.toml")
    assert (study.name, study.questions) == (name, [name])
    plan = study.plan(Path())
    jobs = question(name).jobs(replace(plan, settings=plan.settings[:3]))
    assert len({job.name for job in jobs}) == len(jobs) > 0
    assert question(name).ABOUT
