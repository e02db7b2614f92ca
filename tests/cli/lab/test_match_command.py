"""`rookery match`."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from typer.testing import CliRunner, Result

from rookery.cli.lab import meeting
from rookery.cli.main import app

ROOT = Path(__file__).resolve().parents[3]
PROMISED = [
    *("rules", "deals", "hands_played", "seats", "points_per_hand", "difference"),
    *("made", "illegal", "seconds"),
]


def match(*options: str) -> Result:
    return CliRunner().invoke(app, ["match", "--target", "python", *options])


def document(*options: str) -> dict[str, Any]:
    result = match("--json", *options)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_the_list_has_each_level_and_each_bot() -> None:
    listed = match("--list").stdout.splitlines()
    names = {line.split()[0] for line in listed if line.startswith("  ") and line[2] != " "}
    assert {"beginner", "casual", "club", "strong", "expert", "master", "papa", "open-hand"} < names


def test_the_document_has_the_promised_shape() -> None:
    found = document("--seats", "papa,karapet", "--deals", "30", "--rules", "kd_tournament")
    assert list(found)[: len(PROMISED)] == PROMISED
    assert (found["rules"], found["deals"], found["hands_played"]) == ("kd_tournament", 30, 60)
    assert found["seats"] == ["papa", "karapet"]
    low, high = found["difference"]["ci95"]
    assert low < found["difference"]["mean"] < high
    first, second = found["points_per_hand"]
    assert found["difference"]["mean"] == pytest.approx(first - second, abs=2e-4)
    assert all(0 <= share <= 1 for share in found["made"])
    assert (found["illegal"], found["fallbacks"]) == (0, [0, 0])
    assert found["seconds"] >= 0


def test_the_document_is_what_its_schema_says() -> None:
    schema = json.loads(CliRunner().invoke(app, ["schema", "match"]).stdout)
    for more in ((), ("--sprt", "0,90")):
        jsonschema.validate(document("--seats", "papa,random", "--deals", "100", *more), schema)
    assert set(PROMISED) <= set(schema["required"])


def test_one_name_a_seat() -> None:
    found = document("--seats", "papa,hog,karapet,rabbit,random", "--rules", "call_partner_5",
                     "--deals", "10")  # fmt: skip
    assert found["hands_played"] == 50
    assert len(found["points_per_hand"]) == len(found["made"]) == 5


def test_a_house_rule_file_will_do(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('base = "kd_tournament"\nbid_minimum = 50\n')
    found = document("--seats", "papa,hog", "--rules", str(path), "--deals", "5")
    assert found["rules"] == str(path)


def test_the_same_seed_gives_the_same_figures_on_any_number_of_threads() -> None:
    options = ("--seats", "papa,random", "--deals", "60", "--seed", "5")
    found = [document(*options, "--threads", n) for n in ("1", "2", "3")]
    for one in found:
        del one["seconds"]
    assert found[0] == found[1] == found[2]
    other = document("--seats", "papa,random", "--deals", "60", "--seed", "6")
    assert other["difference"] != found[0]["difference"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--seats", "club,random", "--deals", "40"), "Club is ahead of random by"),
        (("--seats", "random,club", "--deals", "40"), "Club is ahead of random by"),
        (("--seats", "random,club,random,club", "--deals", "40"), "The others are ahead of random"),
        (("--seats", "papa,papa", "--deals", "10"), "Papa and papa come out level on every deal."),
        (("--seats", "papa,karapet", "--deals", "4"), "Nobody is ahead for certain"),
        (
            ("--seats", "papa,random", "--deals", "900", "--sprt", "0,60"),
            "The test says +60 points a board rather than +0, after",
        ),
        (
            ("--seats", "papa,papa", "--deals", "60", "--sprt", "-1,1"),
            "does not know yet after 60 deals",
        ),
        (("--seats", "club,papa,random,hog", "--deals", "20"), "club's side"),
        (
            ("--seats", "papa,hog", "--rules", "call_partner_5", "--games", "10"),
            "An even share is 20.0 %.",
        ),
    ],
)
def test_the_report_fits_a_terminal_and_answers_the_question(
    options: tuple[str, ...], words: str
) -> None:
    result = match(*options)
    assert result.exit_code == 0, result.output
    assert max(map(len, result.stdout.splitlines())) <= 80
    told = " ".join(result.stdout.split())
    assert words.lower() in told.lower()
    assert "actions were checked against the rules; none was illegal" in told


def test_nothing_is_loaded_to_draw_with_where_nothing_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "rookery.lab.duplicate.picture", None)
    assert match("--seats", "papa,hog", "--deals", "2").exit_code == 0


def test_a_folder_and_a_picture_get_what_they_are_promised(tmp_path: Path) -> None:
    out, drawn = tmp_path / "new" / "match", tmp_path / "drawn.svg"
    options = ("--seats", "papa,hog", "--deals", "20")
    found = document(*options, "--out", str(out), "--picture", str(drawn))
    names = ["match.json", "match.png", "match.svg", "report.txt"]
    assert sorted(path.name for path in out.iterdir()) == names
    assert json.loads((out / "match.json").read_text())["difference"] == found["difference"]
    assert (out / "match.png").read_bytes().startswith(b"\x89PNG")
    assert (out / "match.svg").read_bytes() == drawn.read_bytes()


def test_a_program_of_somebody_elses_plays() -> None:
    program = f"exec:{sys.executable} {ROOT / 'examples' / 'stdio_bot.py'}"
    found = document("--seats", f"{program},papa", "--deals", "2", "--deadline", "120000")
    assert found["seats"] == [program, "papa"]
    assert (found["illegal"], found["fallbacks"]) == (0, [0, 0])


def test_what_a_program_does_wrong_is_told_and_counted(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(
        "import json, sys\n"
        "for message in map(json.loads, sys.stdin):\n"
        "    if message['type'] == 'act':\n"
        "        print(json.dumps({'id': message['id'], 'action': 'dance'}), flush=True)\n"
    )
    seats = f"exec:{sys.executable} {bad},papa"
    result = match("--seats", seats, "--deals", "2", "--deadline", "120000")
    assert result.exit_code == 0
    assert "were illegal" in result.stdout
    assert "Answered for" in result.stdout
    lines = result.stderr.splitlines()
    assert sum("'dance' is not a verb" in line for line in lines) == 20
    assert any(line.startswith("... and ") for line in lines)


def test_one_deal_has_no_interval(tmp_path: Path) -> None:
    options = ("--seats", "club,papa", "--deals", "1")
    found = document(*options, "--out", str(tmp_path))
    assert found["difference"]["ci95"] is None
    assert (found["deals"], found["hands_played"], found["worth"]) == (1, 2, None)
    first, second = found["points_per_hand"]
    assert found["difference"]["mean"] == pytest.approx(first - second, abs=2e-4)
    assert (tmp_path / "match.png").read_bytes().startswith(b"\x89PNG")
    schema = json.loads(CliRunner().invoke(app, ["schema", "match"]).stdout)
    jsonschema.validate(found, schema)
    told = " ".join(match(*options).stdout.split())
    assert "1 deal played twice" in told
    assert "points on this one deal, which gives no interval" in told


def test_whole_matches_are_told_and_written(tmp_path: Path) -> None:
    options = ("--seats", "club,papa", "--games", "6")
    found = document(*options, "--out", str(tmp_path))
    schema = json.loads(CliRunner().invoke(app, ["schema", "match-games"]).stdout)
    jsonschema.validate(found, schema)
    assert (found["games"], found["rooms"], found["target"]) == (6, 2, 300)
    low, high = found["won"]["ci95"]
    assert low < found["won"]["mean"] <= high
    assert json.loads((tmp_path / "games.json").read_text())["won"] == found["won"]
    result = match(*options)
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "kd_tournament: 6 games to 300, the same deals twice" in result.stdout
    assert "% of the games; 95 % interval" in " ".join(result.stdout.split())


# Plays a little each time it is asked, so that there is time to stop it.
PATIENT = """
import json, sys, time
for message in map(json.loads, sys.stdin):
    if message["type"] == "act":
        time.sleep(0.001)
        legal = message["legal"]
        if isinstance(legal, dict):
            legal = ["discard " + " ".join(legal["from"][: legal["discard"]])]
        print(json.dumps({"id": message["id"], "action": legal[0]}), flush=True)
"""
# Says when so many boards have been noted.
SAYING = """
import sys
from rookery.lab.run import jobs
from rookery.cli import output
output.EVERY = 0.0
run_jobs = jobs.run_jobs
def noting(*given, **more):
    return run_jobs(*given, **more, every=0.0)
import rookery.lab.duplicate.match as match, rookery.lab.games.series as series
match.run_jobs = series.run_jobs = noting
from rookery.cli.main import app
sys.argv[0] = "rookery"
app()
"""


def stopped(
    tmp_path: Path, wanted: str, *options: str, how: signal.Signals = signal.SIGINT
) -> tuple[int, str, str]:
    """Run a match of a program until its progress, in a pipe, says something; then stop it."""
    bot = tmp_path / "bot.py"
    bot.write_text(PATIENT)
    seats = f"exec:{sys.executable} {bot},papa"
    with subprocess.Popen(
        [sys.executable, "-c", SAYING, "match", "--target", "python", "--seats", seats,
         "--threads", "1", "--deadline", "120000", *options],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "HOME": str(tmp_path)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert process.stdout is not None
        before = []
        for line in process.stderr:
            before.append(line)
            if line.startswith(wanted):
                process.send_signal(how)
                break
        said = "".join(before) + process.stderr.read()
        out = process.stdout.read()
    return process.returncode, out, said


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_prints_what_was_played_and_the_progress_moves_in_a_pipe(
    tmp_path: Path, how: signal.Signals
) -> None:
    options = ("--deals", "1000", "--json")
    status, out, said = stopped(tmp_path, "3 of 1,000 deals", *options, how=how)
    assert status == 130
    assert said.endswith("stopped; the same command goes on from here\n")
    # A line a board, not a line for the 25 boards between two starts of the program.
    assert [f"{n} of 1,000 deals" in said for n in (1, 2, 3)] == [True] * 3
    found = json.loads(out)
    assert found["stopped"] is True
    assert 3 <= found["deals"] <= 5
    assert found["hands_played"] == 2 * found["deals"]
    schema = json.loads(CliRunner().invoke(app, ["schema", "match"]).stdout)
    jsonschema.validate(found, schema)
    assert document("--seats", "papa,hog", "--deals", "2")["stopped"] is False


def test_a_stop_among_whole_matches_prints_what_was_played(tmp_path: Path) -> None:
    status, out, said = stopped(tmp_path, "2 of 1,000 games", "--games", "1000")
    assert status == 130
    assert "the same command goes on from here" in said
    assert out.startswith("Stopped; what was played until then:\nkd_tournament: ")
    assert "won" in out


def test_a_stopped_match_goes_on_with_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    options = ("--deals", "8", "--hands", str(path))
    status, _, _ = stopped(tmp_path, "3 of 8 deals", *options)
    assert status == 130
    before = path.read_text().splitlines()
    assert 6 <= len(before) < 16
    _, out, said = stopped(tmp_path, "never", *options)
    assert "resumed: " in said
    assert "8 deals, each played twice" in out
    after = path.read_text().splitlines()
    assert after[:6] == before[:6]
    assert [(line["board"], line["room"]) for line in map(json.loads, after)] == [
        (board, room) for board in range(8) for room in range(2)
    ]


def test_the_holdout_is_looked_at_once(tmp_path: Path) -> None:
    ledger = str(tmp_path / "ledger")
    options = ("--deals", "5", "--family", "holdout", "--ledger", ledger)
    first = match("--seats", "papa,hog", *options)
    assert first.exit_code == 0
    assert "holdout" in first.stdout
    for again in (("--seats", "hog,papa"), ("--seats", "papa,hog", "--seed", "9")):
        second = match(*again, *options)
        assert second.exit_code == 2
        assert second.stdout == ""
        (line,) = second.stderr.splitlines()
        assert "the holdout was used for this question on" in line
    assert match("--seats", "papa,karapet", *options).exit_code == 0


@pytest.mark.parametrize("kind", ["--deals", "--games"])
def test_a_look_whose_answer_did_not_come_out_is_taken_again(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--seats", "papa,hog", kind, "4", "--family", "holdout")
    asked = (*options, "--ledger", str(tmp_path / "ledger"))

    def fail(*_: object) -> None:
        raise OSError(errno.EPIPE, "broken pipe")

    with monkeypatch.context() as failing:
        failing.setattr(meeting, "print_answer", fail)
        assert match(*asked).exit_code != 0
    assert match(*asked).exit_code == 0
    assert match(*asked).exit_code == 2


def test_the_bots_are_listed() -> None:
    result = CliRunner().invoke(app, ["match", "--list"])
    assert result.exit_code == 0
    assert all(name in result.stdout for name in ("karapet", "club", "exec:"))
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "--seats: missing"),
        (("--seats", "papa,nobody"), "'nobody' is no bot; there are karapet"),
        (("--seats", "papa"), "1 bot for kd_tournament; expected 2, for the two sides, or 4"),
        (("--seats", "papa,hog,rabbit"), "3 bots for kd_tournament"),
        (("--seats", "papa,"), "'' is no bot"),
        (("--seats", "papa,hog", "--rules", "nothing"), "nothing"),
        (("--seats", "papa,hog", "--rules", "no/such.toml"), "no/such.toml"),
        (("--seats", "papa,hog", "--deals", "0"), "--deals 0: expected a number from 1"),
        (("--seats", "papa,hog", "--games", "1"), "1 game of kd_tournament: expected a multiple"),
        (("--seats", "papa,hog", "--games", "3"), "3 games of kd_tournament: expected a multiple"),
        (("--seats", "papa,hog", "--games", "2", "--deals", "5"), "--deals 5: is for deals"),
        (("--seats", "papa,hog", "--games", "2", "--sprt", "0,5"), "--sprt 0,5: is for deals"),
        (("--seats", "papa,hog", "--games", "2", "--picture", "x.png"), "--picture x.png: is for"),
        (("--seats", "papa,hog", "--hands", "."), ".: is no file"),
        (("--seats", "papa,hog", "--hands", "x", "--cluster", "auto"), "--hands and --cluster"),
        (("--seats", "papa,hog", "--deals", "-4"), "--deals -4"),
        (("--seats", "papa,hog", "--seed", "-1"), "--seed -1"),
        (("--seats", "papa,hog", "--seed", str(2**63)), "--seed"),
        (("--seats", "papa,hog", "--threads", "0"), "--threads 0"),
        (("--seats", "papa,hog", "--deadline", "0"), "--deadline 0"),
        (("--seats", "papa,hog", "--sprt", "5"), "--sprt 5: expected two numbers"),
        (("--seats", "papa,hog", "--sprt", "5,5"), "--sprt 5,5: expected two numbers"),
        (("--seats", "papa,hog", "--sprt", "0,inf"), "--sprt 0,inf"),
        (("--seats", "papa,hog", "--sprt", "0,1e308"), "--sprt 0,1e308: expected two numbers"),
        (("--seats", "papa,hog", "--family", "cousins"), "--family"),
        (("--seats", "papa,hog", "--ledger", "x"), "--ledger x: is for --family holdout"),
        (("--seats", "papa,hog", "--picture", "match.gif"), "ends in .png, .svg, .pdf"),
        (("--seats", "papa,hog", "--threads", "2", "--cluster", "auto"), "--threads and --cluster"),
        (("--seats", "exec:no-such-program,papa", "--deals", "2"), "cannot be started"),
        (("--seats", "exec:,papa"), "names no program"),
        (("--seats", "papa,hog", "--target", "abacus"), "--target"),
    ],
)
def test_bad_input_gets_one_line(options: tuple[str, ...], words: str) -> None:
    result = match(*options)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert words in line


@pytest.mark.parametrize("option", ["--out", "--picture"])
def test_a_place_that_cannot_be_written_is_refused_before_the_deals(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(
        "rookery.lab.duplicate.match.play_match", lambda *_, **__: pytest.fail("played")
    )
    result = match("--seats", "papa,hog", option, str(tmp_path / "file" / "match.png"))
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"{option} {tmp_path / 'file'}")
