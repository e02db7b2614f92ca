"""All deals of an evening follow from one key, and `rookery verify-deal` does them again."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from tests.daily.test_day_deal import Change, in_proof, joined, mac, shuffled, two_cards
from typer.testing import CliRunner

from rookery import record
from rookery.cli.main import app
from rookery.daily.day import deal_of
from rookery.fairness.day import may_be_thrown_in
from rookery.fairness.evening import EveningDeals, is_evening
from rookery.rules import load, variant

KEY = bytes(range(32))
FRIDAY = EveningDeals(variant("kd_tournament"), "Friday", 12, KEY)
DEALS = Path(__file__).parents[3] / "docs" / "reference" / "deals.md"
VECTOR = json.loads(DEALS.read_text("utf-8").split("```json")[3].split("```")[0])


def test_the_formulas_are_those_of_the_reference() -> None:
    name, boards, number, rules = (VECTOR[k] for k in ("evening", "boards", "number", "rules"))
    key = bytes.fromhex(VECTOR["key"])
    said = hashlib.sha256(joined("rook-set-1", name, str(boards), rules, key)).hexdigest()
    assert said == VECTOR["commitment"]
    deck = [f"{suit}{rank}" for rank in range(5, 15) for suit in "RGYB"] + ["RK"]
    order = shuffled(deck, mac(key, joined("deal", f"{name} {number}", "0", rules)))
    for seat, cards in enumerate(VECTOR["deal"]):
        assert sorted(cards.split()) == sorted(order[9 * seat : 9 * seat + 9])
    assert order[36:] == VECTOR["nest"].split()
    # And so does the program.
    deals = EveningDeals(load(VECTOR["game"]), name, boards, key)
    hand = deals.hand(number)
    assert deals.commitment == said
    assert hand.dealer == VECTOR["dealer"] == (number - 1) % 4
    assert [" ".join(hand.names(cards)) for cards in hand.dealt] == VECTOR["deal"]
    assert " ".join(hand.names(hand.nest_dealt)) == VECTOR["nest"]


def test_whatever_differs_is_bound_and_each_deal_is_another() -> None:
    others = [
        FRIDAY,
        FRIDAY._replace(evening="Saturday"),
        FRIDAY._replace(boards=13),
        FRIDAY._replace(key=KEY[::-1]),
        FRIDAY._replace(rules=load({"base": "kd_tournament", "target": 305})),
    ]
    assert len({one.commitment for one in others}) == len(others)
    hands = [FRIDAY.hand(number).dealt for number in range(1, 13)]
    assert len(set(hands)) == 12
    # More deals under the same key begin with the same ones.
    assert FRIDAY._replace(boards=13).hand(12).dealt == hands[-1]
    with pytest.raises(IndexError, match="deal 13: expected 1 to 12"):
        FRIDAY.hand(13)


def test_no_evening_is_taken_for_a_day() -> None:
    daily = deal_of(KEY, "2026-11-23", "four")
    assert not is_evening("2026-11-23", 4)
    assert not is_evening("Friday", 0)
    assert not is_evening("Fri\nday", 4)
    assert daily.commitment != FRIDAY._replace(key=daily.key).commitment


def test_what_somebody_could_throw_in_is_left_out() -> None:
    few = load({"base": "kd_tournament", "counters": {"14": 20}, "bid_maximum": 80})
    deals = EveningDeals(few, "Friday", 30, KEY)
    assert not any(may_be_thrown_in(deals.hand(number)) for number in range(1, 31))


@lru_cache(maxsize=1)
def written(ended: bool = True) -> str:
    """Return the record of three deals at a table, in the order in which they came there."""
    hands = []
    for number in (5, 6, 1):
        hand = FRIDAY.hand(number)
        while hand.phase == "auction":
            words: Any = hand.legal().as_json()
            hand = hand.act(hand.turn or 0, "pass" if "pass" in words else words[0])
        kept = record.of_hand(hand)
        kept.extra["proof"] = FRIDAY.proof(number, ended=ended)
        hands.append(kept)
    return record.dumps(record.Record(FRIDAY.rules, "kd_tournament", None, hands))


def verified(text: str, *words: str) -> tuple[int, Any]:
    done = CliRunner().invoke(app, ["verify-deal", "-", "--json", *words], input=text)
    return done.exit_code, json.loads(done.stdout) if done.exit_code < 2 else done.output


def test_the_deals_of_a_table_are_as_promised() -> None:
    code, found = verified(written(), "--promised", FRIDAY.commitment.upper())
    assert (code, found["good"], found["scheme"]) == (0, True, "rook-set-1")
    assert [(one["evening"], one["number"]) for one in found["hands"]] == [
        ("Friday", 5),
        ("Friday", 6),
        ("Friday", 1),
    ]
    assert not any(one["thrown_in"] for one in found["hands"])
    code, found = verified(written(), "--promised", "0" * 64)
    assert [one["code"] for one in found["problems"]] == ["not-promised"]
    text = CliRunner().invoke(app, ["verify-deal", "-"], input=written()).stdout
    assert "deal 5 of the evening Friday: as promised" in text
    assert "nobody added" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_before_the_last_table_has_played_there_is_nothing_to_check() -> None:
    early = json.loads(written())
    for hand in early["hands"]:
        hand["proof"]["key"] = None
    code, said = verified(json.dumps(early))
    assert code == 2
    assert "when its last table has played" in " ".join(said.split())
    assert FRIDAY.proof(1, ended=False)["key"] is None


def another_dealer(hand: dict[str, Any]) -> None:
    hand["dealer"] = (hand["dealer"] + 1) % 4


def as_of_a_day(hand: dict[str, Any]) -> None:
    del hand["proof"]["evening"]
    hand["proof"].update(day="2026-11-23", family="four")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (two_cards, "cards"),
        (another_dealer, "cards"),
        (as_of_a_day, "commitment"),
        (in_proof(number=7), "cards"),
        (in_proof(number=13), "bad-proof"),
        (in_proof(number=0), "bad-proof"),
        (in_proof(boards=11), "commitment"),
        (in_proof(boards=0), "bad-proof"),
        (in_proof(evening="Saturday"), "commitment"),
        (in_proof(evening="2026-11-23"), "bad-proof"),
        (in_proof(key="00" * 32), "commitment"),
        (in_proof(key="00"), "bad-proof"),
        (in_proof(rules="00"), "other-rules"),
        (in_proof(commitment="00" * 32), "commitment"),
        (in_proof(scheme="rook-set-2"), "unknown-scheme"),
    ],
)
def test_whatever_was_changed_is_found(change: Change, code: str) -> None:
    changed = json.loads(written())
    change(changed["hands"][0])
    status, found = verified(json.dumps(changed))
    assert status == 1
    assert code in {one["code"] for one in found["hands"][0]["problems"]}


def test_a_deal_is_played_once_and_beside_none_of_another_evening() -> None:
    twice = json.loads(written())
    twice["hands"].append(twice["hands"][0])
    status, found = verified(json.dumps(twice))
    assert status == 1
    assert [one["code"] for one in found["hands"][3]["problems"]] == ["number-twice"]
    saturday = FRIDAY._replace(evening="Saturday")
    kept = record.of_hand(saturday.hand(2))
    kept.extra["proof"] = saturday.proof(2, ended=True)
    mixed = json.loads(written())
    mixed["hands"].append(kept.written())
    status, found = verified(json.dumps(mixed))
    assert status == 1
    assert [one["code"] for one in found["hands"][3]["problems"]] == ["other-table"]
