"""`rookery bots`, and what `rookery serve` is told of bots: one line where it cannot be."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.server.bots.workers import PATIENCE
from typer.testing import CliRunner

from rookery.bots.names import LEVELS, choices, table_bot
from rookery.bots.register import UnknownBot
from rookery.cli.main import app
from rookery.server.bots.engine import BotTally, BotThreads
from rookery.server.bots.opening import thinker_of
from rookery.server.bots.searching import Searching
from rookery.server.settings import Settings
from rookery.server.table.refusals import Refused
from rookery.server.table.seating import known_bot
from rookery.show.words import words

SECRET = "a secret among friends"  # noqa: S105  (of nobody)
PROGRAM = "from rookery.cli.main import app; app()"


@pytest.mark.parametrize(
    ("words", "secret", "told"),
    [
        (["bots"], "", "ROOKERY_BOTS_SECRET is not set"),
        (["bots"], "short", "expected 16 or more characters"),
        (["bots", "--listen", "nowhere"], SECRET, "--listen: 'nowhere' is not an address"),
        (["bots", "--listen", "a..b:1"], SECRET, "--listen: 'a..b:1' is not an address"),
        (["bots", "--listen", "a:" + "1" * 4301], SECRET, "is not an address; expected host:port"),
        (["bots", "--listen", "192.0.2.1:1"], SECRET, "--listen: 192.0.2.1:1: "),
        (["bots", "--listen", "unix:"], SECRET, "--listen: 'unix:' has no path"),
        (["serve", "--bots-at", "unix:"], SECRET, "--bots-at: 'unix:' has no path"),
        (["bots", "--log", "loud"], SECRET, "--log: 'loud' is neither text nor json"),
        (["bots", "--processes", "0"], SECRET, "--processes"),
        (["serve", "--bots-at", "nowhere"], SECRET, "--bots-at: 'nowhere' is not an address"),
        (["serve", "--bots-at", "127.0.0.1:8700"], "", "ROOKERY_BOTS_SECRET is not set"),
        (["serve", "--bot-workers", "-1"], "", "--bot-workers"),
    ],
)
def test_what_cannot_be_is_one_line(words: list[str], secret: str, told: str) -> None:
    pytest.importorskip("numba")
    done = CliRunner().invoke(app, words, env={"ROOKERY_BOTS_SECRET": secret})
    assert done.exit_code == 2, done.output
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1
    assert told in lines[0]


@contextlib.contextmanager
def bots(*words: str) -> Iterator[subprocess.Popen[str]]:
    started = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "bots", "--processes", "1", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "ROOKERY_BOTS_SECRET": SECRET},
    )
    try:
        yield started
    finally:
        if started.poll() is None:
            started.kill()
        started.communicate(timeout=PATIENCE)


def test_it_says_where_it_is_and_ends_when_it_is_told() -> None:
    pytest.importorskip("numba")
    with bots("--listen", "127.0.0.1:0") as here:
        assert here.stdout is not None
        line = here.stdout.readline()
        assert line.startswith("Bots run at 127.0.0.1:")
        assert not line.split()[3].endswith(":0")
        here.send_signal(signal.SIGTERM)
        told, wrong = here.communicate(timeout=PATIENCE)
        assert (here.returncode, wrong) == (0, "")
        assert told.endswith("Stopped. All questions have been answered.\n")


@pytest.mark.parametrize(
    ("settings", "kind", "lines"),
    [
        (Settings(), BotThreads, 0),
        (Settings(bot_workers=3, bot_slowest=7_000), Searching, 3),
        (Settings(bots_at=("a:1", "b:2"), bots_secret=SECRET), Searching, 4),
        (Settings(bot_workers=1, bots_at=("a:1",), bots_secret=SECRET), Searching, 3),
    ],
)
def test_what_the_settings_say_is_what_thinks(
    settings: Settings, kind: type[object], lines: int
) -> None:
    thinker = thinker_of(settings, BotTally())
    assert type(thinker) is kind
    if isinstance(thinker, Searching):
        assert len(thinker._play._links) == lines
        assert thinker._reviews._links
        assert not thinker._play._tasks  # nothing is begun before it is needed
        slowest = {thinker._play.slowest, thinker._reviews.slowest}
        assert slowest == {settings.bot_slowest / 1000}
    assert SECRET not in repr(settings)


@pytest.mark.parametrize(
    "name",
    [
        *("open-hand", "exec:true", "nobody", "", "expert:tries=5", "strong:ms=10"),
        *("expert:style=wild", "expert:style", "club:style=bold", "expert:version=99"),
        *("strong:tries=200", "exec:", "expert:expert", "club:club"),
    ],
)
def test_no_table_seats_it(name: str) -> None:
    assert isinstance(known_bot(name), Refused)
    with pytest.raises(UnknownBot):
        table_bot(name)


@pytest.mark.parametrize(
    ("name", "kept", "bot"),
    [
        ("Expert", "expert", "expert:ms=1000:version=4"),
        ("expert:style=steady:version=4", "expert", "expert:ms=1000:version=4"),
        ("STRONG:style=bold", "strong:style=bold", "expert:rollouts=200:ms=500:style=bold"),
        ("expert:version=1", "expert:version=1", "expert:ms=1000:version=1"),
        ("master:version=2", "master:version=2", "expert:rollouts=12800:ms=1000"),
        ("beginner", "beginner", "rabbit"),
        ("papa:partner=noticed", "papa:partner=noticed", "papa:partner=noticed"),
        ("casual:partner=ignored", "casual:partner=ignored", "papa"),
    ],
)
def test_a_name_is_kept_as_it_is_usually_written(name: str, kept: str, bot: str) -> None:
    found = table_bot(name)
    assert (found.name, str(found.bot)) == (kept, bot)
    assert table_bot(kept) == found  # what is kept can be read again


def test_every_level_sits_down_and_only_those_that_search_have_a_style() -> None:
    for level in LEVELS:
        found = table_bot(level)
        assert found.name == level
        assert ("style" in choices(level)) == found.searches
        assert (found.milliseconds > 0) == found.searches
        assert len(words()[f"bot.about.{level}"]) < 100
