"""The deal of a day follows from its key alone, and `rookery verify-deal` does it again."""

from __future__ import annotations

import hashlib
import hmac
import json
import operator
from collections import Counter
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import takewhile
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from tests.server.daily.tried import played
from typer.testing import CliRunner

from rookery import record
from rookery.cli.main import app
from rookery.daily import sitting
from rookery.daily.day import FAMILIES, deal_of, rules_of
from rookery.fairness.day import DayDeal, commitment, day_key, may_be_thrown_in
from rookery.fairness.deal import deal_cards
from rookery.game import Hand
from rookery.rules import Rules, catalog, load, variant

SECRET = bytes(range(32))
DAY = "2026-11-23"
DEALS = Path(__file__).parents[2] / "docs" / "reference" / "deals.md"

FEW: dict[str, Any] = {"base": "kd_tournament", "counters": {"14": 20}, "bid_maximum": 80}
OWN_TURN = load({**FEW, "redeal": "own_turn_no_counters"})


VECTOR = json.loads(DEALS.read_text("utf-8").split("```json")[2].split("```")[0])


def joined(*parts: str | bytes) -> bytes:
    texts = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"".join(len(text).to_bytes(4, "big") + text for text in texts)


def mac(key: bytes, *parts: str | bytes) -> bytes:
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()  # type: ignore[arg-type]


def shuffled(things: list[Any], seed: bytes) -> list[Any]:
    """Shuffle as docs/reference/deals.md says, written anew from there."""
    blocks = b"".join(mac(seed, i.to_bytes(8, "big")) for i in range(20))
    words = iter(int.from_bytes(blocks[at : at + 4], "big") for at in range(0, len(blocks), 4))
    for i in range(len(things) - 1, 0, -1):
        word = next(word for word in words if word < 2**32 - 2**32 % (i + 1))
        things[i], things[word % (i + 1)] = things[word % (i + 1)], things[i]
    return things


def test_the_formulas_are_those_of_the_reference() -> None:
    day, family, rules = VECTOR["day"], VECTOR["family"], VECTOR["rules"]
    secret = bytes.fromhex(VECTOR["secret"])
    key = mac(secret, joined("rook-set-1", day, family))
    said = hashlib.sha256(joined("rook-set-1", day, family, rules, key)).hexdigest()
    (dealer, *_) = shuffled([0, 1, 2, 3], mac(key, joined("dealer", day, family)))
    dice = int.from_bytes(mac(key, joined("dice", day, family))[:8], "big") >> 2
    deck = [f"{suit}{rank}" for rank in range(5, 15) for suit in "RGYB"] + ["RK"]
    seed = mac(key, joined("deal", f"{day} {family}", str(VECTOR["number"]), rules))
    order = shuffled(deck, seed)
    assert key.hex() == VECTOR["key"]
    assert (said, dealer, dice) == (VECTOR["commitment"], VECTOR["dealer"], VECTOR["dice"])
    for seat, cards in enumerate(VECTOR["deal"]):
        assert sorted(cards.split()) == sorted(order[9 * seat : 9 * seat + 9])
    assert order[36:] == VECTOR["nest"].split()
    # And so does the program.
    deal = deal_of(secret, day, family)
    assert (deal.key, deal.commitment, deal.dice) == (key, said, dice)
    hand = deal.hand()
    assert (hand.dealer, hand.names(hand.nest_dealt)) == (dealer, order[36:])
    assert [" ".join(hand.names(cards)) for cards in hand.dealt] == VECTOR["deal"]


def test_another_day_family_secret_or_game_is_another_deal() -> None:
    deals = [
        deal_of(SECRET, DAY, "four"),
        deal_of(SECRET, "2026-11-24", "four"),
        deal_of(SECRET, DAY, "two"),
        deal_of(SECRET[::-1], DAY, "four"),
    ]
    assert len({deal.key for deal in deals}) == 4
    assert len({deal.commitment for deal in deals}) == 4
    first = deals[0]
    other = load({"base": "kd_tournament", "target": 305})
    assert commitment(other, DAY, "four", first.key) != first.commitment
    assert first.dice != deals[1].dice


@pytest.mark.parametrize("family", FAMILIES)
def test_one_deal_is_one_hand(family: str) -> None:
    rules = rules_of(family)
    # Where nobody bids somebody has to, and a card that is played stays played.
    assert rules.all_pass == "dealer"  # noqa: S105  (a rule)
    assert rules.renege == "prevented"
    dealers = Counter[int]()
    for number in range(200):
        hand = deal_of(SECRET, f"day {number}", family).hand()
        dealers[hand.dealer] += 1
        assert not any(map(hand.may_redeal, range(rules.seats)))
        while hand.phase == "auction":
            words = hand.legal().as_json()
            hand = hand.act(hand.turn or 0, "pass" if "pass" in words else words[0])  # type: ignore[index]
        assert not hand.over
    assert dealers.keys() == set(range(rules.seats))
    assert min(dealers.values()) > 200 / rules.seats / 2


def counts(cards: list[str]) -> bool:
    return any(card == "RK" or card.endswith("14") for card in cards)


def test_a_deal_that_somebody_could_throw_in_is_left_out() -> None:
    rules = load(FEW)
    left_out = 0
    for number in range(10):
        deal = DayDeal(rules, DAY, "few", day_key(SECRET, str(number), "few"))
        hand = deal.hand()
        found = [hand.names(cards) for cards in hand.dealt]
        dealt = (deal_cards(rules, f"{DAY} few", n, deal.key, ()).deal for n in range(1000))
        before = list(takewhile(partial(operator.ne, found), dealt))
        assert all(map(counts, found))
        assert not any(all(map(counts, cards)) for cards in before)
        left_out += len(before)
    assert left_out > 10


def test_where_every_deal_may_be_thrown_in_one_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    none = load({"base": "kd_tournament", "counters": {}, "bid_maximum": 20, "bid_minimum": 5})
    looked = Mock(wraps=deal_cards)
    monkeypatch.setattr("rookery.fairness.day.deal_cards", looked)
    with pytest.raises(ValueError, match="throw in 1000 deals"):
        DayDeal(none, DAY, "none", SECRET).hand()
    assert looked.call_count == 1


def thrown_in(hand: Hand) -> bool:
    """Return whether a seat may throw a hand in, now or once all before it have spoken."""
    for _ in range(hand.rules.seats):
        if any(map(hand.may_redeal, range(hand.rules.seats))):
            return True
        words: Any = hand.legal().as_json()
        said = "pass" if "pass" in words and hand.actions else words[0]
        hand = hand.act(hand.turn or 0, said)
    return False


@pytest.mark.parametrize("rules", [*map(variant, catalog()), load(FEW), OWN_TURN])
def test_what_is_left_out_is_what_the_rules_let_somebody_throw_in(rules: Rules) -> None:
    for number in range(40):
        cards = deal_cards(rules, "law", number, SECRET, ())
        hand = Hand.deal(rules, number % rules.seats, cards.deal, cards.nest)
        assert may_be_thrown_in(hand) == thrown_in(hand), number


@lru_cache(maxsize=1)
def written() -> str:
    deal = deal_of(SECRET, DAY, "five")
    return record.dumps(sitting.record_of(deal, played(deal), "Ann", ended=True))


def verified(text: str, *words: str) -> tuple[int, Any]:
    done = CliRunner().invoke(app, ["verify-deal", "-", "--json", *words], input=text)
    return done.exit_code, json.loads(done.stdout) if done.exit_code < 2 else done.output


def test_a_daily_deal_is_as_promised() -> None:
    deal = deal_of(SECRET, DAY, "five")
    code, told = verified(written(), "--promised", deal.commitment.upper())
    assert (code, told["good"], told["scheme"]) == (0, True, "rook-set-1")
    (hand,) = told["hands"]
    assert (hand["day"], hand["family"], hand["table"]) == (DAY, "five", None)
    assert hand["acts"] == len(played(deal))
    code, told = verified(written(), "--promised", "0" * 64)
    assert [one["code"] for one in told["problems"]] == ["not-promised"]
    text = CliRunner().invoke(app, ["verify-deal", "-"], input=written()).stdout
    assert "the deal of 2026-11-23, family five: as promised" in text
    assert "nobody added" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_before_the_day_has_ended_there_is_nothing_to_check() -> None:
    deal = deal_of(SECRET, DAY, "five")
    early = record.dumps(sitting.record_of(deal, played(deal), "Ann", ended=False))
    assert deal.key.hex() not in early
    code, told = verified(early)
    assert code == 2
    assert "shown when its day has ended" in told


Change = Callable[[dict[str, Any]], None]


def in_proof(**fields: object) -> Change:
    return lambda hand: hand["proof"].update(fields)


def two_cards(hand: dict[str, Any]) -> None:
    deal = hand["deal"]
    deal[0][0], deal[1][0] = deal[1][0], deal[0][0]


def another_dealer(hand: dict[str, Any]) -> None:
    hand["dealer"] = (hand["dealer"] + 1) % 5


def an_act(hand: dict[str, Any]) -> None:
    hand["actions"][-1], hand["actions"][-2] = hand["actions"][-2], hand["actions"][-1]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (two_cards, "cards"),
        (another_dealer, "cards"),
        (an_act, "not-your-turn"),
        (in_proof(day="2026-11-24"), "commitment"),
        (in_proof(day="23 November"), "bad-proof"),
        (in_proof(family="four"), "commitment"),
        (in_proof(key="00" * 32), "commitment"),
        (in_proof(key="00"), "bad-proof"),
        (in_proof(key=7), "bad-proof"),
        (in_proof(rules="00"), "other-rules"),
        (in_proof(commitment="00" * 32), "commitment"),
        (in_proof(scheme="rook-deal-1"), "bad-proof"),
        (in_proof(scheme="rook-set-2"), "unknown-scheme"),
    ],
)
def test_whatever_was_changed_is_found(change: Change, code: str) -> None:
    changed = json.loads(written())
    change(changed["hands"][0])
    status, told = verified(json.dumps(changed))
    assert status == 1
    assert code in {one["code"] for one in told["hands"][0]["problems"]}


def test_a_daily_deal_stands_for_no_hand_of_a_table() -> None:
    """Else a server could leave out a promise at a table, and put such a hand in its place."""
    twice = json.loads(written())
    twice["hands"] *= 2
    status, told = verified(json.dumps(twice))
    assert status == 1
    assert [one["code"] for one in told["hands"][1]["problems"]] == ["other-table"]
