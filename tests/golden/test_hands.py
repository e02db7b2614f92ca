"""One whole hand a variant, worked out on paper, against the game played from its record."""

import json
import tomllib
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from rookery.record import document, loads, replay
from rookery.rules import catalog

Golden: TypeAlias = dict[str, Any]

HANDS = Path(__file__).parent / "hands"
NAMES = sorted(path.stem for path in HANDS.glob("*.toml"))
TOLD = ("declarer", "bid", "call", "sides")
STATED = ("nest_statement",)  # compared where the golden says it
TRICK = ("leader", "cards", "winner", "points")
RESULT = ("points", "score")
SPOKEN = {"RK": "Rook", "JK": "joker", "R1": "Red 1", "R2": "Red 2"}
SHORTEST = 20  # characters of a reason that names a card or a rule


@cache
def read(name: str) -> Golden:
    return tomllib.loads((HANDS / f"{name}.toml").read_text(encoding="utf-8"))


def played(golden: Golden) -> dict[str, Any]:
    """Return what the game says of a golden's hand, in the shape of ``replay --json``."""
    hand = {name: golden[name] for name in ("dealer", "deal", "nest", "actions")}
    record = {"format": "rookery/1", "rules": golden["variant"], "hands": [hand]}
    status = document(replay(loads(json.dumps(record))))["hands"][0]
    assert isinstance(status, dict)
    return status


def on_paper(golden: Golden) -> dict[str, Any]:
    """Return what the golden says, without its reasons."""
    stated = {name: golden[name] for name in STATED if name in golden}
    return {
        "phase": "done",
        **{name: golden[name] for name in TOLD},
        **stated,
        "tricks": [{name: trick[name] for name in TRICK} for trick in golden["tricks"]],
        **{name: golden["result"][name] for name in RESULT},
    }


def differences(golden: Golden) -> list[str]:
    """Return where paper and game differ, a line each, with the reason that paper gives."""
    status, expected = played(golden), on_paper(golden)
    found = []
    for number, trick in enumerate(expected.pop("tricks"), 1):
        dealt = status["tricks"][number - 1] if number <= len(status["tricks"]) else None
        if trick != dealt:
            why = golden["tricks"][number - 1]["why"]
            found.append(f"trick {number}: paper {trick}, game {dealt} ({why})")
    if len(status["tricks"]) > len(golden["tricks"]):
        found.append(f"the game has {len(status['tricks'])} tricks")
    for name, value in expected.items():
        if status[name] != value:
            found.append(f"{name}: paper {value!r}, game {status[name]!r}")
    return found


def reasons(golden: Golden) -> list[str]:
    parts = [*golden["tricks"], golden["result"]]
    return [golden["title"], golden["source"], golden["auction"], *(part["why"] for part in parts)]


@pytest.mark.parametrize("name", NAMES)
def test_the_game_agrees_with_the_hand_on_paper(name: str) -> None:
    assert differences(read(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_reason_is_given_and_is_its_own(name: str) -> None:
    golden = read(name)
    assert [text for text in reasons(golden) if len(text.strip()) < SHORTEST] == []
    for trick in golden["tricks"]:
        spoken = [word for card in trick["cards"] for word in (card, SPOKEN.get(card, card))]
        assert any(word in trick["why"] for word in spoken), f"{trick['why']} names no card of it"


def test_every_variant_has_a_hand() -> None:
    assert set(catalog()) - set(NAMES) == set()


@pytest.mark.parametrize("name", NAMES)
def test_a_hand_lies_under_its_variants_name(name: str) -> None:
    # A second hand of a variant says after a hyphen what it adds.
    assert name.split("-")[0] == read(name)["variant"]


@pytest.mark.parametrize("name", NAMES)
def test_one_wrong_winner_is_noticed(name: str) -> None:
    for number in range(len(read(name)["tricks"])):
        golden = deepcopy(read(name))
        trick = golden["tricks"][number]
        trick["winner"] = (trick["winner"] + 1) % len(trick["cards"])
        assert [line.split(":")[0] for line in differences(golden)] == [f"trick {number + 1}"]


@pytest.mark.parametrize("field", ["declarer", "bid", "call", "sides", "points", "score"])
def test_one_wrong_word_is_noticed(field: str) -> None:
    golden = deepcopy(read("kd_tournament"))
    holder = golden["result"] if field in RESULT else golden
    holder[field] = None
    assert [line.split(":")[0] for line in differences(golden)] == [field]
