"""Programs of other people in a match: good ones play, and nothing that bad ones do harms it."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from rookery.bots import external
from rookery.bots.names import Bot, bot
from rookery.bots.player import BotFailed, NoAnswer
from rookery.lab.duplicate.job import PLAIN_CHUNK
from rookery.lab.duplicate.match import Match, Played, play_match
from rookery.lab.duplicate.result import result_of
from rookery.lab.games.games import HANDS
from rookery.lab.games.series import play_series, series_of
from rookery.lab.run.jobs import Threads
from rookery.rules import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PATIENT = 120_000  # ms: a program that answers is never late, however busy the machine is
HASTY = 20

# Said by every bad bot of this page before what it does wrong.
ASKED = """
import json, os, subprocess, sys, time
def asked():
    for message in map(json.loads, sys.stdin):
        if message["type"] == "act":
            yield message
def answer(number, action):
    print(json.dumps({"id": number, "action": action}), flush=True)
"""


def program(tmp_path: Path, body: str, *words: str) -> Bot:
    path = tmp_path / "bot.py"
    path.write_text(ASKED + body)
    return Bot("exec", command=(sys.executable, str(path), *words))


def play(
    one: Bot,
    other: str = "papa",
    *,
    deals: int = 2,
    variant: str = "kd_tournament",
    deadline_ms: int = PATIENT,
) -> Played:
    match = Match(load(variant), variant, (one, bot(other)), deals, deadline_ms=deadline_ms)
    return play_match(match, executor=Threads(1))


def answered_for(played: Played) -> tuple[int, int, list[int]]:
    result = result_of(played)
    return result.fallbacks[0], result.illegal, result.fallbacks[1:]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give programs that will never answer no time to start, nor to end by themselves."""
    monkeypatch.setattr(external, "START", 0.0)
    monkeypatch.setattr(external.ExternalProcess.end, "__defaults__", (0.0,))


# A good one.


@pytest.mark.parametrize(
    "variant", ["kd_tournament", "call_partner_4", "rook_three_1914", "circus", "wanamingo"]
)
@pytest.mark.parametrize("name", ["stdio_bot.py", "stdio_bot.mjs"])
def test_the_examples_play_without_being_answered_for(name: str, variant: str) -> None:
    runs = sys.executable if name.endswith(".py") else shutil.which("node")
    if runs is None and os.environ.get("CI"):
        pytest.fail("this test needs node on the path")
    if runs is None:
        pytest.skip("no node on the path")
    example = Bot("exec", command=(runs, str(EXAMPLES / name)))
    played, again = (play(example, variant=variant) for _ in range(2))
    assert played.sums == again.sums
    assert answered_for(played) == (0, 0, [0])
    assert result_of(played).decisions > 0


LOGGED = """
log = open(sys.argv[1] + str(os.getpid()), "w", encoding="utf-8")
for line in sys.stdin:
    log.write(line)
    log.flush()
    message = json.loads(line)
    if message["type"] == "act":
        legal = message["legal"]
        if isinstance(legal, dict):
            action = "discard " + " ".join(legal["from"][: legal["discard"]])
        else:
            action = legal[0]
        answer(message["id"], action)
    if message["type"] == "bye":
        break
"""


def heard(tmp_path: Path) -> list[list[dict[str, Any]]]:
    return [
        [json.loads(line) for line in path.read_text().splitlines()]
        for path in sorted(tmp_path.glob("log*"))
    ]


def test_it_is_told_what_its_seat_may_know_in_the_order_of_the_protocol(tmp_path: Path) -> None:
    play(program(tmp_path, LOGGED, str(tmp_path / "log")))
    logs = heard(tmp_path)
    assert len(logs) == 4  # a process for each seat that it takes
    assert sorted(log[0]["seat"] for log in logs) == [0, 1, 2, 3]
    hidden = 0
    for log in logs:
        hello, *middle, bye = log
        assert (hello["type"], hello["protocol"], hello["rules"]["id"]) == (
            *("hello", 1),
            "kd_tournament",
        )
        assert bye == {"type": "bye"}
        seat = hello["seat"]
        kinds = [message["type"] for message in middle]
        assert kinds.count("hand") == kinds.count("result") == 2
        assert kinds[0] == "hand"
        assert kinds[-1] == "result"
        numbers = [message["id"] for message in middle if message["type"] == "act"]
        assert numbers == list(range(1, len(numbers) + 1))
        for message in middle:
            if message["type"] == "act":
                assert message["view"]["seat"] == message["view"]["to_act"] == seat
                assert message["legal"] == message["view"]["legal"]
                assert message["deadline_ms"] == PATIENT
            if message["type"] == "event" and message["event"]["verb"] == "discard":
                own = message["event"]["seat"] == seat
                assert (message["event"]["text"] is not None) == own
                hidden += not own
            if message["type"] == "result":
                assert len(message["score"]) == 4
    assert hidden > 0


def test_it_is_started_afresh_no_more_often_than_the_page_says(tmp_path: Path) -> None:
    """Whoever sits beside it: against a bot that searches, it once was for every board."""
    log = program(tmp_path, LOGGED, str(tmp_path / "log"))
    play(log, "expert:rollouts=1:ms=600000", deals=PLAIN_CHUNK + 1)
    logs = heard(tmp_path)
    boards = sorted(sum(line["type"] == "hand" for line in log) for log in logs)
    # Four seats, each in one of the two rooms; then once more for the last board.
    assert boards == [1] * 4 + [PLAIN_CHUNK] * 4


def test_in_a_whole_match_it_is_told_the_totals(tmp_path: Path) -> None:
    rules = load("kd_tournament")
    log = program(tmp_path, LOGGED, str(tmp_path / "log"))
    match = Match(rules, "", (log, bot("papa")), 2, deadline_ms=PATIENT)
    played = play_series(series_of(match), executor=Threads(1))
    logs = heard(tmp_path)
    assert len(logs) == 4  # in each of two games, a process for each of its two seats
    hands = 0
    for one in logs:
        assert [line["type"] for line in one].count("hello") == 1
        total = [0] * 4
        for line in one:
            if line["type"] in ("hand", "act"):
                assert line["view"]["totals"] == total
            if line["type"] == "result":
                total = [a + b for a, b in zip(total, line["score"] or [0] * 4, strict=True)]
                hands += 1
        assert max(total) >= rules.target
    assert hands == 2 * played.sums[HANDS]
    # On a board there is no match: totals are null.
    play(program(tmp_path, LOGGED, str(tmp_path / "log of a board ")), deals=1)
    board = [line for log in heard(tmp_path) for line in log if line["type"] == "act"]
    assert None in [line["view"]["totals"] for line in board]


# Bad ones. The match goes on, the count is right, and the log says what happened.


BAD = {
    "silent": "for message in asked(): pass",
    "late": "for message in asked(): answer(message['id'] - 1, 'pass')",
    "garbage": "for message in asked(): print('how about a nice game of chess', flush=True)",
    "no object": "for message in asked(): print('[1]', flush=True)",
    "no id": 'for message in asked(): print(\'{"action": "pass"}\', flush=True)',
    "deaf": "time.sleep(3600)",
    "flood": "while True: print('{\"id\": -1}', flush=True); time.sleep(0.001)",
    "endless line": "while True: sys.stdout.write('x' * 65536)",
}


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("name", BAD)
def test_one_that_never_answers_is_answered_for_every_time(name: str, tmp_path: Path) -> None:
    played = play(program(tmp_path, BAD[name]), deadline_ms=HASTY)
    result = result_of(played)
    assert result.illegal == 0
    assert result.fallbacks[1] == 0
    # Two hands of two partners on two boards, nine cards each and a call at least.
    assert result.fallbacks[0] >= 2 * 2 * 2 * 10
    assert result.decisions > result.fallbacks[0]


@pytest.mark.usefixtures("at_once")
def test_only_its_first_answer_has_time_to_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(external, "START", 0.5)
    with caplog.at_level(logging.WARNING, "rookery.match"):
        play(program(tmp_path, BAD["deaf"]), deadline_ms=HASTY)
    lines = [record.getMessage() for record in caplog.records]
    patient = sum(f"no answer within {HASTY + 500} ms" in line for line in lines)
    hasty = sum(f"no answer within {HASTY} ms" in line for line in lines)
    assert (patient, hasty) == (4, len(lines) - 4)  # one of each program's


NO_TEXT = {"play": [1]}


@pytest.mark.parametrize("text", ["play Z99", "bid 1", "dance", "", "play", "challenge 1", NO_TEXT])
def test_an_illegal_answer_is_counted_and_replaced(
    text: object, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    body = f"for message in asked(): answer(message['id'], {text!r})"
    with caplog.at_level(logging.WARNING, "rookery.match"):
        fallbacks, illegal, others = answered_for(play(program(tmp_path, body)))
    assert fallbacks == illegal >= 80
    assert others == [0]
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == fallbacks
    assert all("bot.py in seat" in line and "instead" in line for line in lines)
    said = """the action is '{"play": [1]}'; expected a text such as "play R5"; it did"""
    assert text != NO_TEXT or all(said in line for line in lines)


def test_an_old_answer_is_passed_over_and_the_right_one_counts(tmp_path: Path) -> None:
    body = """
for message in asked():
    answer(message["id"] - 1, "dance")
    legal = message["legal"]
    if isinstance(legal, dict):
        legal = ["discard " + " ".join(legal["from"][: legal["discard"]])]
    answer((int, float)[message["id"] % 2](message["id"]), legal[0])  # in JSON 5.0 is whole, too
"""
    assert answered_for(play(program(tmp_path, body))) == (0, 0, [0])


CRASH = """
for number, message in enumerate(asked()):
    if number == 2:
        sys.exit(3)
    legal = message["legal"]
    if isinstance(legal, dict):
        legal = ["discard " + " ".join(legal["from"][: legal["discard"]])]
    answer(message["id"], legal[0])
"""


def test_one_that_crashes_is_started_again_a_few_times(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "rookery.match"):
        fallbacks, illegal, others = answered_for(play(program(tmp_path, CRASH), deals=8))
    assert (illegal, others) == (0, [0])
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == fallbacks
    ended = sum("it ended with status 3" in line for line in lines)
    # Four seats, each started once and again after each crash but the last.
    assert ended == 4 * (1 + external.RESTARTS)
    assert all("ended with status 3" in line or "is not running" in line for line in lines)


def test_restarts_count_from_where_all_are_started_afresh(tmp_path: Path) -> None:
    """As the page says: 16 starts in 25 boards of two seats, and as many in the next ones."""
    log = tmp_path / "starts"
    note = f"with open({str(log)!r}, 'a') as starts: starts.write('x')\n"
    page = (EXAMPLES.parent / "docs" / "how-to" / "write-a-bot.md").read_text("utf-8")
    assert "In each seat that happens three times at most" in page
    assert f"is started 16 times in {PLAIN_CHUNK} boards" in page
    play(program(tmp_path, note + CRASH), deals=PLAIN_CHUNK)
    assert log.read_text() == "x" * 16
    play(program(tmp_path, note + CRASH), deals=PLAIN_CHUNK + 8)
    assert log.read_text() == "x" * (16 + 32)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("no-such-program-anywhere",), "cannot be started: no such file"),
        (("/",), "cannot be started"),
        ((sys.executable, "-c", "raise SystemExit(4)"), "ended with status 4 before it had"),
        ((sys.executable, "-c", "import os; os.close(1); open(0).read()"), "closed its output"),
    ],
)
def test_one_that_cannot_play_at_all_ends_the_match(command: tuple[str, ...], words: str) -> None:
    with pytest.raises(BotFailed, match=words):
        play(Bot("exec", command=command))


def gone(process: int) -> bool:
    """Return whether a process has ended; one that nobody has waited for has, too."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.usefixtures("at_once")
def test_whatever_it_started_ends_with_it(tmp_path: Path) -> None:
    body = """
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
with open(sys.argv[1] + str(os.getpid()), "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename(file.name, file.name.replace("part", "log"))
for message in asked():
    answer(message["id"], "dance")
time.sleep(3600)  # deaf to its standard input's end
"""
    bad = program(tmp_path, body, str(tmp_path / "part"))
    play(bad, deadline_ms=PATIENT)
    started = [int(n) for path in tmp_path.glob("log*") for n in path.read_text().split()]
    assert len(started) == 4 * 2
    until = time.monotonic() + 60
    while not all(map(gone, started)) and time.monotonic() < until:
        time.sleep(0.05)
    assert all(map(gone, started))
    assert all(process != os.getpid() for process in started)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
@pytest.mark.parametrize("leaves", [False, True])
def test_what_has_left_its_group_holds_nobody_up(leaves: bool, tmp_path: Path) -> None:
    body = f"""
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"],
                         start_new_session={leaves})
print(json.dumps({{"id": 1, "child": child.pid}}), flush=True)
time.sleep(3600)
"""
    process = external.ExternalProcess(program(tmp_path, body).command)
    child = process.answer(1, 60)["child"]
    try:
        ending = threading.Thread(target=process.end, args=(0.0,), daemon=True)
        ending.start()
        ending.join(30)
        assert not ending.is_alive()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize(("right", "answered"), [(3, True), (9, False)])
def test_old_answers_without_end_do_not_put_the_deadline_off(
    right: int, answered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Flood:  # a line each second: all old answers but one
        now = 0.0

        def get(self, timeout: float) -> bytes:
            assert timeout <= 5
            self.now += 1
            assert self.now < 20
            return json.dumps({"id": 7 if self.now == right else -1}).encode()

    flood, process = Flood(), external.ExternalProcess([sys.executable, "-c", ""])
    process.end()
    monkeypatch.setattr(process, "_from", flood)
    monkeypatch.setattr("rookery.bots.external.time.monotonic", lambda: flood.now)
    with contextlib.nullcontext() if answered else pytest.raises(NoAnswer, match="within 5000 ms"):
        assert process.answer(7, 5) == {"id": 7}


def test_a_bot_of_ours_that_fails_is_answered_for(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> str:
        raise ZeroDivisionError("nothing to divide by")

    monkeypatch.setattr("rookery.bots.player.KernelPlayer.act", broken)
    match = Match(load("kd_tournament"), "", (bot("papa"), bot("hog")), 2)
    job = match.job("all")
    by_hand = type(job)(**{**vars(job), "by_hand": True, "units": 1})
    with caplog.at_level(logging.WARNING, "rookery.match"):
        noted = by_hand.count(0, 1)
    assert noted[0] == 1
    assert "ZeroDivisionError: nothing to divide by" in caplog.text
