"""Where the names of people stand who are forgotten, as the log of an evening is read."""

from __future__ import annotations

import pytest

from rookery.evening.log.changes import Arrive, Claim, Free, Kept, Rename, StandIn
from rookery.evening.log.names import Names, Place

GONE, HOST = 5, 1


def read(*said: tuple[Kept, int, int | None]) -> Names:
    """Return the names of Ann and Bob after what was said: what, by whom, and until which entry."""
    names = Names(["Ann", "Bob"])
    for entry, (change, writer, until) in enumerate(said, 1):
        names.take(entry, change, writer, until)
    return names


def claim(person: int, writer: int, until: int | None) -> tuple[Kept, int, int | None]:
    return Claim(do="claim", person=person), writer, until


MAX: tuple[Kept, int, None] = Rename(do="rename", person=0, name="Max"), HOST, None
FREED: tuple[Kept, int, None] = Free(do="free", person=0), HOST, None


@pytest.mark.parametrize("also", [(FREED,), (FREED, claim(0, 7, None)), (claim(1, GONE, 0),)])
def test_whoever_has_a_name_after_somebody_who_is_forgotten_keeps_theirs(
    also: tuple[tuple[Kept, int, int | None], ...],
) -> None:
    first = Place(0, 0)
    assert read(claim(0, GONE, 0), MAX).theirs == {first, Place(2, 0)}
    names = read(claim(0, GONE, 0), *also, MAX)
    assert Place(len(also) + 2, 0) not in names.theirs
    assert first in names.theirs
    assert names.old == {first}


def test_a_name_stands_where_its_person_came() -> None:
    came: list[Kept] = [
        StandIn(do="stand_in", name="Cy"),
        Arrive(do="arrive", names=["Dee", "Eve"]),
        Arrive(do="arrive", names=["Flo"]),
    ]
    names = read(*((change, HOST, None) for change in came))
    assert [names.of(person) for person in range(7)] == [
        *([Place(0, 0)], [Place(0, 1)], [Place(1, 0)]),
        *([Place(2, 0)], [Place(2, 1)], [Place(3, 0)], []),
    ]


def test_whoever_is_forgotten_has_no_name_after_theirs_were_taken_out() -> None:
    assert read(claim(0, GONE, 0), MAX).claims == [1]
    names = read(claim(0, GONE, 2), MAX, MAX)
    assert names.claims == []
    assert names.theirs == {Place(0, 0), Place(2, 0)}
