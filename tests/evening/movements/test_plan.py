"""Mitchell and Howell: laws that are counted from the rounds alone, and what is known to hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import pytest

from rookery.evening.movements.plan import MOST_HOWELL, Placed, Rounds, howell, mitchell

SIZES = range(3, MOST_HOWELL + 1)


def relay(pairs: int) -> Rounds:
    return mitchell(pairs, relay=True)


MOVEMENTS: list[Callable[[int], Rounds]] = [mitchell, relay, howell]
FULL = [(howell, n) for n in range(4, MOST_HOWELL + 1, 2)]


def meetings(rounds: Rounds) -> Counter[frozenset[int]]:
    return Counter(frozenset(one.pairs) for tables in rounds for one in tables)


def deals_of(rounds: Rounds) -> dict[int, list[int]]:
    """Return the sets of deals that each pair plays, in order."""
    found: dict[int, list[int]] = {}
    for one in (one for tables in rounds for one in tables):
        for pair in one.pairs:
            found.setdefault(pair, []).append(one.deals)
    return found


def shared(rounds: Rounds) -> list[int]:
    """Return round by round how many tables play deals that another one has too."""
    return [
        sum(n for n in Counter(one.deals for one in tables).values() if n > 1) for tables in rounds
    ]


def compared(rounds: Rounds) -> Counter[tuple[int, int]]:
    """Return on how many sets two pairs sat on the same side."""
    same: Counter[tuple[int, int]] = Counter()
    for deals in {one.deals for tables in rounds for one in tables}:
        for side in (0, 1):
            who = [one.pairs[side] for tables in rounds for one in tables if one.deals == deals]
            same.update(combinations(sorted(who), 2))
    return same


def faults(rounds: Rounds) -> set[str]:
    """Return which laws some rounds break."""
    broken = set()
    for tables in rounds:
        places = [pair for one in tables for pair in one.pairs]
        if len(set(places)) < len(places):
            broken.add("a pair is at two tables")
        if len({one.table for one in tables}) < len(tables):
            broken.add("a table is there twice")
    if any(len(set(deals)) < len(deals) for deals in deals_of(rounds).values()):
        broken.add("a pair plays a deal twice")
    if max(meetings(rounds).values()) > 1:
        broken.add("two pairs meet twice")
    return broken


@pytest.mark.parametrize("movement", MOVEMENTS)
@pytest.mark.parametrize("pairs", SIZES)
def test_nobody_plays_a_deal_twice_or_meets_anybody_twice(
    movement: Callable[[int], Rounds], pairs: int
) -> None:
    rounds = movement(pairs)
    assert faults(rounds) == set()
    out = Counter(
        pair
        for tables in rounds
        for pair in set(range(pairs)) - {pair for one in tables for pair in one.pairs}
    )
    assert set(out.values()) <= {1}  # nobody sits out twice
    assert bool(out) == bool(pairs % 2)


def test_the_control_planted_faults_are_found() -> None:
    (a, *rest), *others = howell(8)
    twice = (a._replace(pairs=(rest[0].pairs[0], a.pairs[1])), *rest)
    assert "a pair is at two tables" in faults((twice, *others))
    table = (a._replace(table=rest[0].table), *rest)
    assert faults((table, *others)) == {"a table is there twice"}
    deal = (a._replace(deals=rest[0].deals), *rest)
    assert faults((deal, *others)) == {"a pair plays a deal twice"}
    assert shared((deal, *others))[0] == 2
    assert {"two pairs meet twice", "a pair plays a deal twice"} == faults(((a, *rest), (a, *rest)))


@pytest.mark.parametrize("pairs", range(4, MOST_HOWELL + 1, 2))
def test_a_full_howell_is_complete(pairs: int) -> None:
    rounds = howell(pairs)
    assert len(rounds) == pairs - 1
    assert meetings(rounds) == {frozenset(two): 1 for two in combinations(range(pairs), 2)}
    every = set(range(pairs - 1))
    assert all(set(deals) == every for deals in deals_of(rounds).values())
    for tables in rounds:
        assert [one.table for one in tables] == list(range(1, pairs // 2 + 1))


@pytest.mark.parametrize("pairs", SIZES[5:])
def test_in_a_howell_of_eight_pairs_or_more_no_deal_is_at_two_tables(pairs: int) -> None:
    assert not any(shared(howell(pairs)))


def test_fewer_pairs_have_to_share_some_deals() -> None:
    """There are no Room squares of side 3 and 5: in these two movements some tables share."""
    assert shared(howell(4)) == [2, 2, 2]
    assert shared(howell(6)) == [3, 0, 0, 0, 0]


@pytest.mark.parametrize("pairs", range(4, MOST_HOWELL + 1, 2))
def test_in_a_howell_everybody_is_compared_with_everybody_about_as_often(pairs: int) -> None:
    counts = compared(howell(pairs))
    assert len(counts) == pairs * (pairs - 1) // 2
    assert sum(counts.values()) == len(counts) * (pairs // 2 - 1)
    spread = max(counts.values()) - min(counts.values())
    assert spread == (0 if pairs % 4 == 0 else 2)


@pytest.mark.parametrize("pairs", range(4, 31, 2))
@pytest.mark.parametrize("movement", [mitchell, relay])
def test_the_sides_of_a_mitchell(movement: Callable[[int], Rounds], pairs: int) -> None:
    tables, rounds = pairs // 2, movement(pairs)
    skips = movement is mitchell and tables % 2 == 0 and tables > 2
    assert len(rounds) == tables - skips
    for number, placed in enumerate(rounds):
        assert [one.pairs[0] for one in placed] == list(range(0, pairs, 2))  # they stay
        assert all(one.pairs[1] % 2 for one in placed)
        assert [one.table for one in placed] == list(range(1, tables + 1))
        if not number:
            assert [one.pairs for one in placed] == [(2 * i, 2 * i + 1) for i in range(tables)]
    # Each misses one pair of the other side and one set of deals where it skips, and else none.
    assert set(Counter(p for two in meetings(rounds) for p in two).values()) == {len(rounds)}
    sharing = tables % 2 == 0 and not skips
    assert shared(rounds) == [2 if sharing else 0] * len(rounds)
    if sharing and tables > 2:
        assert all(placed[0].deals == placed[-1].deals for placed in rounds)


@pytest.mark.parametrize("tables", range(3, 16))
def test_pairs_and_deals_of_a_mitchell_go_to_the_tables_beside_them(tables: int) -> None:
    skip = tables // 2 if tables % 2 == 0 else None
    for number, (before, after) in enumerate(
        zip(mitchell(2 * tables), mitchell(2 * tables)[1:], strict=False), 1
    ):
        for one in after:
            step = 2 if number == skip else 1
            assert at(before, one.table - step, tables).pairs[1] == one.pairs[1]
            assert at(before, one.table + 1, tables).deals == one.deals


def at(placed: tuple[Placed, ...], table: int, tables: int) -> Placed:
    return placed[(table - 1) % tables]


def test_a_bigger_howell_is_not_there() -> None:
    with pytest.raises(KeyError):
        howell(MOST_HOWELL + 1)
