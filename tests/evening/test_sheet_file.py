"""A score sheet as somebody writes it down, and what is said of one that is wrong."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.evening.sheet_file import (
    BadSheet,
    HandSaid,
    read,
    said_of,
    seen,
    sum_of,
    tally_of,
)
from rookery.evening.tally import Tally
from rookery.rules import variant

HEAD = 'rules = "kd_tournament"\nplayers = ["Ann", "Bob", "Cy{}", "Dee"]\n'
HAND = '[[hand]]\ndeclarer = "Ann"\nbid = 80\n'


def test_a_file_in_toml_and_in_json_is_the_same_sheet() -> None:
    sheet, names = read(HEAD + HAND + 'points = { "Cy{}" = "60 + 45-5" }\n[[hand]]\nredealt = true')
    assert names == ("Ann", "Bob", "Cy{}", "Dee")
    assert sheet.totals == (100, 20, 100, 20)
    assert sheet.dealer == 1
    same = {
        "rules": {"base": "kd_tournament"},
        "players": names,
        "hand": [{"declarer": "Ann", "bid": 80, "points": {"Bob": 20}}, {"redealt": True}],
    }
    assert read(json.dumps(same))[0].totals == sheet.totals
    assert read(HEAD + HAND + "points = { Ann = 0 }")[0].totals == (-80, 120, -80, 120)
    told = seen(sheet, names)
    assert [one.score for one in told.hands] == [[100, 20, 100, 20], None]
    assert (told.hands[0].sides, told.hands[0].points) == ([[0, 2], [1, 3]], [100, 20])


def test_a_number_is_a_seat_unless_somebody_is_called_so() -> None:
    file = """rules = "kd_tournament"\nplayers = ["1", "Bob", "0", "Dee"]\ndealer = "%s" """
    assert [read(file % name)[0].dealer for name in ("1", "Bob", "0", "3")] == [0, 1, 2, 3]


def test_a_blind_hand_can_win_the_last_trick() -> None:
    text = """
        rules = { base = "rook_two_1914", trick_bonus = "last_trick", bid_maximum = 100 }
        players = ["Ann", "Bob"]
        [[hand]]
        declarer = "Ann"
        bid = 50
        points = { Ann = 50, Bob = 20 }
        last_trick = "%s"
    """
    assert read(text % "Ann")[0].totals[0] > read(text % "blind hand")[0].totals[0] == 50


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "rules: is missing; expected an id of the catalogue"),
        ("{", "sheet: Expecting property name"),
        ("rules = 1", "rules: 1 will not do; expected an id"),
        ('rules = "nope"\nplayers = ["a"]', 'no variant is called "nope"'),
        ('rules = "kd_tournament"', "players: is missing; expected a list of names"),
        ('rules = "kd_tournament"\nplayers = ["a", "b"]', "players: expected 4 different names"),
        ('rules = "kd_tournament"\nplayers = ["a", "b", "c", "a"]', "4 different names"),
        (HEAD + "hands = 0", "hands: 0 will not do; expected how many hands"),
        (HEAD + 'dealer = "Eve"', 'dealer: nobody is called "Eve"; expected Ann, Bob'),
        (HEAD + "hand = [3]", "hand 1: 3 will not do; expected a table [[hand]]"),
        (HEAD + HAND + "\n[[hand]]\nbids = 3", "hand 2: bids: there is no such key; there are red"),
        (HEAD + HAND.replace("80", '"80"'), 'hand 1: bid: "80" will not do; expected points, or'),
        (HEAD + HAND, "hand 1: points: expected those of Ann and Cy{}"),
        (HEAD + HAND + "points = { Ann = 63 }", "hand 1: points: no counters add up to 63"),
        (HEAD + HAND + 'points = { Ann = "-5" }', "hand 1: points: -5 will not do"),
        (HEAD + HAND + 'points = { Ann = "5+" }', 'hand 1: points: "5+" will not do'),
        (HEAD + HAND + 'points = { "{}" = 5 }', 'hand 1: points: nobody is called "{}"'),
        (HEAD + HAND + 'last_trick = "blind hand"', "hand 1: last-trick: nobody is called"),
    ],
)
def test_what_is_wrong_is_one_clear_line(text: str, line: str) -> None:
    with pytest.raises(BadSheet) as caught:
        read(text)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.sampled_from(["kd_tournament", "rook_two_1914", "five_person_poker"]), st.data())
def test_whatever_is_said_by_seats_is_read_as_it_was(name: str, data: st.DataObject) -> None:
    rules = variant(name)
    seats, seat = rules.seats, st.none() | st.integers(0, rules.seats - 1)
    each = st.tuples(*[st.none() | st.integers(0, 120)] * seats)
    tally = Tally(
        declarer=data.draw(seat),
        bid=data.draw(st.sampled_from([None, 80, "sun"])),
        partners=tuple(data.draw(st.lists(st.integers(0, seats - 1), max_size=2))),
        points=data.draw(each),
        tricks=data.draw(each.filter(any) | st.just(())),
        last_trick=data.draw(seat | st.just(seats if rules.blind else None)),
        first_to_six=data.draw(seat),
        revoked=data.draw(seat),
        redealt=data.draw(st.booleans()),
    )
    assert tally_of(said_of(tally, seats), rules, [*"abcdefgh"][:seats]) == tally


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["Ann", "sun", "5+5"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
KEYS = st.sampled_from(sorted(HandSaid.model_fields))


@given(st.lists(st.dictionaries(KEYS, VALUES | st.integers(0, 120)), max_size=3))
def test_whatever_is_written_of_a_hand_is_a_sheet_or_a_line(hands: list[dict[str, object]]) -> None:
    file = {"rules": "kd_tournament", "players": ["Ann", "Bob", "Cy", "Dee"], "hand": hands}
    with suppress(BadSheet):
        sheet, _ = read(json.dumps(file))
        assert len(sheet.entries) == len(hands)


@given(st.lists(st.integers(0, 999), min_size=1, max_size=8), st.data())
def test_a_sum_is_added_up(numbers: list[int], data: st.DataObject) -> None:
    signs = [data.draw(st.sampled_from("+-")) for _ in numbers[1:]]
    text = str(numbers[0]) + "".join(f"{s} {n}" for s, n in zip(signs, numbers[1:], strict=True))
    expected = numbers[0]
    for sign, number in zip(signs, numbers[1:], strict=True):
        expected += number if sign == "+" else -number
    assert sum_of(text) == expected
