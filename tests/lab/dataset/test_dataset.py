"""A data set: a match's hands, resumable, described in full, in the layout that others read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import polars as pl
import pytest
import yaml

from rookery.files import write_file
from rookery.lab.dataset import making
from rookery.lab.dataset.card import card, columns
from rookery.lab.dataset.making import DataSet, FolderTaken, PartsLost, clear_parts, make
from rookery.lab.dataset.read import FACTS, Facts, NoDataSet, facts_of, hand_by_hand, sample, scan
from rookery.lab.duplicate.match import play_match
from rookery.lab.duplicate.result import result_of
from rookery.lab.rows.record import record_of
from rookery.lab.rows.rows import plan_rows
from rookery.lab.rows.schema import TABLES
from rookery.lab.run.jobs import Chunk, InParts, Job, Sums, Threads
from rookery.lab.run.journal import FileJournal
from rookery.lab.studies.question import Plan, Setting
from rookery.record import dumps, loads, replay
from rookery.rules import load

VARIANTS = ("kd_tournament", "call_partner_5", "rook_two_1914", "circus", "wanamingo")


def asked(variant: str = "kd_tournament", deals: int = 6, *bots: str) -> DataSet:
    return DataSet(Setting(variant, load(variant)), bots or ("random", "papa"), deals, 5)


def made(folder: Path, what: DataSet) -> Facts:
    facts = make(what, folder, executor=Threads(1))
    clear_parts(folder)
    return facts


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "PART", 2)
    monkeypatch.setattr(making, "FILE", 4)


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    return {name: frame.collect() for name, frame in scan(folder).items()}


@pytest.mark.parametrize("variant", VARIANTS)
def test_its_rows_are_those_of_compiled_play(variant: str, tmp_path: Path) -> None:
    what = asked(variant)
    made(tmp_path, what)
    plan = Plan((what.setting,), what.bots, what.deals, what.seed, "python")
    found = list(plan_rows(plan, what.deals))
    there = tables(tmp_path)
    for name in ("hands", "tricks"):
        assert there[name].equals(pl.concat([one[name] for one in found]))
    # A hand does not keep the order in which the cards of a discard were chosen.
    wanted = pl.concat([one["decisions"] for one in found])
    for frame in (there["decisions"], wanted):
        assert frame.schema == TABLES["decisions"].schema
    sort = ["hand", "phase", "action"]
    grouped = pl.col("phase").is_in(["nest", "call"])
    rest = [frame.filter(~grouped) for frame in (there["decisions"], wanted)]
    assert rest[0].equals(rest[1])
    some = [
        frame.filter(grouped).sort(sort).drop("step", "choices")
        for frame in (there["decisions"], wanted)
    ]
    assert some[0].equals(some[1])


def test_bots_that_search_are_in_it_and_their_hands_replay(tmp_path: Path) -> None:
    what = asked("kd_tournament", 2, "expert:rollouts=20:ms=600000", "club")
    facts = made(tmp_path, what)
    there = tables(tmp_path)
    assert set(there["hands"]["bots"].explode()) == {*what.bots}
    for row in range(4):
        one = there["hands"][row : row + 1]
        record = record_of(one, there["decisions"], what.setting.rules)
        (hand,) = replay(loads(dumps(record))).hands
        assert hand.score == one["score"][0].to_list()
    result = result_of(play_match(what.match, executor=Threads(1)))
    assert facts.points_a_board == result.difference.mean


class Stopping(Threads):
    def work(
        self, jobs: Mapping[str, Job], chunks: Iterator[Chunk]
    ) -> Iterator[tuple[Chunk, Sums]]:
        yield from islice(super().work(jobs, chunks), 2)
        raise KeyboardInterrupt


def test_a_part_may_be_left_after_each_of_its_deals(tmp_path: Path) -> None:
    what = asked(deals=4)
    job = what.job(tmp_path)
    assert isinstance(job, InParts)
    parts = job.parts(0, 2)
    assert [next(parts)[0], next(parts)[0]] == [0, 0]
    parts.close()
    assert not any(tmp_path.iterdir())
    # The control: one that is not left is written, and counted by then.
    counted = [size for size, _ in job.parts(2, 2)]
    assert counted == [0, 0, 2]
    assert len([*tmp_path.glob("*-000000000002.parquet")]) == len(TABLES)


def test_its_files_are_on_the_disk_before_its_parts_may_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: set[int] = set()
    sync = os.fsync

    def watched(descriptor: int) -> None:
        synced.add(os.fstat(descriptor).st_ino)
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    make(asked(deals=5), tmp_path, executor=Threads(1))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 2 * len(TABLES)
    assert [path.name for path in files if path.stat().st_ino not in synced] == []


def test_it_goes_on_where_it_was_stopped_and_comes_to_the_same_files(tmp_path: Path) -> None:
    what, whole, folder = asked(deals=9), tmp_path / "whole", tmp_path / "stopped"
    whole.mkdir()
    folder.mkdir()
    made(whole, what)
    with FileJournal(folder / "journal", what.run) as journal, pytest.raises(KeyboardInterrupt):
        make(what, folder, executor=Stopping(1), journal=journal)
    assert not (folder / "data").exists()
    assert not (folder / "README.md").exists()
    parts = {path.name: path.stat().st_mtime_ns for path in (folder / "parts").iterdir()}
    with FileJournal(folder / "journal", what.run) as journal:
        assert journal.counted("deals").spans == [(0, 4)]
        asked_for: list[int] = []

        class Watched(Threads):
            def work(
                self, jobs: Mapping[str, Job], chunks: Iterator[Chunk]
            ) -> Iterator[tuple[Chunk, Sums]]:
                for chunk, sums in super().work(jobs, chunks):
                    asked_for.append(chunk.first)
                    yield chunk, sums

        make(what, folder, executor=Watched(1), journal=journal)
        journal.remove()
    clear_parts(folder)
    assert asked_for == [4, 6, 8]
    assert len(parts) >= 6
    written = [
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (whole, folder)
    ]
    assert written[0] == written[1]
    names = sorted(path.name for path in (folder / "data").iterdir())
    assert names[:3] == [f"decisions-0000{i}-of-00003.parquet" for i in range(3)]


def test_a_lost_part_is_said_and_nothing_is_put_together(tmp_path: Path) -> None:
    what = asked(deals=6)
    with FileJournal(tmp_path / "journal", what.run) as journal, pytest.raises(KeyboardInterrupt):
        make(what, tmp_path, executor=Stopping(1), journal=journal)
    (tmp_path / "parts" / f"hands-{0:012}.parquet").unlink()
    with FileJournal(tmp_path / "journal", what.run) as journal, pytest.raises(PartsLost) as lost:
        make(what, tmp_path, executor=Threads(1), journal=journal)
    assert f"hands-{0:012}.parquet: is gone, though the journal notes its deals" in str(lost.value)
    assert not (tmp_path / "data").exists()


def test_a_new_one_replaces_the_old_one(tmp_path: Path) -> None:
    made(tmp_path, asked(deals=6))
    made(tmp_path, asked(deals=2))
    assert len(list((tmp_path / "data").iterdir())) == 3
    assert len(tables(tmp_path)["hands"]) == facts_of(tmp_path).rows["hands"] == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "data", FACTS]


@pytest.mark.parametrize(
    "name",
    ["data/own.txt", "parts/own.txt", "parts/data/own.txt", "data", "parts", "README.md", FACTS],
)
def test_what_is_somebodys_own_is_refused_before_play_and_stays(name: str, tmp_path: Path) -> None:
    own = tmp_path / name
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("mine")
    with (
        FileJournal(tmp_path / "journal", asked().run) as journal,
        pytest.raises(FolderTaken, match=name.partition("/")[0]),
    ):
        make(asked(), tmp_path, executor=Threads(1), journal=journal)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [own]
    assert own.read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("data/notes.txt", "is no data set's"),
        ("data/hands-00000-of-00001.parquet/notes.txt", "is no data set's"),
        ("README.md", "was changed, or another version wrote it"),
    ],
)
def test_what_is_somebodys_own_stays_in_a_data_set_too(
    name: str, words: str, tmp_path: Path
) -> None:
    made(tmp_path, asked(deals=2))
    own = tmp_path / name
    if own.parent.is_file():
        own.parent.unlink()
    own.parent.mkdir(exist_ok=True)
    own.write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(FolderTaken, match=words):
        made(tmp_path, asked(deals=4))
    assert sorted(tmp_path.rglob("*")) == before
    assert own.read_text() == "mine"


@pytest.mark.parametrize("name", ["data/notes.txt", "README.md", FACTS])
def test_what_came_while_it_was_stopped_stays(name: str, tmp_path: Path) -> None:
    what, own = asked(deals=6), tmp_path / name
    with FileJournal(tmp_path / "journal", what.run) as journal, pytest.raises(KeyboardInterrupt):
        make(what, tmp_path, executor=Stopping(1), journal=journal)
    own.parent.mkdir(exist_ok=True)
    own.write_text("mine")
    with FileJournal(tmp_path / "journal", what.run) as journal, pytest.raises(FolderTaken):
        make(what, tmp_path, executor=Threads(1), journal=journal)
    assert own.read_text() == "mine"


@pytest.mark.parametrize(
    ("earlier", "writes"), [(False, 0), (False, 1), (True, 0), (True, 1), (True, 2)]
)
def test_one_killed_while_its_parts_are_put_together_goes_on(
    earlier: bool, writes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before its facts or its datasheet; an earlier one's datasheet is emptied first."""
    if earlier:
        made(tmp_path, asked(deals=2))
        (tmp_path / "README.md").chmod(0o600)
    what, written = asked(deals=4), list[Path]()

    def stopping(path: Path, data: bytes) -> None:
        if path.parent == tmp_path:
            if len(written) == writes:
                raise KeyboardInterrupt
            written.append(path)
        write_file(path, data)

    with FileJournal(tmp_path / "journal", what.run) as journal, monkeypatch.context() as killing:
        killing.setattr(making, "write_file", stopping)
        with pytest.raises(KeyboardInterrupt):
            make(what, tmp_path, executor=Threads(1), journal=journal)
    with FileJournal(tmp_path / "journal", what.run) as journal:
        facts = make(what, tmp_path, executor=Threads(1), journal=journal)
    assert facts.deals == facts_of(tmp_path).deals == 4
    assert (tmp_path / "README.md").read_text("utf-8") == card(facts)
    if earlier:
        assert (tmp_path / "README.md").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("rows", ["{}", '{"hands": "many"}'])
def test_facts_that_tell_of_no_data_set_are_somebodys_own(rows: str, tmp_path: Path) -> None:
    made(tmp_path, asked(deals=2))
    facts = json.loads((tmp_path / FACTS).read_text())
    (tmp_path / FACTS).write_text(json.dumps({**facts, "rows": json.loads(rows)}))
    before = (tmp_path / FACTS).read_bytes()
    with pytest.raises(FolderTaken, match="is no data set's"):
        made(tmp_path, asked(deals=4))
    assert (tmp_path / FACTS).read_bytes() == before


@pytest.mark.parametrize("name", ["data", "parts"])
def test_a_link_is_refused_even_in_a_data_set(name: str, tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    out.mkdir()
    made(out, asked(deals=2))
    if name == "data":
        (out / name).rename(elsewhere)
    else:
        elsewhere.mkdir()
    (out / name).symlink_to(elsewhere)
    before = sorted(elsewhere.iterdir())
    with pytest.raises(FolderTaken, match=f"{name}: is a link"):
        made(out, asked(deals=4))
    assert sorted(elsewhere.iterdir()) == before


def test_what_a_killed_run_left_is_no_hindrance(tmp_path: Path) -> None:
    """Killed before its first note, or just after its journal went."""
    parts = tmp_path / "parts"
    (parts / "data").mkdir(parents=True)
    (parts / f"hands-{0:012}.parquet").write_bytes(b"PAR1")
    (parts / ".0123456789abcdef").touch()
    made(tmp_path, asked(deals=2))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "data", FACTS]


# What is said of it.


def test_the_head_says_where_the_tables_are(tmp_path: Path) -> None:
    """Hugging Face's reads the YAML between the two lines of hyphens."""
    made(tmp_path, asked(deals=6))
    nothing, head, _ = (tmp_path / "README.md").read_text("utf-8").split("---\n", 2)
    assert nothing == ""
    known = yaml.safe_load(head)
    assert known["license"] == "mit"
    assert [one["config_name"] for one in known["configs"]] == [*TABLES]
    assert [one.get("default") for one in known["configs"]] == [True, None, None]
    for one in known["configs"]:
        files = sorted(tmp_path.glob(one["data_files"]))
        assert pl.read_parquet(files).schema == TABLES[one["config_name"]].schema


def test_every_field_has_a_type_a_unit_and_a_meaning() -> None:
    told = card(facts_of(sample()))
    for table in TABLES.values():
        assert columns(table) in told
        for line, column in zip(columns(table).splitlines()[2:], table.columns, strict=True):
            _, name, kind, unit, meaning, _ = line.split(" | ".strip())
            assert name.strip() == f"`{column.name}`"
            assert kind.strip()
            assert meaning.strip() == column.text
            # Only what is true or false has no unit.
            assert (unit.strip() == "-") == (column.kind == pl.Boolean)


def test_its_facts_are_those_of_its_files() -> None:
    facts = facts_of(sample())
    for name, frame in scan(sample()).items():
        assert frame.select(pl.len()).collect().item() == facts.rows[name]
    assert (sample() / "README.md").read_text("utf-8") == card(facts)
    size = sum(path.stat().st_size for path in sample().rglob("*") if path.is_file())
    assert size < 150_000


def test_the_datasheet_says_of_other_bots_what_is_so_of_them() -> None:
    other = {"bots": ["papa", "exec:mine"], "points_a_board": -3.0, "made": {"papa": 0.5}}
    facts = facts_of(sample()).model_copy(update=other)
    text = card(facts)
    assert "expert" not in text
    assert "by bots, outside programs among them; no person played" in text
    assert "`papa` was behind by 3.00 points a board" in text
    assert 'bots=["papa"]' in text


def test_the_sample_is_what_its_command_makes(tmp_path: Path) -> None:
    """The boards of `club` and `expert`, of which the first is played again."""
    facts = facts_of(sample())
    what = DataSet(Setting(facts.rules, load(facts.rules)), tuple(facts.bots), 1, facts.seed)
    made(tmp_path, what)
    first = tables(tmp_path)
    kept = {
        name: frame.filter(pl.col("hand") < 2).collect() for name, frame in scan(sample()).items()
    }
    assert len(kept["hands"]) == 2
    assert all(first[name].equals(kept[name]) for name in TABLES)


@pytest.mark.parametrize(
    "content", [None, "[]", "{}", "1", "[" * 99_999, '{"rules": "kd_tournament"}']
)
def test_a_folder_without_a_data_set_is_refused(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / FACTS).write_text(content)
    with pytest.raises(NoDataSet, match="expected the facts of a data set"):
        facts_of(tmp_path)
    with pytest.raises(NoDataSet, match=r"has no data/hands-\*.parquet"):
        scan(tmp_path)


def test_hands_come_with_their_decisions(tmp_path: Path) -> None:
    made(tmp_path, asked(deals=6))
    there = tables(tmp_path)
    found = list(hand_by_hand(tmp_path, batch=5))
    assert [row["hand"] for row, _ in found] == there["hands"]["hand"].to_list()
    assert [step for _, steps in found for step in steps] == there["decisions"].to_dicts()


def test_the_facts_are_json(tmp_path: Path) -> None:
    facts = made(tmp_path, asked(deals=2))
    kept = json.loads((tmp_path / FACTS).read_text())
    assert kept["rows"] == facts.rows
    assert facts_of(tmp_path) == facts
