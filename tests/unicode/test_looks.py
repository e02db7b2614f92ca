"""What a name looks like: Unicode's own examples, and the list itself against the skeletons."""

from __future__ import annotations

import subprocess
import sys
from unicodedata import normalize

import pytest
from tests.faults.twins import prototypes
from tests.faults.twins import skeleton as by_the_list

from rookery.unicode.looks import IGNORABLE, alike, has_unseen, looks, skeleton

SAME = [
    # UTS 39, section 4.
    ("paypal", "\u0440\u0430\u0443\u0440\u0430l"),
    ("scope", "\u0455\u0441\u043e\u0440\u0435"),
    ("toys-r-us", "toys-\u0433-us"),
    # In capitals other letters look alike than in small ones.
    ("Bob", "\u0412ob"),
    ("Alice", "AIice"),
    ("ALICE", "A1ice"),
    ("Jeff", "Je\u017f\u017f"),
    ("Ian", "lan"),
    ("Ann", "ANN"),
    ("Ann", "\uff21\uff4e\uff4e"),
    ("Stra\u00dfe", "STRASSE"),
    ("Zo\u00eb", "Zoe\u0308"),
    ("Marna", "Mama"),
    ("Ann", "A\u200dnn"),
    ("Ann", "Ann\u034f"),
    ("Ann", "Ann\ufe0f"),
]
OTHERS = [("Ann", "Anna"), ("Zoe", "Zo\u00eb"), ("Kai", "Kal"), ("Bo", "Jo"), ("美咲", "美桜")]
UNSEEN = [
    *("A\u200bnn", "A\u200cnn", "Ann\u200d", "Ann\u034f", "Ann\ufe0f", "\u3164", "\u2800"),
    *("\u115f", "\u1160", "\uffa0", "A\u2060nn", "A\u00adnn", "A\U000e0041nn", "\u17b4", "\ufe0f"),
    *("Ann\u180b", "1\ufe0f\u20e3", "\u200dAnn", "\u263a\u200dn", "\u0639\u200c", "A\u200c\u0639"),
]
SEEN = [
    *(
        "Ann",
        "Zoë",
        "❤\ufe0f",
        "👩🏽\u200d🚀",
        "🏳\ufe0f\u200d🌈",
        "\u2194\ufe0f",
        "👩\u200d⚕\ufe0f",
    ),
    *("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "क्\u200dष", "ශ්\u200dරී", "র\u200d্য"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_is_taken_for_the_other(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_one_is_told_from_the_other(one: str, other: str) -> None:
    assert not alike(one, other)


@pytest.mark.parametrize("text", UNSEEN)
def test_a_sign_that_nobody_sees_is_found(text: str) -> None:
    assert has_unseen(text)


@pytest.mark.parametrize("text", SEEN)
def test_a_joiner_is_left_where_it_does_something(text: str) -> None:
    assert not has_unseen(text)


def test_each_character_of_the_list_looks_like_what_it_stands_for() -> None:
    assert len(prototypes()) == 6_565  # as Unicode's file says at its end
    for one, prototype in prototypes().items():
        if IGNORABLE.search(one) is None:
            assert skeleton(one) == by_the_list(one)
            assert normalize("NFD", one) != one or skeleton(one) == normalize("NFD", prototype)


def test_the_list_is_read_when_it_is_needed() -> None:
    program = (
        "import sys\n"
        "from rookery.unicode import looks\n"
        "assert looks._prototypes.cache_info().currsize == 0\n"
        "assert looks.alike('Ann', '\\u0410nn')\n"
        "assert not {'rookery.server', 'numpy', 'numba'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_a_name_is_looked_at_once() -> None:
    looks.cache_clear()
    for _ in range(5):
        alike("Ann", "Bob")
    assert looks.cache_info().misses == 2
