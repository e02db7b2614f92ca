"""The record: what is read, what is refused and why, and that a file is never half written."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hands import EXAMPLES, RECORD, REPLAY
from tests.unicode.halves import HALVES

from rookery import record
from rookery.game import Match
from rookery.record import DEEP, RecordError
from rookery.rules import Rules, load, variant


def changed(**changes: object) -> dict[str, Any]:
    """Return the example with some of its fields changed; None takes one away."""
    written = {**RECORD, **changes}
    return {key: value for key, value in written.items() if value is not None}


def with_hand(number: int = 1, **changes: object) -> dict[str, Any]:
    """Return the example with fields of one hand changed; None takes one away."""
    hands = [dict(hand) for hand in RECORD["hands"]]
    hands[number].update(changes)
    hands[number] = {key: value for key, value in hands[number].items() if value is not None}
    return changed(hands=hands)


def played(written: object) -> Match:
    return record.replay(record.loads(json.dumps(written)))


def refused(data: object) -> RecordError:
    text = data if isinstance(data, (str, bytes)) else json.dumps(data)
    with pytest.raises(RecordError) as caught:
        record.replay(record.loads(text))
    assert "\n" not in str(caught.value)
    return caught.value


def test_the_example_comes_out_as_the_contract_says() -> None:
    match = record.replay(record.read(EXAMPLES / "two_hands.json"))
    assert record.document(match) == REPLAY
    assert match.players == ("Ann", "Bo", "Cy", "Di")


def test_an_illegal_action_is_named_as_the_contract_says() -> None:
    # Seat 0 holds green and throws a red card on it.
    error = refused(with_hand(1, actions=[*RECORD["hands"][1]["actions"][:9], "0 play R6"]))
    document = error.document()["error"]
    assert list(document) == ["hand", "action", "text", "code", "reason"]
    assert {**document, "reason": ""} == {
        "hand": 1,
        "action": 9,
        "text": "0 play R6",
        "code": "must-follow",
        "reason": "",
    }
    assert str(error).startswith("hand 1, action 9 ('0 play R6'): must-follow: R6 does not follow")


def nested(deep: int) -> object:
    """Return an object in an object in an object."""
    whole: object = 1
    for _ in range(deep):
        whole = {"a": whole}
    return whole


MANY = ", ".join(f'"{number}": 0' for number in range(100_000))  # to look through once
BROKEN: list[tuple[str, str, Any]] = [
    ("bad-json", "expected JSON", ""),
    ("bad-json", "expected JSON", json.dumps(RECORD)[:-20]),
    ("bad-json", "expected JSON", "not a record"),
    ("bad-json", "byte 0 is not UTF-8", b"\xff\xfe\x00"),
    ("bad-json", "nested too deep", "[" * 100_000),
    ("bad-json", "nested more than 100 deep", changed(table=nested(101))),
    ("bad-json", "nested more than 100 deep", with_hand(proof={"a": [nested(99)]})),
    ("bad-json", "'rules' stands twice", '{"rules": 1, "rules": 2}'),
    ("bad-json", "'z' stands twice", f'{{{MANY}, "z": 0, "z": 0}}'),
    ("bad-json", "NaN is no number", '{"seed": NaN}'),
    ("bad-json", "expected JSON", '{"seed": ' + "9" * 5000 + "}"),
    ("bad-json", "'-1e999' is too large", '{"note": -1e999}'),
    ("bad-format", "the record: expected an object, found a list", []),
    ("bad-format", "found 7", "7"),
    ("bad-format", 'format: expected "rookery/1", found nothing', changed(format=None)),
    ("bad-format", "found the text 'rookery/2'", changed(format="rookery/2")),
    ("bad-format", "rules: expected a variant's id", changed(rules=None)),
    ("bad-format", "rules: expected", changed(rules=3)),
    ("unknown-rules", 'no variant is called "kd"', changed(rules="kd")),
    ("unknown-rules", "no variant", changed(rules="pyproject.toml")),
    ("unknown-rules", "no variant", changed(rules={"base": "kd"})),
    ("bad-rules", "there is no such option", changed(rules={"base": "dixie", "foo": 1})),
    ("bad-rules", "hand_size", changed(rules={"hand_size": 8})),
    ("bad-format", "players: expected 4 names, found 3 names", changed(players=["A", "B", "C"])),
    ("bad-format", r"players\[1\]: expected a text, found 2", changed(players=["A", 2, "C", "D"])),
    ("bad-format", "players: expected a list", changed(players="Ann")),
    ("bad-format", "hands: expected a list, found nothing", changed(hands=None)),
    ("bad-format", r"hands\[0\]: expected an object, found a list", changed(hands=[[]])),
    ("bad-format", r"hands\[1\].dealer: expected a whole number", with_hand(dealer=None)),
    ("bad-format", r"hands\[1\].dealer: .* found true", with_hand(dealer=True)),
    ("bad-format", r"hands\[1\].dealer: .* found 1.5", with_hand(dealer=1.5)),
    ("bad-format", r"hands\[1\].dealer: .* found 1e\+16", with_hand(dealer=1e16)),
    ("bad-format", r"hands\[1\].deal: expected a list, found nothing", with_hand(deal=None)),
    ("bad-format", r"hands\[1\].deal\[0\]: expected a list", with_hand(deal=["R5"])),
    ("bad-format", r"hands\[1\].deal\[0\]\[0\]: expected a text", with_hand(deal=[[5]])),
    ("bad-format", r"hands\[1\].nest: expected a list", with_hand(nest="R5")),
    ("bad-format", r"hands\[1\].actions\[0\]: expected a text", with_hand(actions=[1])),
    ("bad-format", r"hands\[1\]: expected a deal or a seed, found both", with_hand(seed=3)),
    ("bad-format", "seed: expected", with_hand(seed="3", deal=None, nest=None)),
]


@pytest.mark.parametrize(("code", "words", "data"), BROKEN)
def test_a_file_at_fault_is_refused(code: str, words: str, data: object) -> None:
    error = refused(data)
    assert error.code == code
    assert (error.hand, error.action, error.text) == (None, None, None)
    error.add_note(words)
    with pytest.raises(RecordError, match=words):
        raise error


AT_A_HAND: list[tuple[str, int, int | None, Any]] = [
    ("bad-deal", 1, None, with_hand(nest=None)),
    ("bad-deal", 0, None, with_hand(0, dealer=4)),
    ("bad-deal", 1, None, with_hand(nest=["R6", "Y9", "Y12", "B8", "B13"])),
    ("bad-deal", 1, None, with_hand(nest=["R1", "Y9", "Y12", "B8", "B13"])),
    ("bad-deal", 1, None, with_hand(seed=-1, deal=None, nest=None)),
    ("unknown-card", 1, None, with_hand(nest=["X1", "Y9", "Y12", "B8", "B13"])),
    ("bad-action", 1, 0, with_hand(actions=["hello there"])),
    ("unknown-card", 1, 0, with_hand(actions=["1 play R15"])),
    ("not-your-turn", 1, 1, with_hand(actions=["1 pass", "3 bid 70"])),
    ("hand-over", 0, 42, with_hand(0, actions=[*RECORD["hands"][0]["actions"], "0 play R5"])),
    ("hand-over", 1, None, changed(rules={"target": 75})),
]


@pytest.mark.parametrize(("code", "hand", "action", "data"), AT_A_HAND)
def test_a_hand_at_fault_is_named(code: str, hand: int, action: int | None, data: object) -> None:
    error = refused(data)
    assert (error.code, error.hand, error.action) == (code, hand, action)
    assert (error.text is None) == (action is None)


def test_what_is_not_known_is_kept_and_ignored() -> None:
    written = with_hand(1, proof={"scheme": "x"}, note=[1, {"a": None}])
    written["event"] = "Thursday"
    kept = json.loads(record.dumps(record.loads(json.dumps(written))))
    assert kept == written
    assert record.document(played(written)) == REPLAY


def test_what_is_not_known_is_kept_up_to_a_depth() -> None:
    deep = record.loads(json.dumps(changed(table=nested(DEEP - 1))))
    assert record.loads(record.dumps(deep)).extra == {"table": nested(DEEP - 1)}


def test_rules_are_refused_however_deep_they_are_nested() -> None:
    for deep in range(900, 1_000):
        ranks = deep * "[" + deep * "]"
        text = f'{{"format": "rookery/1", "rules": {{"ranks": {ranks}}}, "hands": []}}'
        with pytest.raises(RecordError) as caught:
            record.loads(text)
        assert caught.value.code in ("bad-rules", "bad-json")


def test_a_byte_order_mark_and_foreign_names_are_read() -> None:
    written = changed(players=["Zoë", "Łukasz", "\ud83d\ude00", "\\ud800"])
    again = record.loads(b"\xef\xbb\xbf" + json.dumps(written).encode())
    assert record.loads("\ufeff" + json.dumps(written)) == again
    assert again.players == ["Zoë", "Łukasz", "😀", "\\ud800"]
    text = record.dumps(again)
    assert "Zoë" in text
    assert json.loads(text.encode())["players"] == again.players


def test_half_a_surrogate_pair_is_no_text() -> None:
    for half in (*HALVES, {"\ud800": 1}):
        for data in (json.dumps(changed(note=half)), json.dumps(changed(note=half), indent=1)):
            error = refused(data)
            line = 1 + data.count("\n", 0, data.index("\\ud"))
            assert error.code == "bad-json"
            assert error.reason.startswith(f"line {line}: half a surrogate pair")
    assert refused(b'{"format": "\xed\xa0\x80"}').code == "bad-json"


def test_a_hand_may_stop_anywhere_and_the_next_one_follow() -> None:
    actions = RECORD["hands"][0]["actions"]
    for stop in range(len(actions)):
        match = played(with_hand(0, actions=actions[:stop]))
        assert len(match.hands) == 2
        assert match.totals == (0, 0, 0, 0)


def test_a_seed_stands_for_a_deal() -> None:
    seeded = {"format": "rookery/1", "rules": "circus", "hands": [{"dealer": 2, "seed": 12}]}
    hand = played(seeded).hands[0]
    assert hand.seed == 12
    dealt = record.of_hand(hand).written()
    spelled = {**seeded, "hands": [dealt]}
    assert played(spelled).hands[0].status() == hand.status()
    assert record.loads(json.dumps(seeded)).written() == {
        **seeded,
        "hands": [{"dealer": 2, "seed": 12, "actions": []}],
    }


def test_a_whole_number_may_be_written_with_a_point() -> None:
    """As every JSON schema has it; programs that know one kind of number alone write it so."""
    text = '{"format": "rookery/1", "rules": "circus", "hands": [{"dealer": %s, "seed": %s}]}'
    assert record.loads(text % ("2.0", "12.0")) == record.loads(text % ("2", "12"))
    assert '"dealer": 2, "seed": 12,' in record.dumps(record.loads(text % ("2.0", "1.2e1")))


def test_bytes_of_whatever_kind_are_read() -> None:
    data = json.dumps(RECORD).encode()
    assert record.loads(bytearray(data)) == record.loads(data) == record.loads(data.decode())


def test_a_file_that_holds_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    for text, code in (("{", "bad-json"), ('{"format": "x"}', "bad-format")):
        path.write_text(text)
        with pytest.raises(record.RecordError) as refused:
            record.read(path)
        assert str(refused.value).startswith(f"{code}: {path}: ")
        assert refused.value.code == code


def test_a_record_without_hands_is_a_match_that_has_not_begun() -> None:
    match = played(changed(hands=[]))
    assert record.document(match) == {"hands": [], "score": [0, 0, 0, 0], "winners": None}


def test_a_match_that_is_won_names_its_winners() -> None:
    match = played(changed(rules={"target": 75}, hands=RECORD["hands"][:1]))
    assert record.document(match)["winners"] == [1, 3]


@pytest.mark.parametrize(
    "rules",
    [
        variant("dixie"),
        load({"base": "circus", "bid_minimum": 110}),
        load({"bid_minimum": 60, "id": "ours", "name": "Ours", "notes": "At Ann's."}),
    ],
)
def test_rules_are_written_so_that_they_are_read_back(rules: Rules) -> None:
    text = record.dumps(record.of_match(Match(rules)))
    assert record.loads(text).rules == rules


def test_rules_with_the_id_of_a_variant_that_they_are_not_can_be_read_back() -> None:
    rules = Rules(id="buckeye", bid_minimum=60)
    text = record.dumps(record.of_match(Match(rules)))
    assert record.loads(text).rules == rules.model_copy(update={"id": None})


def test_a_file_is_written_at_a_stroke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "evening.json"
    record.write(record.loads(json.dumps(RECORD)), path)
    before = path.read_bytes()
    assert json.loads(before) == RECORD

    def full(_record: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(record, "dumps", full)
    with pytest.raises(OSError, match="No space"):
        record.write(record.loads(json.dumps(RECORD)), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["evening.json"]


def test_a_link_to_a_record_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("{}")
    link.symlink_to(real)
    record.write(record.loads(json.dumps(RECORD)), link)
    assert link.is_symlink()
    assert json.loads(real.read_text()) == RECORD


def test_no_line_is_longer_than_the_page() -> None:
    text = record.dumps(record.loads(json.dumps(RECORD)))
    assert max(len(line) for line in text.splitlines()) <= 100


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_nothing_but_a_record_error_comes_of_other_data(data: bytes) -> None:
    with pytest.raises(RecordError):
        record.loads(data)


@given(
    field=st.sampled_from(
        ["rules", "players", "hands", "dealer", "deal", "nest", "seed", "actions"]
    ),
    value=JSON,
)
def test_a_wrong_value_anywhere_is_a_record_error_or_plays(field: str, value: object) -> None:
    top = field in ("rules", "players", "hands")
    written = changed(**{field: value}) if top else with_hand(1, **{field: value})
    with suppress(RecordError):
        assert record.document(played(written))["hands"] is not None
