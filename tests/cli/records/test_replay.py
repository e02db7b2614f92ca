"""`rookery replay`, run as a person runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.hands import EXAMPLES, RECORD, REPLAY
from typer.testing import CliRunner, Result

from rookery.cli.main import app
from rookery.fairness.day import DayDeal
from rookery.fairness.deal import deal_cards, proof
from rookery.fairness.evening import EveningDeals
from rookery.game import Hand
from rookery.record import of_hand
from rookery.rules import load, variant

EXAMPLE = EXAMPLES / "two_hands.json"
WRONG = json.dumps(RECORD).replace("0 play G9", "0 play R6")


def rookery(*words: str | Path, stdin: str | bytes = b"") -> Result:
    return CliRunner().invoke(app, list(map(str, words)), input=stdin)


def alone(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a few lines of Python in a process of their own."""
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize(
    ("closed", "file", "status", "said"),
    [
        ("", "-", 2, "-: bad-json"),
        ("<&-", "-", 2, "-: bad-json"),
        (">&-", str(EXAMPLE), 0, ""),
        ("2>&-", "nowhere", 2, ""),
    ],
)
def test_a_stream_that_is_closed_is_an_empty_one(
    closed: str, file: str, status: int, said: str
) -> None:
    """Whoever starts a program may have closed its streams: a timer of the system, say."""
    program = "from rookery.cli.main import app; app()"
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-c", program, "replay", file],
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == bool(said)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "cp1252"])
def test_json_is_json_in_whatever_encoding_it_is_printed(encoding: str) -> None:
    """As on Windows, where what goes to a file or a pipe is in the encoding of the country."""
    text = "1 é 🐦"
    hand = {"dealer": 0, "seed": 7, "actions": [text]}
    done = subprocess.run(
        [sys.executable, "-c", "from rookery.cli.main import app; app()", "replay", "-", "--json"],
        input=json.dumps({"format": "rookery/1", "rules": "dixie", "hands": [hand]}).encode(),
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    told = done.stdout.decode(encoding)
    assert json.loads(told)["error"]["text"] == text
    assert (text in told) == (encoding == "utf-8")


def test_a_record_with_all_defaults_of_the_schema_can_be_read() -> None:
    """As a client that is made from the schema writes it."""
    schema = json.loads(rookery("schema", "record").stdout)
    hand = {"dealer": 0, "seed": 7}
    whole = {"format": "rookery/1", "rules": "dixie", "hands": [hand]}
    for fields, kind in ((whole, schema), (hand, schema["$defs"]["HandDocument"])):
        told = kind["properties"].items()
        fields |= {name: one["default"] for name, one in told if "default" in one}
    assert hand == {"dealer": 0, "seed": 7, "actions": []}
    assert rookery("replay", "-", stdin=json.dumps(whole)).exit_code == 0


def test_json_is_what_the_contract_says() -> None:
    done = rookery("replay", EXAMPLE, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout) == REPLAY


def test_a_dash_reads_standard_input() -> None:
    done = rookery("replay", "-", "--json", stdin=EXAMPLE.read_bytes())
    assert json.loads(done.stdout) == REPLAY


def test_the_story_fits_eighty_columns_and_has_it_all() -> None:
    done = rookery("replay", EXAMPLE)
    story = done.stdout
    assert done.exit_code == 0
    assert max(len(line) for line in story.splitlines()) <= 80
    for words in (
        "Kentucky Discard, Tournament rules",
        "Hand 0, dealt by Di: Cy plays 75, black",
        "Nest            R5 R7 G13 B6 B8",
        "Cy bid 75; Di pass; Cy discard R5 R7 G5 G9 Y7",
        "1 (R10)     RK*   R12     R9       30",
        "Ann & Cy 45, Bo & Di 75",
        "Ann -75, Bo 75, Cy -75, Di 75",
    ):
        assert words in story


def of_a_table(nest_first: int = 0) -> str:
    """Return the record of a hand that a table dealt; other cards than its own where asked."""
    rules, key = load("kd_tournament"), bytes(range(32))
    shares = ["", "11" * 16, "", ""]
    deal, nest = deal_cards(rules, "ABCDEF2", 3, key, shares)
    shown = proof(rules, "ABCDEF2", 3, key, shares)
    nest = nest[nest_first:] + nest[:nest_first]
    hand = {"dealer": 0, "deal": deal, "nest": nest, "actions": [], "proof": shown}
    return json.dumps({"format": "rookery/1", "rules": "kd_tournament", "hands": [hand]})


def test_the_proof_of_a_deal_is_checked() -> None:
    done = rookery("replay", "-", stdin=of_a_table())
    assert done.exit_code == 0
    assert "as promised" in done.stdout
    done = rookery("replay", "-", stdin=of_a_table(nest_first=1))
    assert done.exit_code == 2
    assert "hand 0: bad-deal: its proof does not lead to these cards" in done.stderr
    nonsense = json.loads(of_a_table())
    for wrong in ("x", {}, {**nonsense["hands"][0]["proof"], "key": "zz"}):
        nonsense["hands"][0]["proof"] = wrong
        done = rookery("replay", "-", "--json", stdin=json.dumps(nonsense))
        assert (done.exit_code, json.loads(done.stdout)["error"]["code"]) == (2, "bad-deal")


def test_a_proof_of_a_scheme_that_is_not_known_is_no_fault() -> None:
    later = json.loads(of_a_table())
    later["hands"][0]["proof"]["scheme"] = "rook-deal-2"
    done = rookery("replay", "-", stdin=json.dumps(later))
    assert (done.exit_code, done.stderr) == (0, "")
    assert "as promised" not in done.stdout
    done = rookery("verify-deal", "-", stdin=json.dumps(later))
    assert done.exit_code == 1
    assert "the proof is of another scheme" in " ".join(done.stdout.split())


def test_a_proof_binds_a_share_a_seat_and_the_rules() -> None:
    rules, key = load("kd_tournament"), bytes(range(32))
    for shares, other in ((["11" * 16] * 5, {}), ([""] * 4, {"rules": "0" * 64})):
        deal, nest = deal_cards(rules, "ABCDEF2", 3, key, shares)
        shown = {**proof(rules, "ABCDEF2", 3, key, shares), **other}
        hand = {"dealer": 0, "deal": deal, "nest": nest, "actions": [], "proof": shown}
        whole = {"format": "rookery/1", "rules": "kd_tournament", "hands": [hand]}
        done = rookery("replay", "-", stdin=json.dumps(whole))
        assert (done.exit_code, "hand 0: bad-deal: " in done.stderr) == (2, True)


def of_a_set(*dealt: tuple[Hand, dict[str, object]]) -> dict[str, Any]:
    """Return the record of a day's hand or an evening's, each with its proof."""
    hands = [{**of_hand(hand).written(), "proof": shown} for hand, shown in dealt]
    return {"format": "rookery/1", "rules": "kd_tournament", "hands": hands}


DAY = DayDeal(variant("kd_tournament"), "2026-11-23", "kentucky", bytes(range(32)))
EVENING = EveningDeals(variant("kd_tournament"), "Friday", 4, bytes(range(32)))
SETS = {
    "day": lambda ended: of_a_set((DAY.hand(), DAY.proof(ended=ended))),
    "evening": lambda ended: of_a_set(
        *((EVENING.hand(n), EVENING.proof(n, ended=ended)) for n in (1, 3))
    ),
}


@pytest.mark.parametrize("of", SETS)
def test_the_proof_of_a_day_or_an_evening_is_checked(of: str) -> None:
    whole = SETS[of](True)
    done = rookery("replay", "-", stdin=json.dumps(whole))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.count("as promised") == len(whole["hands"])
    last = len(whole["hands"]) - 1
    whole["hands"][last]["nest"].reverse()
    done = rookery("replay", "-", stdin=json.dumps(whole))
    assert (done.exit_code, f"hand {last}: bad-deal: " in done.stderr) == (2, True)


@pytest.mark.parametrize("of", SETS)
def test_a_deal_whose_key_is_not_shown_yet_is_not_said_to_be_promised(of: str) -> None:
    whole = SETS[of](False)
    bare = {**whole, "hands": [{**hand, "proof": None} for hand in whole["hands"]]}
    for told in (whole, bare):
        done = rookery("replay", "-", stdin=json.dumps(told))
        assert (done.exit_code, done.stderr) == (0, "")
        assert "as promised" not in done.stdout


def test_names_cannot_write_to_the_terminal() -> None:
    written = {**RECORD, "players": ["\x1b[31mAnn", "Zoë \u202e", "x" * 500, "\u2028"]}
    done = rookery("replay", "-", stdin=json.dumps(written))
    story = done.stdout
    assert done.exit_code == 0
    assert "\x1b" not in story
    assert "\u202e" not in story
    assert "Zoë" in story
    assert max(len(line) for line in story.splitlines()) <= 80


def test_an_illegal_action_is_one_line_or_one_document() -> None:
    done = rookery("replay", "-", stdin=WRONG)
    assert (done.exit_code, done.stdout) == (2, "")
    line = done.stderr
    assert line.startswith("-: hand 1, action 11 ('0 play R6'): must-follow: ")
    assert line.count("\n") == 1
    shown = rookery("replay", "-", "--json", stdin=WRONG)
    assert (shown.exit_code, shown.stderr) == (2, "")
    error = json.loads(shown.stdout)["error"]
    assert (error["hand"], error["action"], error["text"]) == (1, 11, "0 play R6")
    assert error["code"] == "must-follow"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "bad-json"),
        (b"\xff", "bad-json"),
        (b"{}", "bad-format"),
        (EXAMPLE.read_bytes()[:500], "bad-json"),
        (EXAMPLE.read_bytes().replace(b"kd_tournament", b"kd"), "unknown-rules"),
        (EXAMPLE.read_bytes().replace(b'"R8"', b'"R99"'), "unknown-card"),
        (EXAMPLE.read_bytes().replace(b'"R8"', b'"R10"'), "bad-deal"),
    ],
)
def test_bad_input_of_every_kind_is_one_line_and_one_document(data: bytes, code: str) -> None:
    done = rookery("replay", "-", stdin=data)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert code in done.stderr
    shown = rookery("replay", "-", "--json", stdin=data)
    assert shown.exit_code == 2
    assert json.loads(shown.stdout)["error"]["code"] == code


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("replay", "no/such/file"), "no/such/file: no such file or directory"),
        (("replay", "."), "is a directory"),
        (("replay",), "missing argument 'file'"),
        (("replay", "a", "b"), "unexpected extra argument"),
        (("replay", "--josn", "a"), "no such option: --josn"),
        (("reply",), "no such command 'reply'"),
        ((), "missing command"),
    ],
)
def test_bad_usage_is_one_line(words: tuple[str, ...], told: str) -> None:
    done = rookery(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr.lower()
    assert done.stderr.count("\n") == 1


def test_a_reader_who_leaves_early_hears_nothing() -> None:
    program = "from rookery.cli.main import app; app()"
    with subprocess.Popen(
        [sys.executable, "-c", program, "rules", "list", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


def test_the_version_is_told() -> None:
    done = rookery("--version")
    assert done.stdout.startswith("rookery ")
    module = [sys.executable, "-m", "rookery", "--version"]
    assert subprocess.run(module, capture_output=True, text=True).stdout == done.stdout


def test_one_hand_needs_no_compiler_and_help_needs_nothing() -> None:
    watch = (
        "import sys\nfrom rookery.cli.main import app\n"
        "try:\n    app()\nfinally:\n    print(sorted(sys.modules), file=sys.stderr)"
    )
    heavy = {"numpy", "numba", "polars", "matplotlib"}
    for words, also in ((["--help"], {"pydantic", "rich"}), (["replay", str(EXAMPLE)], {"rich"})):
        done = alone(watch, *words)
        assert done.returncode == 0
        loaded = set(done.stderr.replace("'", "").strip("[]\n").split(", "))
        assert "rookery.cli.main" in loaded
        assert not loaded & (heavy | also)
