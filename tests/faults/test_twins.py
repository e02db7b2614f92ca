"""P26 in small: nobody comes beside somebody whose name can be taken for theirs."""

from __future__ import annotations

from itertools import combinations
from unicodedata import normalize
from unittest.mock import patch

from tests.faults.twins import FAMILY, WAYS, at_table, skeleton, stands, tried

from rookery.server.table import events as ev
from rookery.server.table import seating

SIZE = 6_000


def by_letters(one: str, other: str) -> bool:
    """Return whether two names are the same letter by letter, in whatever case."""
    return normalize("NFKC", one).casefold() == normalize("NFKC", other).casefold()


def test_no_name_stands_beside_its_twin() -> None:
    found = tried(SIZE, seed=26)
    assert not found.beside, found.beside[0]
    assert all(found.ends[f"refused: {way}"] > SIZE // 10 for way in WAYS)
    assert found.ends["refused as a name"] < SIZE // 4


def test_the_control_names_that_are_compared_by_their_letters_stand_beside_their_twins() -> None:
    with patch.object(seating, "alike", by_letters):
        found = tried(300, seed=26)
    assert len(found.beside) > 50


def test_a_family_sits_down_and_talks() -> None:
    for one, other in combinations(FAMILY, 2):
        assert skeleton(one.casefold()) != skeleton(other.casefold())
        assert stands(at_table(ev.Sat(0, "p", one)), "sits", "q", other), (one, other)
        assert stands(at_table(ev.Sat(0, "p", one)), "talks", "q", other), (one, other)
