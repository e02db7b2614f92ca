"""Rules from files and mappings, and what is said when they are not right."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from rookery.rules import (
    METADATA,
    OPTIONS,
    Rules,
    RulesError,
    RulesUnreadable,
    UnknownRules,
    load,
    parse,
    variant,
)

TOML = """
base = "kd_full_57"
name = "Tuesday rules"
bid_minimum = 60
sweep_value = { add = 20 }
counters = { 5 = 5, 10 = 10, 14 = 10, r1 = 30 }
special_bids = [{ name = "sun", value = "game" }]
"""


def failure(source: str | Path | dict[str, object]) -> RulesError:
    with pytest.raises(RulesError) as caught:
        load(source)
    return caught.value


def test_a_toml_file_holds_changes_to_a_base(tmp_path: Path) -> None:
    path = tmp_path / "tuesday.toml"
    path.write_text(TOML, encoding="utf-8")
    for source in (path, str(path)):
        rules = load(source)
        assert (rules.id, rules.name, rules.bid_minimum) == (None, "Tuesday rules", 60)
        assert rules.changes(variant("kd_full_57")) == {
            "bid_minimum": 60,
            "sweep_value": {"add": 20},
            "counters": {"5": 5, "10": 10, "14": 10, "R1": 30},
            "special_bids": [{"name": "sun", "value": "game"}],
        }
        assert rules.total_points == 150


def test_a_json_file_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "tuesday.json"
    held = {"base": "kd_full_57", "counters": {"5": 5, "10": 10, "R1": 50}, "first_bidder": 2}
    path.write_text(json.dumps(held), encoding="utf-8")
    assert load(path) == load(held)
    bare = tmp_path / "tuesday"
    bare.write_text(json.dumps(held), encoding="utf-8")
    assert load(bare) == load(held)
    path.write_text('{"bid_minimum": 60.0}')  # a whole number, by the schema of the rules
    assert load(path) == load({"bid_minimum": 60})
    path.write_text('{"bid_minimum": 60.5}')
    assert "bid_minimum: 60.5" in str(failure(path))


def test_a_whole_number_may_have_a_point_wherever_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "tuesday.toml"
    path.write_text(TOML.replace("= 60", "= 60.0").replace("= 30 }", "= 30.0 }"))
    held, counters = parse(TOML), {"5": 5.0, "10": 10, "14": 10, "R1": 30.0}
    assert load(path) == load({**held, "bid_minimum": 60.0, "counters": counters}) == load(held)
    for points in (400.0, 400):
        rules = load({"special_bids": [{"name": "sun", "value": points}]})
        assert '"value": 400}' in json.dumps(rules.options())
    for name in ("sheet.toml", "sheet.json"):  # as score sheets are read
        text = "bid = 95.0" if name == "sheet.toml" else '{"bid": 95.0}'
        assert repr(parse(text, name)["bid"]) == "95"
    assert "bid_minimum: 60.5" in str(failure({"bid_minimum": 60.5}))  # the control


def test_without_a_base_it_is_the_tournament_game() -> None:
    rules = load({"bid_minimum": 60})
    assert rules.changes(variant("kd_tournament")) == {"bid_minimum": 60}
    assert rules.name == "Kentucky Discard, Tournament rules, house rules"
    assert load({}) is variant("kd_tournament")
    assert load({"base": "circus"}) is variant("circus")


def test_a_house_rule_is_as_reconstructed_as_its_base_and_takes_nothing_else_over() -> None:
    rules = load({"base": "circus", "target": 500})
    assert rules.reconstructed == variant("circus").reconstructed
    assert (rules.id, rules.origin, rules.notes) == (None, "", "")
    assert load({"base": "circus", "reconstructed": None, "target": 500}).reconstructed is None
    own = {"id": "ours", "name": "Ours", "origin": "the club", "notes": "Since 1974."}
    ours = load({**own, "base": "circus"})
    assert {key: getattr(ours, key) for key in own} == own


def test_a_house_rule_may_not_pass_for_a_variant() -> None:
    error = failure({"id": "kd_tournament", "target": 500})
    assert error.option == "id"
    assert load({"id": "kd_tournament", "name": "Mine"}).id == "kd_tournament"


def test_an_unknown_id_names_the_closest() -> None:
    error = failure("kd_turnament")
    assert isinstance(error, UnknownRules)
    assert error.code == "unknown-rules"
    assert 'did you mean "kd_tournament"?' in str(error)
    assert failure({"base": "wannamingo"}).option == "base"
    assert "wanamingo" in str(failure({"base": "wannamingo"}))
    assert failure({"base": 7}).code == "unknown-rules"
    assert "rules list" in str(failure("xyzzy"))
    assert "\n" not in str(failure("a\nb"))


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("rules.toml", "seats = "),
        ("rules.json", '{"seats": 4'),
        ("rules.json", "[1, 2]"),
        ("rules.json", "[" * 100_000),
        ("rules.json", '{"bid_minimum": 60, "bid_minimum": 70}'),
        ("rules.toml", f"bid_minimum = 0x{'f' * 5_000}"),
        ("rules.toml", 'a = "\udcff"'),
        ("absent.toml", None),
    ],
)
def test_a_file_that_cannot_be_read_is_another_error(
    tmp_path: Path, file: str, text: str | None
) -> None:
    path = tmp_path / file
    if text is not None:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    error = failure(path)
    assert isinstance(error, RulesUnreadable)
    assert error.code == "unreadable-rules"
    assert str(path) in str(error)
    assert "\n" not in str(error)


def test_a_key_of_many_parts_is_refused_before_it_takes_any_time() -> None:
    # What ends a line of Python's ends none of TOML's.
    split = ".".join(['"\u2028"'] * 6_000) + " = 1"
    for text in ("." * 12_000 + "a = 1", ".".join("a" * 12_000) + " = 1", split):
        with pytest.raises(RulesUnreadable, match=r"more than 100 dots in one line .*line 2"):
            parse(f"seats = 4\n{text}", "rules.toml")
    assert parse(f"notes = '{'.' * 100}'", "rules.toml") == {"notes": "." * 100}


def test_what_is_no_source_at_all_is_said_so() -> None:
    wanted = "rules: expected a variant's id, a file's path or options, not NoneType"
    with pytest.raises(TypeError, match=wanted):
        load(None)  # type: ignore[arg-type]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert failure(tmp_path).code == "unreadable-rules"


@pytest.mark.parametrize(
    ("changes", "option", "said"),
    [
        ({"rook_rank": "middle"}, "rook_rank", '"top", "bottom", "10.5", "12.5" or "declared"'),
        ({"rook_rank": 10.5}, "rook_rank", '"10.5"'),
        ({"seat": 4}, "seat", 'did you mean "seats"?'),
        ({"xyzzy": 4}, "xyzzy", "no such option"),
        ({"seats": "4"}, "seats", "a whole number from 2 to 8"),
        ({"seats": 9}, "seats", "a whole number from 2 to 8"),
        ({"seats": True}, "seats", "a whole number from 2 to 8"),
        ({"rook_in_deck": 1}, "rook_in_deck", "true or false"),
        ({"first_bidder": 8}, "first_bidder", '"left_of_dealer", "dealer" or a whole number'),
        ({"called_cards": True}, "called_cards", "a whole number from 0 to 2"),
        ({"counters": {"5": -5}}, "counters", "a table with a rank or the name of a card"),
        ({"counters": 5}, "counters", "a table"),
        ({"ranks": []}, "ranks", "a list of"),
        ({"ranks": [0, 15]}, "ranks", "1 to 14"),
        ({"trump_calls": []}, "trump_calls", '"suits-low"'),
        ({"trump_calls": ["spades"]}, "trump_calls", '"notrump-low"'),
        ({"special_bids": [{"name": "sun"}]}, "special_bids", '{ name = "sun", value ='),
        ({"special_bids": [{"name": "moon", "value": "game"}]}, "special_bids", "moon"),
        ({"sweep_value": {"replace": 0}}, "sweep_value", "{ add = a whole number from 1"),
        ({"sweep_value": {"replace": 20, "add": 20}}, "sweep_value", '"none"'),
        ({"nest_exchange": {"up_to": 0}}, "nest_exchange", "{ exactly_or_none ="),
        ({"own_contract_to_go_out": {"cap": "x"}}, "own_contract_to_go_out", '"no", "yes" or'),
        ({"circus_passing": {"best": "x"}}, "circus_passing", 'best = "enforced" or "free"'),
        ({"negative_end": 0}, "negative_end", "a whole number from -100000 to -1"),
        ({"several_over_target": "first"}, "several_over_target", '"highest"'),
        ({"name": 5}, "name", "a text"),
    ],
)
def test_a_value_that_will_not_do_is_answered_with_those_that_will(
    changes: dict[str, object], option: str, said: str
) -> None:
    error = failure(changes)
    assert error.option == option
    assert error.code == "bad-rules"
    assert str(error).startswith(f"{option}: ")
    assert said in str(error)
    assert "\n" not in str(error)


def test_everything_wrong_is_told_a_line_each_and_once() -> None:
    error = failure({"rook_rank": "middle", "sets": 4, "sweep_value": {"multiply": 2}})
    assert [line.partition(":")[0] for line in error.problems] == [
        "rook_rank",
        "sweep_value",
        "sets",
    ]
    assert str(error) == error.problems[0]


def test_an_error_survives_a_journey_between_processes() -> None:
    error = failure({"rook_rank": "middle"})
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (str(again), again.option, type(again)) == (str(error), error.option, type(error))


@pytest.mark.parametrize(
    "wrong", [{"hand_size": 8}, {"seats": "4"}, {"sets": 1}, {"self": 1}, {"seats": 9, "sets": 1}]
)
def test_rules_made_by_hand_are_refused_as_a_files_are(wrong: dict[str, object]) -> None:
    with pytest.raises(RulesError) as refused:
        Rules(**wrong)
    assert refused.value.problems == failure(wrong).problems
    assert Rules(hand_size=9).hand_size == 9  # the control


def test_the_schema_describes_every_option_for_a_form() -> None:
    schema = Rules.model_json_schema()
    assert list(schema["properties"]) == [*OPTIONS, *METADATA]
    for key, field in schema["properties"].items():
        assert field["title"], key
        assert field["description"].endswith("."), key
    assert schema["additionalProperties"] is False
    assert schema["properties"]["rook_rank"]["enum"] == [
        *("top", "bottom", "10.5", "12.5", "declared")
    ]
    assert schema["properties"]["seats"]["maximum"] == 8


def test_only_the_files_of_one_variant_are_read() -> None:
    program = (
        "import sys\n"
        "from rookery.rules import load\n"
        "from rookery.rules.source import _written\n"
        "assert _written.cache_info().currsize == 0\n"
        "load('dixie_6')\n"
        "assert _written.cache_info().currsize == 4\n"
        "assert not {'numpy', 'numba', 'rich', 'typer'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


JUNK: list[object] = [
    *(None, True, 0, -1, 10**30, 1.5, float("nan"), "", "x", "\ud800", "x" * 10_000, "a\nb"),
    *([], [1], ["R1"], ["a", {}], [[[]]], [None], ["\u0665"], [{"name": "sun", "value": 3}]),
    *({}, {"a": 1}, {"5": 5}, {5: 5}, {"\u0665": 5}, {"\xb2": 5}, {"up_to": 3}, {"cap": 3}),
]


@pytest.mark.parametrize("option", [*OPTIONS, *METADATA, "base", "xyzzy"])
def test_no_value_whatever_gives_more_than_one_clear_line(option: str) -> None:
    errors: list[RulesError] = []
    for value in JUNK:
        try:
            load({option: value})
        except RulesError as error:
            errors.append(error)
    assert errors
    for told in errors:
        assert "\n" not in str(told)
        assert len(str(told)) < 400
        assert told.option
