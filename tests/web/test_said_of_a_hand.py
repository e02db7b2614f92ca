"""What is written of a hand on a score sheet: in the form, as it is sent, and in words."""

from __future__ import annotations

from random import Random
from typing import Any

from playwright.sync_api import Page

PLAYERS = ["Ann", "Bob", "2", "Dee"]  # one is called as another's seat
ALL = ["partners", "revoked", "points", "tricks", "last_trick", "first_to_six"]


def seated(rng: Random) -> dict[str, Any]:
    """Return something that may be said of a hand; players stand in it by their seats."""
    said: dict[str, Any] = {"points": some(rng, 200)}
    if rng.random() < 0.8:
        said["declarer"] = str(rng.randrange(4))
        if rng.random() < 0.9:
            said["bid"] = rng.choice([90, 120, "sun"])
        others = [str(seat) for seat in range(4) if str(seat) != said["declarer"]]
        if rng.random() < 0.5:
            said["partners"] = rng.sample(others, rng.randint(1, 2))
    for part in ("revoked", "last_trick", "first_to_six"):
        if rng.random() < 0.5:
            said[part] = str(rng.randrange(4))
    if rng.random() < 0.2:
        said["last_trick"] = "blind hand"
    return {**said, "tricks": some(rng, 13)}


def some(rng: Random, most: int) -> dict[str, int]:
    return {str(seat): rng.randint(0, most) for seat in sorted(rng.sample(range(4), 2))}


def named(said: dict[str, Any]) -> dict[str, Any]:
    """Return the same as a server tells it, with the names of those that no seat is called as."""

    def name(seat: str) -> str:
        return PLAYERS[int(seat)] if seat.isdigit() and seat != "2" else seat

    told: dict[str, Any] = {}
    for part, value in said.items():
        if isinstance(value, dict):
            told[part] = {name(seat): n for seat, n in value.items()}
        elif isinstance(value, list):
            told[part] = [name(seat) for seat in value]
        else:
            told[part] = value if part == "bid" else name(value)
    return told


FORMS = """async ([players, all, told]) => {
  const { fromForm, toForm } = await import("/static/pages/sheet/said.js");
  return told.map((said) => fromForm(toForm(players, said), all));
}"""


def test_what_was_said_stands_in_the_form_and_is_sent_as_it_was(bare: Page) -> None:
    rng = Random(5)
    said = [seated(rng) for _ in range(300)]
    told = [named(one) for one in said]
    assert bare.evaluate(FORMS, [PLAYERS, ALL, [*told, {"redealt": True}]]) == [
        *said,
        {"redealt": True},
    ]
    # What is not asked for is not sent, whatever stands in the form.
    kept = ("declarer", "bid", "points")
    for asked in ([], ["tricks"], ["revoked", "partners"]):
        few = [{part: n for part, n in one.items() if part in (*kept, *asked)} for one in said[:50]]
        assert bare.evaluate(FORMS, [PLAYERS, asked, told[:50]]) == few


VALUES = """async (texts) => {
  const { sum, typed, valueOf } = await import("/static/pages/sheet/said.js");
  return texts.map((text) => [valueOf(text), sum(text), typed(text)]);
}"""
# What is typed, what it comes to, and what is shown beside it.
TYPED: dict[str, tuple[int | None, int | None]] = {
    **{"": (None, None), " ": (None, None), "-": (None, None), "+": (None, None)},
    **{"0": (0, None), " 75 ": (75, None), "-40": (-40, None), "+ 5": (5, None), "- 5": (-5, None)},
    **{"10+15": (25, 25), "10 + 15 - 5": (20, 20), "-5+5": (0, 0), "1 2": (None, None)},
    **{"10+": (None, None), "+-5": (None, None), "10--5": (None, None), "1e3": (None, None)},
    **{"7.5": (None, None), "5+10+15+20": (50, 50), " - 10 - 20 ": (-30, -30)},
}


def test_a_sum_that_is_typed_is_added_up(bare: Page) -> None:
    found = bare.evaluate(VALUES, list(TYPED))
    assert {
        text: (value, total) for text, (value, total, _) in zip(TYPED, found, strict=True)
    } == TYPED
    rng = Random(3)
    sums = [
        "".join(
            f"{rng.choice('+-') if n else ''}{rng.randint(0, 200)}"
            for n in range(rng.randint(2, 9))
        )
        for _ in range(100)
    ]
    added = [sum(int(part) for part in one.replace("-", "+-").split("+")) for one in sums]
    assert [total for _, total, _ in bare.evaluate(VALUES, sums)] == added
    # Other signs for minus count as minus, and nothing else can be typed.
    other = ["10\u22125", "10\u20135", "a1b2", "9" * 200]
    assert [text for *_, text in bare.evaluate(VALUES, other)] == ["10-5", "10-5", "12", "9" * 120]


MISFITS = """async ([asked, forms]) => {
  const { misfit, toForm } = await import("/static/pages/sheet/said.js");
  const empty = toForm([], null);
  return forms.map((form) => misfit({ ...empty, ...form }, asked));
}"""
BID = {"who": 0, "bid": "90"}
NO_NUMBER = {"part": "points", "malformed": True, "seats": [1]}
UNCOUNTED = {"part": "points", "malformed": False, "seats": [1]}
FORM: list[tuple[dict[str, Any], dict[str, Any] | None]] = [
    ({}, None),
    (BID, None),
    ({"who": 0}, {"part": "bid", "empty": True}),
    ({"who": 0, "bid": " "}, {"part": "bid", "empty": True}),
    ({"who": 0, "bid": "sun"}, None),
    ({"who": "nobody"}, None),
    ({"who": "redealt", "points": {"1": "x"}}, None),
    ({"who": None, "points": {"1": "x"}}, None),
    ({**BID, "points": {"1": "x"}}, NO_NUMBER),
    ({"who": "nobody", "points": {"1": "x"}}, NO_NUMBER),
    ({**BID, "points": {"0": "5", "1": "-5"}}, UNCOUNTED),
    ({**BID, "points": {"1": "0", "0": " "}}, None),
    ({**BID, "points": {"1": "99999"}}, None),
    ({**BID, "points": {"1": "100000"}}, UNCOUNTED),
    ({**BID, "tricks": {"2": "-1"}}, {"part": "tricks", "malformed": False, "seats": [2]}),
]


def test_what_cannot_be_counted_is_found_before_it_is_sent(bare: Page) -> None:
    found = bare.evaluate(MISFITS, [["points", "tricks"], [form for form, _ in FORM]])
    assert found == [misfit for _, misfit in FORM]
    # What is not asked for may stand there.
    assert bare.evaluate(MISFITS, [["points"], [FORM[-1][0]]]) == [None]


WORDS = """async ([players, all]) => {
  const { needWords } = await import("/static/core/i18n.js");
  await needWords("beside/sheet");
  const { contractOf, linesOf } = await import("/static/pages/sheet/said.js");
  return all.map((said) => [contractOf(players, said), ...linesOf(players, said)]);
}"""
IN_WORDS: list[tuple[dict[str, Any] | None, list[str]]] = [
    (None, ["taken off"]),
    ({"redealt": True, "points": {"Ann": 5}}, ["Dealt again"]),
    ({"declarer": None, "points": {}}, ["Nobody bid"]),
    ({"points": {"Ann": 40, "Bob": -10}}, ["Nobody bid", "Points: Ann 40, Bob \u221210"]),
    ({"declarer": "Bob", "bid": 95}, ["Bob 95"]),
    ({"declarer": "3"}, ["Dee"]),
    ({"declarer": "Zoe", "bid": 95}, ["Zoe 95"]),  # whoever is not called so any more
    ({"declarer": "Ann", "bid": "sun"}, ["Ann Sun"]),
    ({"declarer": "Ann", "bid": 95, "partners": ["Bob", "3"]}, ["Ann 95 with Bob and Dee"]),
    (
        {
            **{"declarer": "Ann", "bid": 95, "tricks": {"0": 5}, "last_trick": "blind hand"},
            **{"first_to_six": "Bob", "revoked": "0"},
        },
        [
            *("Ann 95", "Tricks: Ann 5", "Last trick: The blind hand"),
            *("First to six tricks: Bob", "Revoke: Ann"),
        ],
    ),
    ({"declarer": "Ann", "bid": 95, "last_trick": "3"}, ["Ann 95", "Last trick: Dee"]),
]


def test_what_was_said_of_a_hand_stands_on_the_sheet_in_words(bare: Page) -> None:
    said = bare.evaluate(WORDS, [PLAYERS, [one for one, _ in IN_WORDS]])
    assert said == [lines for _, lines in IN_WORDS]
