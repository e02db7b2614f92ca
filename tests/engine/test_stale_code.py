"""Compiled code is made again when anything that it was made from has changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rookery
from rookery import cards
from rookery.engine.actions import apply
from rookery.engine.auction import bid_floor
from rookery.engine.kernel import constants_of, kernel, sources_hash

HASHES = """
import json
from rookery.engine.kernel import sources_hash
from rookery.engine.actions import actor, apply
from rookery.lab.duplicate.boards import play_boards
from rookery.learn.scoring import score_cards
hashed = (actor, apply, play_boards, score_cards)
print(json.dumps({one.__name__: sources_hash(one) for one in hashed}))
"""
# A file, what is changed in it, and whose code is stale then; only the first file has kernels.
CHANGES = [
    ("engine/rng.py", "0x45D9F3B", "0x45D9F3D", {"play_boards"}),
    ("engine/state.py", "PLAY, DONE, REDEALT", "DONE, PLAY, REDEALT", {"actor", "apply"}),
    ("engine/actions.py", "BID_LEVELS: Final = 128", "BID_LEVELS: Final = 64", {"apply"}),
    ("rules/order.py", "TRUMP: Final = 4", "TRUMP: Final = 3", {"apply"}),
    ("cards.py", "ROOK: Final[Card] = 56", "ROOK: Final[Card] = 55", {"apply"}),
    ("engine/network.py", "LANES: Final = 8", "LANES: Final = 4", {"score_cards"}),
    ("lab/run/streams.py", "SHARE: Final = 16", "SHARE: Final = 32", {"play_boards"}),
]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a folder with a copy of the program, to be changed."""
    copy = tmp_path / "changed"
    sources = Path(rookery.__file__).parent
    shutil.copytree(
        sources, copy / "rookery", ignore=shutil.ignore_patterns("web", "server", "__pycache__")
    )
    return copy


def outcome(package: Path, code: str, cache: Path | None = None) -> str:
    """Return what a program prints that uses the copy of the package in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (package, *sys.path))),
            "PYTHONDONTWRITEBYTECODE": "1",
            **({"ROOKERY_CACHE": str(cache)} if cache else {}),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def change(package: Path, name: str, before: str, after: str) -> None:
    file = package / "rookery" / name
    text = file.read_text(encoding="utf-8")
    assert text.count(before), f"{name} no longer says {before}"
    file.write_text(text.replace(before, after), encoding="utf-8")


@pytest.mark.slow
def test_the_hash_covers_kernels_and_the_constants_that_they_read(package: Path) -> None:
    sound = json.loads(outcome(package, HASHES))
    assert sound == json.loads(outcome(package, HASHES))
    for name, before, after, stale in CHANGES:
        change(package, name, before, after)
        changed = json.loads(outcome(package, HASHES))
        assert stale <= {one for one in sound if changed[one] != sound[one]}, name
        change(package, name, after, before)
    assert sound == json.loads(outcome(package, HASHES))


WHOSE_TURN = """
from rookery.engine.targets import load
from rookery.engine.records import array_of
from rookery.engine.state import State
from rookery.engine.actions import actor
print(load("numba", actor)(array_of(State(phase=7, turn=3))[0]))
"""


@pytest.mark.numba
@pytest.mark.slow
def test_code_that_was_compiled_with_another_constant_is_not_used(
    package: Path, tmp_path: Path
) -> None:
    assert outcome(package, WHOSE_TURN, tmp_path / "cache") == "3\n"
    change(package, "engine/state.py", "PLAY, DONE, REDEALT", "DONE, PLAY, REDEALT")
    # Phase 7 was the play; now it is the end of the hand, when nobody is to act.
    assert outcome(package, WHOSE_TURN, tmp_path / "cache") == "-1\n"


WRONG = """    def add_ir_module(self, module):
        from llvmlite.binding import parse_assembly
        self.add_llvm_module(parse_assembly(str(module).replace("icmp sge i64", "icmp sle i64")))

"""


@pytest.mark.numba
@pytest.mark.slow
def test_code_that_was_compiled_in_another_way_is_not_used(package: Path, tmp_path: Path) -> None:
    """Here the other way is wrong, so it can be told by what it answers."""
    cache = tmp_path / "cache"
    assert outcome(package, WHOSE_TURN, cache) == "3\n"
    before = "    def _optimize_functions("
    change(package, "engine/targets/whole.py", before, WRONG + before)
    assert outcome(package, WHOSE_TURN, cache) == "-1\n"
    change(package, "engine/targets/whole.py", WRONG, "")
    assert outcome(package, WHOSE_TURN, cache) == "3\n"
    assert len(list(cache.rglob("*.nbc"))) == 2


@pytest.mark.numba
@pytest.mark.slow
def test_code_that_was_compiled_for_another_record_is_not_used(
    package: Path, tmp_path: Path
) -> None:
    assert outcome(package, WHOSE_TURN, tmp_path / "cache") == "3\n"
    phase, dealer = "    phase: int = 0  # a place in `PHASES`\n", "    dealer: int = 0\n"
    change(package, "engine/state.py", phase, "")
    change(package, "engine/state.py", dealer, dealer + phase)
    assert outcome(package, WHOSE_TURN, tmp_path / "cache") == "3\n"


def test_the_hash_is_the_same_for_the_same_kernel_alone() -> None:
    assert sources_hash(apply) == sources_hash(apply) != sources_hash(bid_floor)
    assert sources_hash(apply) != sources_hash(apply, __file__)


@kernel
def reads_a_module(table: list[int]) -> int:
    return table[cards.ROOK] + cards.CARDS


def unmarked(card: int) -> int:
    return card


@kernel
def reads_a_function(card: int) -> int:
    return unmarked(card)


def test_constants_of_a_module_that_a_kernel_names_are_among_its_constants() -> None:
    assert constants_of(reads_a_module) == {"cards.ROOK": 56, "cards.CARDS": 57}


def test_what_is_neither_constant_nor_kernel_is_refused() -> None:
    with pytest.raises(TypeError, match="reads_a_function reads unmarked"):
        constants_of(reads_a_function)
