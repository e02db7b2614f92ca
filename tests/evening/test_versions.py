"""What several people say of one thing, of whom some have to wait for somebody who agrees."""

from __future__ import annotations

from itertools import count, permutations

import pytest

from rookery.evening.versions import Shared, Written, folded


def told(*said: tuple[str, int, bool], agree: bool = False) -> Shared[str]:
    """Return what is made of what was said, each by somebody who has seen nothing of others.

    Each is what, who says it, and whether that waits.
    """
    numbers = count(1)
    entries = [
        Written(number, str(number), 1, 0, what, who, waits)
        for number, (what, who, waits) in zip(numbers, said, strict=False)
    ]
    return folded(entries, agree=agree)[1]


def test_what_only_waits_keeps_nothing_from_counting_that_was_said_in_time() -> None:
    late, timely = ("999", 2, True), ("60", 1, False)
    assert not told(late).counts
    for said in permutations((late, timely)):
        found = told(*said)
        assert (found.stands.said, found.state, found.counts) == ("60", "disputed", True)
        assert [one.said for one in found.others] == ["999"]


@pytest.mark.parametrize("agree", [False, True])
def test_what_two_agree_on_counts_though_somebody_else_waits_before_them(agree: bool) -> None:
    said = ("999", 3, True), ("60", 1, False), ("60", 2, False)
    for order in permutations(said):
        found = told(*order, agree=agree)
        assert (found.stands.said, found.counts) == ("60", True)


def test_what_has_counted_goes_on_counting_when_somebody_agrees_with_what_waits() -> None:
    late, timely, also = ("999", 2, True), ("60", 1, False), ("999", 3, False)
    assert told(late, timely, also).stands.said == "60"
    assert told(timely, late, also).stands.said == "60"
    assert told(late, also, timely).stands.said == "999"
