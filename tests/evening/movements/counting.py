"""Counts of who meets whom, made from rounds alone and by nothing of the program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rookery.evening.movements.state import Evening

Rounds = Sequence[Sequence[Sequence[int]]]  # rounds, tables, seats


def rounds_of(evening: Evening) -> list[list[tuple[int, ...]]]:
    return [[table.seats for table in one.tables] for one in evening.rounds]


def meetings(people: int, rounds: Rounds, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Return for every two people how often they sat on seats of these pairs."""
    grid = [[0] * people for _ in range(people)]
    wanted = list(pairs)
    for tables in rounds:
        for seats in tables:
            for a, b in wanted:
                grid[seats[a]][seats[b]] += 1
                grid[seats[b]][seats[a]] += 1
    return [grid[a][b] for a in range(people) for b in range(a)]


def spread(counts: Sequence[int]) -> tuple[int, int]:
    return max(counts), min(counts)


def partners(people: int, rounds: Rounds) -> tuple[int, int]:
    """Return the most and the fewest times that two people were opposite each other."""
    return spread(meetings(people, rounds, [(0, 2), (1, 3)]))


def opponents(people: int, rounds: Rounds) -> tuple[int, int]:
    """Return the most and the fewest times that two people sat next to each other."""
    return spread(meetings(people, rounds, [(0, 1), (1, 2), (2, 3), (3, 0)]))


def check_seats(people: Iterable[int], rounds: Rounds, byes: Sequence[Sequence[int]]) -> None:
    """Everybody has one place in each round: at a table, or sitting out."""
    everybody = sorted(people)
    for tables, out in zip(rounds, byes, strict=True):
        assert sorted([who for seats in tables for who in seats] + list(out)) == everybody


def check_byes(people: Iterable[int], byes: Sequence[Sequence[int]]) -> None:
    """Nobody sits out twice before everybody has once, at any time."""
    times = dict.fromkeys(people, 0)
    for out in byes:
        for person in out:
            times[person] += 1
        assert max(times.values()) - min(times.values()) <= 1, times
