"""`rookery.evaluate`: whom a policy meets, what the report says, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import numpy as np
import pytest
from tests.envs.evaluation.policies import Watching, steady, timid

import rookery
from rookery.bots.register import UnknownBot
from rookery.envs.evaluation.evaluate import BadEvaluation, evaluate, rung
from rookery.envs.evaluation.report import BadReport, Evaluation, Meeting, read
from rookery.lab.duplicate.holdout import LookedAlready
from rookery.lab.duplicate.match import LOOK
from rookery.lab.duplicate.result import Result
from rookery.rules import RulesError

SMALL: dict[str, Any] = {"deals": 6, "target": "python", "name": "mine"}


def told(policy: Any = steady, **more: Any) -> Evaluation:  # noqa: ANN401
    return evaluate(policy, **{**SMALL, **more})


def test_it_meets_every_rung_with_every_partner() -> None:
    found = told()
    assert found.name == "mine"
    assert [(one.opponent, one.partner) for one in found.meetings] == [
        (opponent, partner)
        for opponent in ("beginner", "casual", "club")
        for partner in ("self", "known", "unknown")
    ]
    casual = "papa:partner=noticed"
    assert [one.seats for one in found.meetings[3:6]] == [
        ["mine", casual],
        ["mine", casual, casual, casual],
        ["mine", casual, f"one of rabbit, {casual}, club", casual],
    ]
    assert [one.rooms for one in found.meetings] == [2, 4, 4] * 3
    assert {one.deals for one in found.meetings} == {6}
    assert {one.illegal for one in found.meetings} == {0}


def test_a_meeting_has_the_shape_of_a_match_and_the_report_that_of_its_schema() -> None:
    found = told(sprt=(0, 30))
    for one in found.model_dump(mode="json")["meetings"]:
        jsonschema.validate(one, Result.model_json_schema())
        assert set(Result.model_fields) < set(one)
    jsonschema.validate(found.model_dump(mode="json"), Evaluation.model_json_schema())


def test_where_nobody_has_a_partner_it_sits_alone() -> None:
    found = told(rules="call_partner_5", opponents=["beginner"])
    assert [(one.partner, one.seats) for one in found.meetings] == [("alone", ["mine", "rabbit"])]
    assert "nobody" in str(found)


def test_the_same_again_is_the_same_and_other_deals_are_not() -> None:
    one, same, other, tuning = (
        told(opponents=["beginner"], **more) for more in ({}, {}, {"seed": 2}, {"family": "tuning"})
    )
    figures = [[m.model_copy(update={"seconds": 0.0}) for m in x.meetings] for x in (one, same)]
    assert figures[0] == figures[1]
    results = [[m.difference for m in x.meetings] for x in (one, other, tuning)]
    assert results[0] not in results[1:]
    assert results[1] != results[2]


def test_a_seed_of_numpy_is_reported_as_it_was() -> None:
    seed = 2**62 + 1
    found = told(opponents=["beginner"], partners=["self"], deals=np.int64(2), seed=np.int64(seed))
    assert (found.seed, found.meetings[0].seed) == (seed, seed)


def test_a_policy_that_never_bids_beats_who_bids_on_hope() -> None:
    """As the page on a first bot has it: `rabbit` pays for what it bids."""
    found = told(timid, deals=60, opponents=["beginner"], partners=["self"]).meetings[0]
    assert found.difference.ci95
    assert found.difference.ci95[0] > 20
    lost = told(deals=60, opponents=["beginner"], partners=["self"]).meetings[0]
    assert lost.difference.ci95
    assert lost.difference.ci95[1] < -50


def test_it_is_told_who_sits_opposite_where_that_is_known() -> None:
    watching = Watching()
    told(watching, opponents=["beginner", "club"], deals=2)
    assert watching.told == ["self", "beginner", None, "self", "club", None]


def test_bots_that_search_are_opponents_and_partners() -> None:
    found = told(
        opponents=["expert:rollouts=2", "papa"], partners=["known", "unknown"], deals=2
    ).meetings
    assert [one.seats[2] for one in found] == [
        "expert:rollouts=2", "one of expert:rollouts=2, papa", "papa",
        "one of expert:rollouts=2, papa",
    ]  # fmt: skip
    assert {(one.illegal, sum(one.fallbacks)) for one in found} == {(0, 0)}
    assert str(rung("strong")) == "expert:rollouts=200:ms=600000"


def test_a_test_ends_a_match_early() -> None:
    found = told(deals=100, opponents=["beginner"], partners=["self"], sprt=(-20, 0)).meetings[0]
    assert found.test is not None
    assert found.test.answer == "low"
    assert found.deals == LOOK


def test_progress_counts_all_deals() -> None:
    seen: list[tuple[int, int]] = []
    told(opponents=["beginner", "club"], partners=["self"],
         progress=lambda done, whole: seen.append((done, whole)))  # fmt: skip
    assert seen[-1] == (12, 12)
    assert sorted(seen) == seen


def test_an_evaluation_on_the_holdout_that_was_stopped_may_be_made_again(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "family": "holdout", "ledger": tmp_path / "looks", "opponents": ["beginner", "club"],
        "partners": ["self"],
    }  # fmt: skip

    def stop(done: int, _: int) -> None:
        if done > SMALL["deals"]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        told(**given, progress=stop)
    assert len(told(**given).meetings) == 2
    with pytest.raises(LookedAlready):
        told(**given)


def test_the_holdout_is_looked_at_once_by_each_name(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "family": "holdout", "ledger": tmp_path / "looks", "opponents": ["beginner"],
        "partners": ["self"],
    }  # fmt: skip
    told(**given)
    with pytest.raises(LookedAlready, match=r"holdout was used .*, so take the family"):
        told(**given, seed=3)
    assert told(**{**given, "name": "another"}).meetings
    with pytest.raises(LookedAlready):  # the same ledger, by the name of its file
        told(**{**given, "ledger": str(given["ledger"])})


def test_the_report_fits_a_terminal_and_says_what_was_found() -> None:
    found = told(opponents=["beginner", "expert:rollouts=1:style=bold"], sprt=(0, 5), deals=2)
    lines = str(found).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "mine: kd_tournament, validation deals, seed 1"
    rows = [line.split() for line in lines[3:9]]
    assert [row[0] for row in rows] == ["beginner"] * 3 + ["expert:rollouts=1:st~"] * 3
    mean = found.meetings[0].difference.mean
    assert f"{mean:+.2f}" in lines[3]
    assert " ".join(lines).count("it does not know yet, after 2 deals.") == 6


def test_a_report_is_read_as_it_was_written(tmp_path: Path) -> None:
    found = told(opponents=["beginner"])
    path = tmp_path / "mine.json"
    path.write_text(found.model_dump_json(indent=1))
    assert read(path) == found
    assert isinstance(read(path).meetings[0], Meeting)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda held: "{", "is no JSON"),
        (lambda held: [], "the whole file: input should be"),
        (lambda held: held | {"format": "other/1"}, "format: input should be 'rookery-"),
        (lambda held: held | {"name": "<b>|"}, "name: string should match pattern"),
        (lambda held: held | {"meetings": []}, "meetings: list should have at least 1 item"),
        (lambda held: "[" * 100_000, "is no JSON (nested too deep)"),
        (lambda held: held | {"meetings": [{}]}, "meetings.0.rules: field required"),
    ],
)  # fmt: skip
def test_a_bad_file_is_told_in_one_line(tmp_path: Path, change: Any, words: str) -> None:  # noqa: ANN401
    path = tmp_path / "bad.json"
    held = told(opponents=["beginner"], partners=["self"], deals=2).model_dump(mode="json")
    changed = change(held)
    path.write_text(changed if isinstance(changed, str) else json.dumps(changed))
    with pytest.raises(BadReport) as why:
        read(path)
    assert str(why.value).startswith(f"{path}: ")
    assert words in str(why.value)
    assert str(why.value).endswith("expected a report of rookery.evaluate")
    assert "\n" not in str(why.value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"deals": 1}, "deals 1: expected a whole number, 2 to"),
        ({"deals": 2.5}, "deals 2.5: expected a whole number, 2 to"),
        ({"sprt": (0, float("inf"))}, "sprt (0, inf): expected two means"),
        ({"sprt": (0,)}, "sprt (0,): expected two means"),
        ({"sprt": 5}, "sprt 5: expected two means"),
        ({"opponents": "club"}, "opponents 'club': expected a list of names, such as ['club']"),
        ({"partners": "self"}, "partners 'self': expected a list of some of self, known, unknown"),
        ({"seed": -1}, "seed -1: expected a whole number, 0 to 2^63 - 1"),
        ({"seed": "1"}, "seed '1': expected a whole number, 0 to 2^63 - 1"),
        ({"name": 3}, "name 3: expected 1 to 40 of letters"),
        ({"target": "foo"}, "target 'foo': expected python, native"),
        ({"name": ""}, "name '': expected 1 to 40 of letters"),
        ({"name": "a|b"}, "name 'a|b': expected 1 to 40 of letters"),
        ({"name": "Club"}, "name 'Club': is a bot's name; expected another"),
        ({"opponents": []}, "opponents []: expected a list of names, such as ['club']"),
        ({"opponents": [None]}, "opponents [None]: expected a list of names"),
        ({"opponents": 5}, "opponents 5: expected a list of names"),
        ({"partners": 5}, "partners 5: expected a list of some of self, known, unknown"),
        (
            {"partners": ["friend"]},
            "partners ['friend']: expected a list of some of self, known, unknown",
        ),
        ({"partners": []}, "partners []: expected a list of some of"),
        ({"family": "mine"}, "family 'mine': expected tuning, validation, holdout"),
        ({"sprt": (5, 0)}, "sprt (5, 0): expected two means, the lower first"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_before_anything_is_played(
    given: dict[str, Any], words: str
) -> None:
    watching = Watching()
    with pytest.raises(BadEvaluation) as why:
        told(watching, **given)
    assert words in str(why.value)
    assert watching.given == []


def test_rules_come_from_wherever_they_are_loaded(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('bid_minimum = 60\nname = "Ours"\n')
    for rules in (file, str(file), {"bid_minimum": 60, "name": "Ours"}):
        found = told(rules=rules, opponents=["beginner"], partners=["self"], deals=2)
        assert found.rules == (rules if isinstance(rules, str) else "Ours")
    with pytest.raises(TypeError, match="rules: expected"):
        told(rules=None)


def test_unknown_bots_and_rules_are_refused() -> None:
    with pytest.raises(UnknownBot, match="'nobody' is no bot"):
        told(opponents=["nobody"])
    with pytest.raises(RulesError):
        told(rules="nonsense")


def test_it_is_a_name_of_the_package() -> None:
    assert rookery.evaluate is evaluate
