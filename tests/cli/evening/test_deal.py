"""`rookery evening deal`: the files it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rookery.cli.evening.deal import DealtEvening
from rookery.cli.main import app
from rookery.record import read

KEY = "0f" * 32
HOWELL = ("--movement", "howell", "--people", "14")
SLIPS = ("hand-slips.txt", "order-slips.txt", "dealing-slips.txt")


def deal(out: Path, *words: str, name: str = "Friday") -> Result:
    return CliRunner().invoke(app, ["evening", "deal", name, "--out", str(out), *words])


def test_everybody_has_their_file_and_the_fingerprint_is_that_of_the_key(tmp_path: Path) -> None:
    done = deal(tmp_path, *HOWELL, "--key", KEY, "--json")
    assert done.exit_code == 0, done.output
    found = DealtEvening.model_validate(json.loads(done.stdout))
    assert (found.evening, found.deals) == ("Friday", 14)
    assert found.files == [
        *("fingerprint.txt", *SLIPS),
        *("table-cards.txt", "pair-cards.txt", "opened.json"),
    ]
    texts = {name: (tmp_path / name).read_text() for name in found.files}
    assert found.fingerprint in texts["fingerprint.txt"]
    opened = tmp_path / "opened.json"
    checked = CliRunner().invoke(app, ["verify-deal", str(opened), "--promised", found.fingerprint])
    assert checked.exit_code == 0, checked.output
    # The key is in no file but the one that is shown in the end, and is not printed.
    assert [name for name, text in texts.items() if KEY in text] == ["opened.json"]
    assert KEY not in done.output
    for name, text in texts.items():
        if name != "opened.json":
            assert max(map(len, text.splitlines())) <= 80, name
    for name in SLIPS:
        assert texts[name].count("deal 14 ") == (5 if name == SLIPS[0] else 1), name
    hands = read(opened).hands
    assert " ".join((hands[13].deal or [[]])[0]) in texts["hand-slips.txt"]


def test_the_same_key_deals_the_same_and_no_key_deals_anew(tmp_path: Path) -> None:
    def printed(to: str, *words: str) -> str:
        assert deal(tmp_path / to, "--deals", "2", *words).exit_code == 0
        return (tmp_path / to / "hand-slips.txt").read_text()

    first = printed("a", "--key", KEY)
    assert printed("a", "--key", KEY) == printed("b", "--key", KEY) == first
    assert len({printed(to) for to in "cde"}) == 3
    assert not (tmp_path / "a" / "table-cards.txt").exists()
    # The key of deals that were printed is not written over.
    again = deal(tmp_path / "a", "--deals", "2")
    assert (again.exit_code, again.stderr.count("\n")) == (2, 1)
    assert "expected another folder" in again.stderr
    assert (tmp_path / "a" / "hand-slips.txt").read_text() == first


def test_what_a_person_reads(tmp_path: Path) -> None:
    said = deal(tmp_path, "--deals", "3", "--rules", "rook_two_1914").stdout
    assert said.startswith("Friday: 3 deals of ")
    one = deal(tmp_path / "one", "--deals", "1").stdout
    assert one.startswith("Friday: 1 deal of ")
    assert ", 1 deal\n" in (tmp_path / "one" / "fingerprint.txt").read_text()
    assert max(map(len, said.splitlines())) <= 80
    assert "Blind" in (tmp_path / "dealing-slips.txt").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--deals: how many deals? Expected a number, or --movement and --people"),
        (("--deals", "4", *HOWELL), "--deals: how many deals? Expected a number, or --mov"),
        (("--deals", "0"), "--deals 0: expected a number from 1 to 1000"),
        (("--movement", "howell"), "--people: how many people play?"),
        (("--movement", "swiss"), "--movement swiss: expected one of mitchell, relay, howell"),
        (("--movement", "howell", "--people", "60"), "howell, 30 pairs: expected 20 at most"),
        (("--deals", "4", "--key", "00"), "--key: expected 64 hexadecimal digits"),
        (("--deals", "4", "--key", "x" * 64), "--key: expected 64 hexadecimal digits"),
        (("--deals", "4", "--rules", "nope"), 'rules: no variant is called "nope"'),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = deal(tmp_path / "new", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["2026-11-23", "", "x" * 65])
def test_a_name_that_will_not_do_is_one_line(name: str, tmp_path: Path) -> None:
    done = deal(tmp_path, "--deals", "2", name=name)
    assert done.exit_code == 2
    assert "NAME: expected up to 64 printable characters, and no day" in done.stderr


def test_rules_by_which_nearly_every_deal_may_be_thrown_in_are_one_line(tmp_path: Path) -> None:
    few = tmp_path / "few.toml"
    few.write_text('base = "kd_tournament"\nbid_minimum = 5\nbid_maximum = 20\n[counters]\n')
    done = deal(tmp_path / "new", "--deals", "2", "--rules", str(few))
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
    assert f"--rules {few}: redeal: with 1 counter hardly a deal gives each" in done.stderr
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = deal(tmp_path / "file" / "new", "--deals", "2")
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
