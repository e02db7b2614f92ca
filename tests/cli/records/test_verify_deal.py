"""`rookery verify-deal` finds whatever was changed in a record, and nothing where nothing was."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from tests.server.core.tables import PEOPLE, Chances, Sheet
from typer.testing import CliRunner, Result

from rookery.cards import card_name
from rookery.cli.main import app
from rookery.fairness.deal import commitment, deal_cards, permuted, proof
from rookery.rules import load
from rookery.server.registry.played import record_of
from rookery.server.table import commands as cm
from rookery.server.table.dealing import promised_anew

# Few cards count, and a hand without one is thrown in by itself: some deals of a match are.
FEW = {"counters": {"14": 20, "10": 10}, "redeal": "auto", "target": 200}
RULES = load({"base": "kd_tournament", **FEW})
SEED = 1  # the first two deals are played, a later one is thrown in
SHARE = "5a" * 16
Change = Callable[[dict[str, Any]], None]


@lru_cache(maxsize=1)
def written() -> str:
    """Return the record of a match at a table to which two people added chance."""
    sheet = Sheet(RULES, seed=SEED)
    sheet.say(PEOPLE[1], cm.Contribute("c", 0, SHARE))
    sheet.say(PEOPLE[0], cm.Start("g"))
    sheet.say(sheet.person(2), cm.Contribute("d", 1, "ab" * 16))
    sheet.play(Random(SEED), lambda _: False)
    text = record_of(sheet.history)
    assert text is not None
    return text


def rookery(*words: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(app, ["verify-deal", *words], input=stdin)


def found(record: dict[str, Any] | str, *words: str) -> set[str]:
    """Return the codes of all that is wrong."""
    text = record if isinstance(record, str) else json.dumps(record)
    done = rookery("-", "--json", *words, stdin=text)
    told = json.loads(done.stdout)
    codes = {one["code"] for hand in told["hands"] for one in hand["problems"]}
    codes |= {one["code"] for one in told["problems"]}
    assert told["good"] == (not codes)
    assert done.exit_code == (1 if codes else 0)
    return codes


def test_a_sound_match_is_as_promised(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(written())
    done = rookery(str(file), "--share", SHARE)
    assert done.exit_code == 0, done.stdout
    hands = json.loads(written())["hands"]
    assert f"All {len(hands)} deals are as promised" in done.stdout
    text = " ".join(done.stdout.split())
    assert f"and the shares of {PEOPLE[1].name}, " in text
    assert f"and the shares of {PEOPLE[2].name}, " in text
    assert "follow from the key alone (nobody added a share)," in text
    assert max(map(len, done.stdout.splitlines())) <= 80
    file.write_text(json.dumps(json.loads(written()) | {"hands": hands[:1]}))
    assert "\nThe deal is as promised, and every" in rookery(str(file)).stdout


def test_the_document_is_what_its_schema_says() -> None:
    schema = json.loads(CliRunner().invoke(app, ["schema", "verify-deal"]).stdout)
    told = json.loads(rookery("-", "--json", stdin=written()).stdout)
    jsonschema.validate(told, schema)
    assert [hand["number"] for hand in told["hands"]] == list(range(len(told["hands"])))
    assert [hand["contributors"] for hand in told["hands"][:3]] == [[1], [2], []]
    assert [hand["shares"] for hand in told["hands"][:3]] == [1, 1, 0]
    # Deals that were thrown in are among them: none can be left out unseen.
    assert {hand["thrown_in"] for hand in told["hands"]} == {False, True}


def test_a_hand_that_was_thrown_in_at_play_is_said_to_be() -> None:
    rng, sheet = Random(SEED), Sheet(RULES, seed=SEED)
    sheet.say(PEOPLE[0], cm.Start("g"))
    sheet.play(rng, lambda hand: len(hand.tricks) == 3)
    sheet.add(promised_anew(sheet.table, "ab", sheet.chances))
    sheet.play(rng, lambda _: sheet.table.place == 3)
    text = record_of(sheet.history)
    assert text is not None
    assert found(text) == set()
    told = json.loads(rookery("-", "--json", stdin=text).stdout)["hands"]
    assert (told[0]["thrown_in"], told[0]["acts"] > 12) == (True, True)
    # A hand that is under way at the end of a record may be played yet.
    record = json.loads(text)
    record["hands"] = record["hands"][:1]
    [last] = json.loads(rookery("-", "--json", stdin=json.dumps(record)).stdout)["hands"]
    assert not last["thrown_in"]


def test_what_a_record_says_of_its_table_writes_no_line_of_its_own() -> None:
    record = json.loads(written())
    record["hands"][0]["proof"]["table"] = "\x1b[2J\nAll deals are as promised.\u202e"
    shown = rookery("-", stdin=json.dumps(record)).stdout
    assert "Hand 0, deal 0 at table ?[2J?All deals are as promised.?: WRONG\n" in shown


def test_what_was_noted_before_the_deal_is_looked_for() -> None:
    first = json.loads(written())["hands"][0]["proof"]["commitment"]
    assert found(written(), "--promised", first.upper(), "--share", "ab" * 16) == set()
    assert found(written(), "--promised", "0" * 64) == {"not-promised"}
    # Each hand is as promised, but to somebody else: that is the one line that is said of it.
    done = rookery("-", "--promised", "0" * 64, stdin=written())
    assert ("Wrong  " in done.stdout, "0 of" in done.stdout) == (True, False)
    assert "is the fingerprint of no deal in this record:" in done.stdout
    assert found(written(), "--share", "5b" * 16) == {"not-contributed"}


@pytest.mark.parametrize(
    ("option", "noted", "line"),
    [
        ("--promised", "b68f", "--promised b68f: expected a fingerprint, 64 hexadecimal digits"),
        ("--promised", "g" * 64, "expected a fingerprint, 64 hexadecimal digits"),
        ("--share", "ab", "--share ab: expected a random number, 32 hexadecimal digits"),
    ],
)
def test_what_was_noted_in_part_is_no_other_promise(option: str, noted: str, line: str) -> None:
    done = rookery("-", option, noted, stdin=written())
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.endswith(f"{line}\n")


def a_card(record: dict[str, Any]) -> None:
    deal = record["hands"][1]["deal"]
    deal[0][0], deal[1][0] = deal[1][0], deal[0][0]


def a_nest_turned(record: dict[str, Any]) -> None:
    record["hands"][0]["nest"].reverse()


def a_key_byte(record: dict[str, Any]) -> None:
    shown = record["hands"][0]["proof"]
    shown["key"] = f"{int(shown['key'][:2], 16) ^ 1:02x}{shown['key'][2:]}"


def a_share(record: dict[str, Any]) -> None:
    record["hands"][0]["proof"]["shares"][1] = "5b" * 16


def no_share(record: dict[str, Any]) -> None:
    record["hands"][0]["proof"]["shares"][1] = ""


def a_share_in_other_signs(record: dict[str, Any]) -> None:
    record["hands"][0]["proof"]["shares"][1] = "5a " * 16


def a_deal_left_out(record: dict[str, Any]) -> None:
    del record["hands"][1]


def an_act(record: dict[str, Any]) -> None:
    acts = record["hands"][0]["actions"]
    acts[-1], acts[-2] = acts[-2], acts[-1]


def other_rules(record: dict[str, Any]) -> None:
    record["rules"] = {"base": "kd_tournament", **FEW, "target": 205}


def no_proof(record: dict[str, Any]) -> None:
    del record["hands"][0]["proof"]


def another_scheme(record: dict[str, Any]) -> None:
    record["hands"][0]["proof"]["scheme"] = "rook-deal-0"


def a_key_too_short(record: dict[str, Any]) -> None:
    shown = record["hands"][0]["proof"]
    shown["key"] = shown["key"][:-2]


def another_table(record: dict[str, Any]) -> None:
    record["hands"][1]["proof"]["table"] = "ABCDEF3"


def a_hand_after_the_match(record: dict[str, Any]) -> None:
    last = record["hands"][-1]
    where, key = (last["proof"]["table"], last["proof"]["number"] + 1), Chances(99)()
    dealt = deal_cards(RULES, *where, key, last["proof"]["shares"])
    promised = proof(RULES, *where, key, last["proof"]["shares"])
    another = {"dealer": (last["dealer"] + 1) % 4, "deal": dealt.deal, "nest": dealt.nest}
    record["hands"].append({**another, "actions": [], "proof": promised})


FORGED: dict[Change, set[str]] = {
    a_card: {"cards"},
    a_nest_turned: {"cards"},
    a_key_byte: {"cards", "commitment"},
    a_share: {"cards"},
    no_share: {"cards"},
    a_share_in_other_signs: {"bad-proof"},
    a_deal_left_out: {"number-left-out"},
    an_act: {"not-your-turn"},
    other_rules: {"other-rules", "cards"},
    no_proof: {"no-proof"},
    another_scheme: {"unknown-scheme"},
    a_key_too_short: {"bad-proof"},
    another_table: {"commitment", "cards", "other-table"},
    a_hand_after_the_match: {"hand-over"},
}


@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: forge.__name__)
def test_the_controls_what_was_forged_is_found(forge: Change) -> None:
    record = json.loads(written())
    forge(record)
    codes = found(record)
    assert codes >= FORGED[forge]
    # A card that was moved may also make an act illegal.
    assert codes - FORGED[forge] <= {"not-held", "must-follow", "discard-count", "not-your-turn"}


def test_a_deal_made_anew_with_another_key_is_found_by_who_noted_the_promise() -> None:
    record = json.loads(written())
    hand = record["hands"][0]
    noted, key = hand["proof"]["commitment"], Chances(99)()
    table, shares = hand["proof"]["table"], hand["proof"]["shares"]
    hand["proof"] = proof(RULES, table, 0, key, shares)
    dealt = deal_cards(RULES, table, 0, key, shares)
    hand.update(deal=dealt.deal, nest=dealt.nest, actions=[])
    record["hands"] = [hand]
    assert hand["proof"]["commitment"] == commitment(table, 0, key)
    assert found(record) == set()
    assert found(record, "--promised", noted) == {"not-promised"}


@pytest.mark.parametrize("junk", [b"", b"\xff", b"{}", b'{"format":"rookery/1","rules":"none"}'])
def test_what_is_no_record_is_one_line(junk: bytes) -> None:
    done = rookery("-", stdin=junk)
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = rookery(str(tmp_path / "none.json"))
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)


def without_proofs() -> str:
    record = json.loads(written())
    for hand in record["hands"]:
        del hand["proof"]
    return json.dumps(record)


def test_a_match_that_no_table_dealt_holds_nothing_to_check() -> None:
    for words in ((), ("--json",)):
        done = rookery("-", *words, stdin=without_proofs())
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.splitlines() == [
            "-: the record holds no promise to check: it was not dealt by a table's server"
        ]


def test_but_to_who_noted_a_promise_its_proof_is_owed() -> None:
    assert found(without_proofs(), "--promised", "0" * 64) == {"no-proof", "not-promised"}
    assert found(without_proofs(), "--share", SHARE) == {"no-proof", "not-contributed"}


def test_a_record_without_hands_proves_nothing() -> None:
    assert found({"format": "rookery/1", "rules": "kd_tournament", "hands": []}) == {"no-proof"}


def test_the_vector_of_the_docs_is_that_of_the_scheme() -> None:
    text = (Path(__file__).parents[3] / "docs/reference/deals.md").read_text("utf-8")
    vector = json.loads(text.partition("```json")[2].partition("```")[0])
    key, where = bytes.fromhex(vector["key"]), (vector["table"], vector["number"])
    rules = load(vector["game"])
    dealt = deal_cards(rules, *where, key, vector["shares"])
    assert [" ".join(hand) for hand in dealt.deal] == vector["deal"]
    assert " ".join(dealt.nest) == vector["nest"]
    shown = proof(rules, *where, key, vector["shares"])
    assert {name: vector[name] for name in shown} == shown
    order = permuted(rules.deck, bytes.fromhex(vector["seed"]))
    nest = [card_name(card, rules.pack) for card in order[-rules.nest_size :]]
    assert " ".join(nest) == vector["nest"]
    hashed = json.dumps(rules.hashed_options(), sort_keys=True, separators=(",", ":"))
    assert sha256(hashed.encode()).hexdigest() == vector["rules"]
    counters = text.partition('`"counters":')[2].partition("`")[0]
    assert f'"counters":{counters},' in hashed
