"""A data set as examples: what was seen, what was allowed, and what was done."""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from rookery.cards import parse_card
from rookery.engine.actions import ACTIONS
from rookery.envs.dataset import Forked, NotThisGame, Replayer, examples, torch_decisions
from rookery.envs.observations.compact import places_of
from rookery.envs.tables import Tables
from rookery.lab.dataset.making import DataSet, make
from rookery.lab.dataset.read import NoDataSet, hand_by_hand, sample, scan
from rookery.lab.run.jobs import Threads
from rookery.lab.studies.question import Setting
from rookery.rules import load
from rookery.rules.table import compile_rules

VARIANTS = ("kd_tournament", "call_partner_5", "rook_two_1914", "circus")


def made(folder: Path, variant: str = "kd_tournament", deals: int = 3) -> Path:
    what = DataSet(Setting(variant, load(variant)), ("random", "club"), deals, 5)
    make(what, folder, executor=Threads(1))
    return folder


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_decision_is_an_example_that_was_allowed(variant: str, tmp_path: Path) -> None:
    made(tmp_path, variant)
    steps = [step for _, found in hand_by_hand(tmp_path) for step in found]
    found = list(examples(tmp_path))
    assert len(found) == len(steps) > 50
    size = Tables(load(variant)).observations.shape[1]
    for example, step in zip(found, steps, strict=True):
        assert example.seat == step["seat"]
        assert example.observation.dtype == example.action_mask.dtype == np.dtype(np.int8)
        assert (example.observation.shape, example.action_mask.shape) == ((size,), (ACTIONS,))
        assert example.action_mask[example.action] == 1
        assert example.action_mask.sum() == step["choices"]


def test_it_shows_the_seats_own_cards_and_what_the_hand_was_worth(tmp_path: Path) -> None:
    made(tmp_path)
    rules = load("kd_tournament")
    places = places_of(compile_rules(rules))
    rows = {row["hand"]: row for row, _ in hand_by_hand(tmp_path)}
    steps = [step for _, found in hand_by_hand(tmp_path) for step in found]
    bids = 0
    for step, example in zip(steps, examples(tmp_path), strict=True):
        row = rows[step["hand"]]
        score = row["score"]
        assert example.reward == score[example.seat] - score[(example.seat + 1) % 4]
        assert example.board == row["board"]
        if step["phase"] == "auction":  # nobody has taken up the nest or played
            own = {parse_card(name) for name in row["deal"][example.seat]}
            assert set(np.flatnonzero(example.observation[places["hand"]])) == own
            bids += 1
    assert bids > 10


@pytest.mark.parametrize("variant", ["kd_tournament", "call_partner_5", "circus"])
def test_what_a_seat_cannot_see_is_not_in_its_example(variant: str, tmp_path: Path) -> None:
    """The cards of two other seats change places: the first decision sees the same."""
    made(tmp_path, variant)
    replayer = Replayer(load(variant))
    changed = 0
    for row, steps in hand_by_hand(tmp_path):
        first = next(replayer.examples(row, steps))
        others = [seat for seat in range(len(row["bots"])) if seat != first.seat][:2]
        deal = list(row["deal"])
        deal[others[0]], deal[others[1]] = deal[others[1]], deal[others[0]]
        other = next(replayer.examples({**row, "deal": deal}, steps))
        assert (first.observation == other.observation).all()
        assert (first.action_mask == other.action_mask).all()
        # The control: cards of its own that change places with another's are seen.
        own = list(row["deal"])
        own[first.seat], own[others[0]] = own[others[0]], own[first.seat]
        seen = next(replayer.examples({**row, "deal": own}, steps), None)
        changed += seen is not None and bool((first.observation != seen.observation).any())
    assert changed > 0


def test_some_bots_alone_and_a_share_of_the_boards(tmp_path: Path) -> None:
    made(tmp_path)
    whole = list(examples(tmp_path))
    one, other = (list(examples(tmp_path, [name])) for name in ("random", "club"))
    assert len(one) + len(other) == len(whole)
    assert min(len(one), len(other)) > 50
    parts = [list(examples(tmp_path, share=(part, 2))) for part in range(2)]
    assert sum(map(len, parts)) == len(whole)
    assert [{example.board for example in part} for part in parts] == [{0, 2}, {1}]


def test_other_rules_are_refused(tmp_path: Path) -> None:
    made(tmp_path)
    changed = load("kd_tournament").model_copy(update={"bid_minimum": 100})
    with pytest.raises(NotThisGame, match=r"hand \d+, step \d+: '.*' is not legal by these rules"):
        list(examples(tmp_path, rules=changed))
    with pytest.raises(NoDataSet):
        list(examples(tmp_path / "nothing"))


# PyTorch is large and not installed here: what this program uses of it is stood in for.


def torch(worker: object = None) -> dict[str, ModuleType]:
    data = ModuleType("torch.utils.data")
    data.IterableDataset = type("IterableDataset", (), {})  # type: ignore[attr-defined]
    data.get_worker_info = lambda: worker  # type: ignore[attr-defined]
    return {name: ModuleType(name) for name in ("torch", "torch.utils")} | {data.__name__: data}


def test_pytorch_gets_dictionaries_and_its_workers_share_the_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path, deals=4)
    boards = []
    for number in (None, 0, 1):
        worker = None if number is None else SimpleNamespace(id=number, num_workers=2)
        for name, module in torch(worker).items():
            monkeypatch.setitem(sys.modules, name, module)
        decisions = torch_decisions(tmp_path, ["random"])
        assert type(decisions).__mro__[1].__name__ == "IterableDataset"
        again = pickle.loads(pickle.dumps(decisions))  # noqa: S301  (as a worker gets it)
        found = list(again)
        assert set(found[0]) == {
            *("observation", "action_mask", "action", "seat", "board", "reward"),
        }
        boards.append({one["board"] for one in found})
    assert boards[1] | boards[2] == boards[0] == {0, 1, 2, 3}
    assert not boards[1] & boards[2]


def test_a_forked_worker_says_so_and_waits_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polars was used before the fork: reading in it would never end."""
    for name, module in torch().items():
        monkeypatch.setitem(sys.modules, name, module)
    decisions = torch_decisions(sample())
    assert next(iter(decisions))["action_mask"].any()
    ours, theirs = os.pipe()
    if not (child := os.fork()):
        try:
            next(iter(decisions))
        except Forked as error:
            os.write(theirs, str(error).encode())
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as told:
        done, _, _ = select.select([told], [], [], 30)
        said = told.read() if done else b"it waits"
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert said.decode().endswith('expected DataLoader(..., multiprocessing_context="spawn")')


def test_without_pytorch_all_else_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModuleNotFoundError, match="torch"):
        torch_decisions(sample())
    assert next(examples(sample())).action_mask.any()
    assert len(scan(sample())) == 3
