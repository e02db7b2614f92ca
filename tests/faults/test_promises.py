"""The page of the promises is what the kept results give, and leaves nothing out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.faults import promises, whole
from tests.faults.promised import PROMISES
from tests.faults.promises import ROOT, Control, Result, added, keep, kept
from tests.faults.promises_page import PAGE, page, searching, verdict
from tests.faults.whole import CAMPAIGNS, Campaign, carry_out


def a_result(size: int = 10, **changes: object) -> Result:
    control = Control("an early answer", caught=True, counts={"lost": 3})
    made = Result("P1", "", "kills", size, 20, True, {"lost": 0, "acked": 5}, 7, 1.0, "scripts/x")
    made = msgspec.structs.replace(made, times={"back": [1.0, 3.0]}, control=control)
    return msgspec.structs.replace(made, **changes)


def test_the_page_is_what_the_results_give() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(kept())


def test_what_a_core_carries_of_bots_that_search_is_the_most_without_a_stand_in(
    tmp_path: Path,
) -> None:
    kept_here = tmp_path / "tables.json"
    crowds = [
        {"tables": tables, "p50_ms": 9.0, "p99_ms": 51.2, "stood_in": {"busy": 3} if late else {}}
        for tables, late in ((40, True), (20, False), (10, False))
    ]
    named = {"bot": "expert", "day": "2026-11-20", "machine": "2-core", "command": "x"}
    kept_here.write_text(json.dumps({**named, "found": {"crowds": crowds}}))
    told = searching(kept_here)
    assert "a core carries 20 tables, p50 9 ms, p99 51 ms" in told
    assert "at 40 the `club` bot stood in 3 times" in told
    assert searching() in PAGE.read_text(encoding="utf-8")


def test_every_promise_is_there_with_its_tests() -> None:
    numbers = [int(name.removeprefix("P")) for name in PROMISES]
    assert numbers == sorted(set(numbers))
    assert set(range(1, 22)) <= set(numbers)
    for promise in PROMISES.values():
        assert promise.reduced
        for path in promise.reduced:
            assert (ROOT / path).is_file(), path
    for command in (promise.full for promise in PROMISES.values()):
        assert (ROOT / command.split()[0]).is_file(), command
    for one in kept():
        assert one.promise in PROMISES, one.name


def test_one_command_shows_every_part_of_every_promise() -> None:
    shown = {name for campaign in CAMPAIGNS.values() for name in campaign.files}
    for name, promise in PROMISES.items():
        for part in promise.parts:
            assert a_result(promise=name, part=part).name in shown


def test_a_campaign_goes_on_where_it_was_and_does_not_forget_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[int, int]] = []

    def run(size: int, seed: int, done: int) -> list[Result]:
        ran.append((size, done))
        return [a_result(size, seed=seed, held=done != 5)]

    monkeypatch.setitem(CAMPAIGNS, "kills", Campaign(("P1",), 10, 5, run))
    assert carry_out("kills", 0.5, 7, 1.0, tmp_path)
    assert not carry_out("kills", 1.0, 7, 1.0, tmp_path)
    assert ran == [(5, 0), (5, 5)]
    # What was not held stays so, until somebody looks into it.
    assert not carry_out("kills", 1.0, 7, 1.0, tmp_path)
    assert len(ran) == 2


@pytest.mark.parametrize(
    "error",
    [
        LookupError("no earlier program; is the clone whole?"),
        FileNotFoundError(2, "No such file", "initdb"),
        subprocess.CalledProcessError(128, ["git", "log"]),
    ],
)
def test_what_cannot_be_run_here_says_so_in_a_line_and_the_others_go_on(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[str] = []

    def run(size: int, seed: int, done: int) -> list[Result]:
        raise error

    def other(name: str, *_: object) -> bool:
        ran.append(name)
        return carry_out(name, 1.0, 7, 1.0, Path("nowhere")) if name == "updates" else True

    monkeypatch.setitem(CAMPAIGNS, "updates", Campaign(("P19",), 10, 5, run))
    monkeypatch.setattr(whole, "carry_out", other)
    monkeypatch.setattr(promises, "main", lambda: ran.append("the page"))
    monkeypatch.setattr(sys, "argv", ["scripts/promises", "--only", "P19"])
    assert whole.main() == 1
    assert ran == ["updates", "growth", "the page"]
    told = capsys.readouterr().out.splitlines()
    assert told == ["updates: 0 of 10", f"updates: cannot be run here: {error}"]


def test_a_mistake_of_a_campaigns_own_is_not_taken_for_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> bool:
        raise KeyError("a name that is nowhere")

    monkeypatch.setattr(whole, "carry_out", broken)
    with pytest.raises(KeyError, match="a name that is nowhere"):
        whole.attempted("updates", 1.0, 7, 1.0)


def test_a_promise_without_a_result_says_so() -> None:
    made = page([a_result()])
    assert made.count("Not shown at full size.") == len(PROMISES) - 1
    assert "held; not shown at full size: 10 of 20 kills" in made
    assert "found (lost: 3)" in made
    assert verdict([a_result(20)]) == "held, at full size"
    two = ("", "disk full")
    assert verdict([a_result(20)], two) == "held; not shown at full size: disk full in small only"


def test_what_was_not_held_is_not_hidden() -> None:
    broken = a_result(20, held=False)
    assert verdict([a_result(20), broken]) == "**not held**: kills"
    uncaught = a_result(control=Control("an early answer", caught=False))
    assert "**not found**" in page([uncaught])
    assert verdict([uncaught]) == "**not held**: kills"


def test_parts_of_a_run_add_up(tmp_path: Path) -> None:
    keep(a_result(), folder=tmp_path)
    with pytest.raises(ValueError, match="expected seed 7 with 5 done; seed 7 with 10"):
        keep(a_result(), 5, tmp_path)
    with pytest.raises(ValueError, match="expected seed 8"):
        keep(a_result(seed=8), 10, tmp_path)
    keep(a_result(control=None), 10, tmp_path)
    [one] = kept(tmp_path)
    assert (one.size, one.whole, one.counts) == (20, True, {"acked": 10, "lost": 0})
    assert one.times == {"back": [1.0, 3.0, 1.0, 3.0]}
    assert one.control is not None
    assert not added(one, a_result(held=False), 20).held
    keep(a_result(part="disk full"), folder=tmp_path)
    assert [each.name for each in kept(tmp_path)] == ["P1", "P1-disk-full"]
