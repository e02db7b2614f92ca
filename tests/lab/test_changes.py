"""Single changes are what they say: one option, every value, sorted into what fits and what not."""

from typing import get_args

import pytest

from rookery.lab.studies.changes import OF_A_MATCH, changes_of, hand_table, settings
from rookery.rules import OPTIONS, Rules, catalog, load

TOURNAMENT = load("kd_tournament")


@pytest.mark.parametrize("name", catalog())
def test_each_change_changes_one_option(name: str) -> None:
    rules = load(name)
    found = changes_of(rules)
    assert [change.option for change in found] == sorted(
        (change.option for change in found), key=OPTIONS.index
    )
    for change in found:
        assert (change.rules is None) == (change.kind == "refused") == bool(change.problem)
        if change.rules is not None:
            assert change.rules.changes(rules) == {change.option: change.setting}
            idle = hand_table(change.rules) == hand_table(rules)
            assert idle == (change.kind == "idle")


def test_words_and_yes_or_no_take_every_other_value() -> None:
    tried = {option: settings(TOURNAMENT, option) for option in OPTIONS}
    for option in OPTIONS:
        field = Rules.model_fields[option]
        now = TOURNAMENT.options()[option]
        if field.annotation is bool:
            assert tried[option] == [not now]
        elif words := [word for word in get_args(field.annotation) if isinstance(word, str)]:
            assert set(words) - {now} <= {str(value) for value in tried[option]}, option


def test_no_setting_comes_twice_and_none_is_the_present_one() -> None:
    for name in catalog():
        rules = load(name)
        for option in OPTIONS:
            found = settings(rules, option)
            assert rules.options()[option] not in found
            assert all(value not in found[:n] for n, value in enumerate(found))


def test_every_option_that_has_another_value_is_changed() -> None:
    changed = {change.option for name in catalog() for change in changes_of(load(name))}
    assert set(OPTIONS) - changed == {"several_over_target"}  # it has one value


def test_what_decides_a_match_decides_no_hand() -> None:
    kinds = {change.option: change.kind for change in changes_of(TOURNAMENT)}
    for option in ("target", "tie", "negative_end", "own_contract_to_go_out", "totals", "rotation"):
        assert kinds[option] == "idle", option
    assert kinds["first_lead"] == "played"
    assert all(getattr(hand_table(TOURNAMENT), name) == 0 for name in OF_A_MATCH)


def test_what_does_not_fit_says_why() -> None:
    (change,) = [c for c in changes_of(TOURNAMENT) if c.option == "rook_in_deck"]
    assert (change.option, change.setting) == ("rook_in_deck", False)
    assert change.problem.startswith("hand_size: 4 hands of 9 and a nest of 5 take 41 cards")


def test_steps_come_in_every_order() -> None:
    rules = load("call_partner_5")
    orders = settings(rules, "declaration_order")
    assert len(orders) == 4 * 3 * 2 - 1
    assert all(sorted(order) == sorted(rules.steps) for order in orders if isinstance(order, list))


def test_counters_lose_one_gain_one_or_change_their_value() -> None:
    rules = load("black_2")
    now = {"1": 15, "5": 5, "10": 10, "14": 10}
    assert rules.counters == now
    others = [dict(value) for value in settings(rules, "counters") if isinstance(value, dict)]
    gone = [{key: now[key] for key in now if key != lost} for lost in now]
    dearer = [{**now, key: worth + 5} for key, worth in now.items()]
    cheaper = [{**now, key: worth - 5} for key, worth in now.items() if worth > 5]
    expected = [*gone, *dearer, *cheaper]  # 14 at 15 is among the dearer; 1 has that value
    assert len(others) == len(expected)
    assert all(value in others for value in expected)
