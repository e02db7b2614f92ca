"""A lesson that does not teach what it says is refused, with a code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.lessons import LessonError, made, read
from rookery.lessons.source import FOLDER

Change = Callable[[dict[str, Any]], Any]


def first(change: Change) -> str:
    """Return the first lesson as it is written, changed."""
    written = json.loads((FOLDER / "first.json").read_text("utf-8"))
    change(written)
    return json.dumps(written)


def steps(written: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {step["id"]: step for step in written["lesson"]["steps"]}


def acts(written: dict[str, Any]) -> list[str]:
    actions: list[str] = written["hands"][0]["actions"]
    return actions


def goal(step: str, **wanted: object) -> Change:
    return lambda written: steps(written)[step].update(goal=wanted)


def field_of_a_step(key: str, value: object, step: str = "lead") -> Change:
    return lambda written: steps(written)[step].update({key: value})


def anything_goes(at: str) -> Change:
    return lambda written: steps(written)["lead"].update(at=at, goal={"any": True})


WRONG: dict[str, tuple[str, Change]] = {
    "an illegal action": ("must-follow", lambda w: acts(w).__setitem__(10, "0 play G14")),
    "a card not held": ("not-held", lambda w: acts(w).__setitem__(10, "0 play B13")),
    "no lesson": ("bad-lesson", lambda w: w.pop("lesson")),
    "an unknown field": ("bad-lesson", lambda w: w["lesson"].update(colour="red")),
    **{
        f"{key} of another kind: {value}": ("bad-lesson", field_of_a_step(key, value))
        for key, value in [
            *(
                ("id", ["a"]),
                ("at", 1),
                ("at", None),
                ("at", "play \u00b2"),
                ("at", f"play {10**9}"),
            ),
            *(("goal", True), ("goal", [[]]), ("find", 5), ("judge", []), ("back", {})),
        ]
    },
    **{
        f"a wish of another kind: {wanted}": ("bad-lesson", goal("lead", **wanted))
        for wanted in (
            *({"keeps": None}, {"card": [1]}, {"bid": [1]}, {"bid": [0, True]}, {"takes": "or"}),
            *({"passes": 1}, {"is": "pass"}),
        )
    },
    "steps that are none": ("bad-lesson", lambda w: w["lesson"].update(steps=1)),
    "a trick in the auction": ("bad-lesson", goal("bid", takes="me")),
    "an end without a way back": (
        "bad-lesson",
        lambda w: w["lesson"]["steps"][-1].update(goal={"score": 10**6}),
    ),
    "anything, and nothing": ("no-right-choice", goal("lead", any=True, card=["nothing"])),
    **{
        f"a goal where nothing is decided: {at}": ("bad-lesson", anything_goes(at))
        for at in ("now", "trick 1")
    },
    "an unknown place": ("bad-lesson", lambda w: steps(w)["lead"].update(at="somewhere")),
    "two steps of one name": ("bad-lesson", lambda w: steps(w)["lead"].update(id="bid")),
    "no such seat": ("bad-lesson", lambda w: w["lesson"].update(seat=4)),
    "no such bot": ("bad-lesson", lambda w: w["lesson"].update(bot="nobody")),
    "an unknown check": ("bad-lesson", goal("lead", shines=True)),
    "a place that never comes": ("never-comes", lambda w: steps(w)["lead"].update(at="play 1")),
    **{
        f"a solver before the play: {step}": (
            "bad-lesson",
            field_of_a_step("judge", "solver", step),
        )
        for step in ("bid", "nest", "trump")
    },
    "a goal that cannot fail": ("no-wrong-choice", goal("lead", keeps=["black"])),
    "a goal that cannot be reached": ("no-right-choice", goal("lead", card=["black"])),
    "nothing to point out": ("no-wrong-choice", lambda w: w_find(w, ["counter", "plain"])),
    "nobody to point out": ("no-right-choice", lambda w: w_find(w, ["rook"])),
    "a discard that cannot be wrong": ("no-wrong-choice", goal("nest", keeps=[])),
    "its own line fails": ("own-line-fails", goal("bid", bid=[80, 85])),
    "a wrong choice for nothing": (
        "costs-nothing",
        lambda w: steps(w)["lead"].update(judge="bots"),
    ),
}


def w_find(written: dict[str, Any], kinds: list[str]) -> None:
    steps(written)["counters"]["find"] = kinds


@pytest.mark.parametrize("what", WRONG)
def test_it_is_refused(what: str) -> None:
    code, change = WRONG[what]
    with pytest.raises(LessonError) as refused:
        made(read("first", first(change)))
    assert refused.value.code == code


def test_what_is_made_of_a_lesson_is_none(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["lessons", "make", str(tmp_path)]).exit_code == 0
    (file, *_) = sorted(tmp_path.iterdir())
    told = CliRunner().invoke(app, ["lessons", "check", str(file)])
    assert told.exit_code == 2
    assert told.stderr == (
        f'{file}: bad-format: format: expected "rookery/1", found nothing; expected a record with '
        "its steps, not what `rookery lessons make` writes\n"
    )


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(first(lambda written: None))
    good = CliRunner().invoke(app, ["lessons", "check", str(file)])
    assert good.exit_code == 0
    assert "8 steps" in good.stdout
    file.write_text(first(WRONG["a goal that cannot fail"][1]))
    bad = CliRunner().invoke(app, ["lessons", "check", str(file)])
    assert bad.exit_code == 1
    assert "lead" in bad.stderr
    for what in ("an illegal action", "no lesson", "a solver before the play: bid"):
        file.write_text(first(WRONG[what][1]))
        none = CliRunner().invoke(app, ["lessons", "check", str(file)])
        assert none.exit_code == 2
        assert none.stderr.count(WRONG[what][0]) == 1


def test_the_command_makes_every_file(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["lessons", "make", str(tmp_path / "new")])
    assert done.exit_code == 0
    assert (tmp_path / "new" / "first.json").is_file()
