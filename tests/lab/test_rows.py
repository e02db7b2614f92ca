"""Rows are the hands that a match counts, and any of them can be replayed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from rookery.bots.dispatch import kind_of
from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS, NAMES
from rookery.engine.state import Hidden, State
from rookery.lab.duplicate import boards as counted
from rookery.lab.rows import rows
from rookery.lab.rows.frames import Frames
from rookery.lab.rows.record import record_of
from rookery.lab.rows.rows import lineups, plan_rows, write_rows
from rookery.lab.rows.schema import TABLES
from rookery.lab.studies.question import Plan, Setting
from rookery.record import dumps, loads, replay
from rookery.rules import load
from rookery.rules.table import PLACES

ROOT = Path(__file__).parents[2]
SEED = 5
VARIANTS = (
    *("kd_tournament", "display", "boston", "circus", "wanamingo", "kd_standard_cards"),
    *("call_partner_5", "rook_two_1914", "rook_three_1914", "rook_1906_8"),
)


def plan(name: str, *bots: str, boards: int = 4) -> Plan:
    return Plan((Setting(name, load(name)),), bots, boards, SEED, "python")


def tables_of(asked: Plan, boards: int) -> Frames:
    told: list[tuple[int, int]] = []
    found = list(plan_rows(asked, boards, lambda *both: told.append(both)))
    whole = boards * sum(len(lineups(one.table, asked.bots)) for one in asked.settings)
    assert (told[0], told[-1]) == ((0, whole), (whole, whole))
    assert told == sorted(told)
    return {name: pl.concat([frames[name] for frames in found]) for name in TABLES}


@pytest.mark.parametrize("name", VARIANTS)
def test_rows_add_up_to_what_a_match_counts(name: str) -> None:
    boards = 4
    setting = Setting(name, load(name))
    table = setting.table
    (lineup,) = lineups(table, ["random", "papa"])
    seats = [kind_of(bot) for bot in lineup]
    rooms = counted.rooms_of(table, lineup)
    sums = [0] * counted.WIDTH
    counted.play_boards(
        table, State(), Hidden(), [SeatInfo() for _ in range(PLACES)], seats, [0] * PLACES,
        [0] * PLACES, [0] * CARDS, rooms, 1, SEED, 0, boards, sums,
    )  # fmt: skip
    found = tables_of(plan(name, "random", "papa"), boards)
    hands = found["hands"]
    assert len(hands) == boards * rooms
    assert len(found["decisions"]) == sums[counted.DECISIONS]
    assert (hands["ended"] == "redealt").sum() == sums[counted.UNSCORED]
    place = dict.fromkeys(("POINTS", "CONTRACTS", "MADE", "BID"), 0)
    for seat in range(table.seats):
        at = counted.BOTS + counted.EACH * seat
        for what in place:
            place[what] += sums[at + getattr(counted, what)]
    assert hands["score"].explode().sum() == place["POINTS"]
    contracts = hands.filter(pl.col("made").is_not_null())
    assert len(contracts) == place["CONTRACTS"]
    assert contracts["made"].sum() == place["MADE"]
    assert contracts["bid"].sum() == place["BID"]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_hand_replays_to_what_its_rows_say(name: str) -> None:
    asked = plan(name, "random", "papa")
    rules = asked.settings[0].rules
    found = tables_of(asked, 3)
    for number in range(len(found["hands"])):
        row = found["hands"].row(number, named=True)
        record = record_of(found["hands"][number : number + 1], found["decisions"], rules)
        (hand,) = replay(loads(dumps(record))).hands
        assert hand.over
        assert record.players == row["bots"]
        assert list(hand.score or []) == (row["score"] or [])
        assert list(hand.points or []) == [row["points"][one[0]] for one in hand.sides or []]
        assert hand.declarer == row["declarer"]
        tricks = found["tricks"].filter(pl.col("hand") == row["hand"])
        assert tricks.select("leader", "winner", "points").rows() == [
            (trick.leader, trick.winner, trick.points) for trick in hand.tricks
        ]
        assert tricks["cards"].to_list() == [
            [NAMES[rules.pack][card] for card in trick.cards] for trick in hand.tricks
        ]


def test_several_hands_make_one_record() -> None:
    asked = plan("kd_tournament", "papa", "hog")
    found = tables_of(asked, 2)
    record = record_of(found["hands"], found["decisions"], asked.settings[0].rules)
    scores = found["hands"]["score"].to_list()
    assert [sum(seat) for seat in zip(*scores, strict=True)] == list(replay(record).totals)


def test_batches_of_any_size_give_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = plan("call_partner_5", "random", "papa")
    whole = tables_of(asked, 4)
    monkeypatch.setattr(rows, "BATCH", 1)
    monkeypatch.setattr(rows, "USUAL", 0)  # room for the longest hand there can be, no more
    in_small = tables_of(asked, 4)
    assert all(whole[name].equals(in_small[name]) for name in TABLES)


@pytest.mark.numba
def test_compiled_code_writes_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "PLAIN", 0)
    plain = plan("kd_tournament", "papa", "rabbit")
    compiled = Plan(plain.settings, plain.bots, plain.boards, plain.seed, "numba")
    one, other = tables_of(plain, 4), tables_of(compiled, 4)
    assert all(one[name].equals(other[name]) for name in TABLES)


def test_the_files_hold_the_documented_columns(tmp_path: Path) -> None:
    asked = plan("kd_tournament", "papa", "rabbit")
    files = write_rows(tmp_path, plan_rows(asked, 4))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in files)
    there = tables_of(asked, 4)
    for name, table in TABLES.items():
        held = pl.read_parquet(tmp_path / f"{name}.parquet")
        assert held.schema == table.schema
        assert held.equals(there[name])


def test_many_parts_make_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = plan("kd_tournament", "papa", "rabbit")
    monkeypatch.setattr(rows, "BATCH", 2)
    monkeypatch.setattr(rows, "GROUP", 2)
    write_rows(tmp_path, plan_rows(asked, 4))
    there = tables_of(asked, 4)
    for name in TABLES:
        assert pl.read_parquet(tmp_path / f"{name}.parquet").equals(there[name])


def test_no_rows_are_files_too(tmp_path: Path) -> None:
    write_rows(tmp_path, [])
    assert pl.read_parquet(tmp_path / "tricks.parquet").schema == TABLES["tricks"].schema


def test_what_goes_wrong_leaves_the_old_files(tmp_path: Path) -> None:
    write_rows(tmp_path, [])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def ends() -> Iterator[Frames]:
        yield from plan_rows(plan("kd_tournament", "papa", "hog"), 1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_rows(tmp_path, ends())
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_full_disk_is_said_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk; the process is one of its own.

    It must write no bytecode: Python would leave it cut short, for everybody else to find.
    """
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from tests.lab.test_rows import *\n"
        "asked = plan('kd_tournament', 'papa', 'hog')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        f"try: write_rows(Path({str(tmp_path)!r}), plan_rows(asked, 4))\n"
        "except OSError as error: print(error)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'src'}", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "File too large" in ended.stdout
    assert str(tmp_path) in ended.stdout
    assert list(tmp_path.iterdir()) == []
