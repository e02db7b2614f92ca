"""What browsers are given for offline play is built where it is stale, and only there."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from scripts.offline import __main__ as offline
from scripts.offline.__main__ import CONTENTS, LICENCES, MPL, NOTICE, OURS, PACKAGES, is_whole

from rookery.bots.names import LEVELS

WANTED = "0123"


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """Return a folder as `scripts.offline` leaves it, with one file."""
    (tmp_path / LICENCES).mkdir()
    for name in (*PACKAGES, MPL.stem, *(Path(name).stem for name in OURS)):
        (tmp_path / LICENCES / f"{name}.txt").write_text("You may.\n", "utf-8")
    (tmp_path / "NOTICE").write_text(NOTICE, "utf-8")
    told = {"made_from": WANTED, "files": [offline.write(tmp_path, "program.zip", b"cards")]}
    (tmp_path / CONTENTS).write_text(json.dumps(told), "utf-8")
    return tmp_path


FAULTS: dict[str, Callable[[Path], object]] = {
    "missing": lambda kit: (kit / CONTENTS).unlink(),
    "no list": lambda kit: (kit / CONTENTS).write_text("{", "utf-8"),
    "an old list": lambda kit: (kit / CONTENTS).write_text('{"files": []}', "utf-8"),
    "another file": lambda kit: (kit / "program.zip.gz").write_bytes(gzip.compress(b"card")),
    "half a file": lambda kit: (kit / "program.zip.gz").write_bytes(gzip.compress(b"cards")[:-9]),
    "no file": lambda kit: (kit / "program.zip.gz").unlink(),
    "no notice": lambda kit: (kit / "NOTICE").unlink(),
    "another notice": lambda kit: (kit / "NOTICE").write_text("Ours.", "utf-8"),
    "no licence": lambda kit: (kit / LICENCES / MPL.name).unlink(),
    "an empty licence": lambda kit: (kit / LICENCES / "msgspec.txt").write_text("", "utf-8"),
}


def test_what_is_there_is_kept(kit: Path) -> None:
    assert is_whole(kit, WANTED)
    assert not is_whole(kit, "4567")


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_spoilt_is_not(fault: str, kit: Path) -> None:
    FAULTS[fault](kit)
    assert not is_whole(kit, WANTED)


def test_nothing_is_fetched_while_nothing_has_changed(
    kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetched(_: Path) -> dict[str, bytes]:
        raise InterruptedError

    monkeypatch.setattr(offline, "FOLDER", kit)
    monkeypatch.setattr(offline, "made_from", lambda: WANTED)
    monkeypatch.setattr(offline, "pyodide", fetched)
    offline.main()
    with pytest.raises(InterruptedError):
        offline.main("--force")
    monkeypatch.setattr(offline, "made_from", lambda: "4567")
    with pytest.raises(InterruptedError):
        offline.main()
    assert is_whole(kit, WANTED)  # what was there stays


def test_a_change_in_the_program_or_in_a_pin_is_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    before, files = offline.made_from(), offline.package()
    assert offline.made_from() == before
    for name in ("rookery/cards.py", "rookery/rules/catalog/circus.toml"):
        monkeypatch.setattr(offline, "package", lambda name=name: {**files, name: b"other"})
        assert offline.made_from() != before
    monkeypatch.setattr(offline, "package", lambda: {**files, "rookery/more.py": b""})
    assert offline.made_from() != before
    monkeypatch.setattr(offline, "package", lambda: files)
    assert offline.made_from() == before
    monkeypatch.setattr(offline, "locked", lambda: ["msgspec==1 --hash=sha256:00"])
    assert offline.made_from() != before


EVERY_LEVEL = """
import rookery
from rookery.bots.names import LEVELS, bot, unhurried
from rookery.game import Hand
from rookery.learn import network_search
from rookery.rules import load
network_search.A_TRICK = 0  # the network plays though there are few rollouts
assert rookery.__file__.startswith(__import__("sys").path[0])
for plays in LEVELS.values():
    few = ":rollouts=8" if plays.startswith("expert") else ""
    hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    players = [bot(unhurried(plays) + few).seated(hand.rules, seat) for seat in range(4)]
    for player in players:
        player.begin(hand, 5)
    while not hand.over:
        hand = hand.act(players[hand.turn].act(hand))
    print(plays)
"""


@pytest.mark.parametrize("lacking", ["", ".npz"])
def test_what_runs_in_a_browser_has_all_that_every_level_needs(
    lacking: str, tmp_path: Path
) -> None:
    for name, plain in offline.package().items():
        if not (lacking and name.endswith(lacking)):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(plain)
    told = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{EVERY_LEVEL}"],
        env={**os.environ, "ROOKERY_TARGET": "python"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (told.returncode == 0) == (not lacking), told.stderr  # the control lacks the weights
    assert len(told.stdout.splitlines()) == len(LEVELS) - 2 * (lacking == ".npz")
