"""The regulars of a table: what each person, and each two partners, have made of its matches.

A table keeps its link from match to match, so a group that meets every week has its whole past
here. Everybody may see it, as everybody may see the hands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Final

from pydantic import BaseModel

from rookery.server.registry.history import History, PlayedHand
from rookery.server.registry.played import finished

TREND: Final = 12  # matches
MOST: Final = 50  # people, and as many partners: those with the most hands


class BestHand(BaseModel):
    """The hand that scored most: game points, and its number at the table, for a replay."""

    points: int
    number: int


class Sums(BaseModel):
    """Hands, game points, and the matches that were played to their end, with those won.

    A match counts for whoever played its last hand.
    """

    hands: int = 0
    points: int = 0
    matches: int = 0
    matches_won: int = 0


class Regular(Sums):
    """Somebody who has played here, by the name that they had last.

    Attributes:
        face: the bird whose face they show there; empty for the initial of their name.
        declared: in how many hands they, or a partner, won the auction.
        made: how many of these contracts were made.
        best: their best hand.
        trend: game points in each of the latest `TREND` matches in which they played, in order.
    """

    name: str
    face: str = ""
    declared: int = 0
    made: int = 0
    best: BestHand | None = None
    trend: list[int] = []


class Partners(Sums):
    """Two regulars when they played together, by their places in the list of regulars.

    The points of a hand are the mean of what the two scored, halves rounded down: where the rules
    give partners unlike scores, neither's is the pair's. A match is theirs if they were partners in
    its last hand, and won if both have won it.
    """

    pair: tuple[int, int]


class Regulars(BaseModel):
    """A table's past, in figures.

    Attributes:
        title: the table's name.
        matches: how many matches were played to their end.
        hands: how many hands were.
        people: who has played, whoever has the most hands first, `MOST` of them; no bots.
        partners: who has played with whom, those with the most hands first, `MOST` as well.
    """

    title: str
    matches: int
    hands: int
    people: list[Regular]
    partners: list[Partners]


def regulars_of(history: History) -> Regulars:
    """Return what the people of a table have made of its finished hands."""
    people: dict[str, Regular] = {}
    latest: dict[str, int] = {}  # the match that is the last of a person's trend
    pairs: dict[tuple[str, str], Sums] = {}
    hands = 0
    for one in finished(history):
        hands += 1
        winners = one.match.winners if one.hand is one.match.hands[-1] else None
        for person, seat in one.hand.people:
            regular = people.setdefault(person, Regular(name=""))
            regular.name = one.hand.players[seat]
            regular.face = history.table.faces.get(person, "")
            _add(regular, one.hand, (seat,), winners)
            _add_hand(regular, one.hand, seat, one.number)
            if latest.get(person) != one.match_number:
                latest[person] = one.match_number
                regular.trend.append(0)
            regular.trend[-1] += _points(one.hand, seat)
        for (a, seat), (b, other) in _partners(one.hand):
            sums = pairs.setdefault((min(a, b), max(a, b)), Sums())
            _add(sums, one.hand, (seat, other), winners)
    order = sorted(people, key=lambda person: (-people[person].hands, people[person].name))[:MOST]
    place = {person: at for at, person in enumerate(order)}
    for regular in people.values():
        del regular.trend[:-TREND]
    together = [
        Partners(pair=(min(place[a], place[b]), max(place[a], place[b])), **sums.model_dump())
        for (a, b), sums in pairs.items()
        if a in place and b in place
    ]
    together.sort(key=lambda one: (-one.hands, one.pair))
    return Regulars(
        title=history.table.title,
        matches=sum(match.winners is not None for match in history.matches),
        hands=hands,
        people=[people[person] for person in order],
        partners=together[:MOST],
    )


def _points(hand: PlayedHand, seat: int) -> int:
    return 0 if hand.line.score is None else hand.line.score[seat]


def _partners(hand: PlayedHand) -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    """Yield each two people of a hand who played together, with their seats."""
    for one, other in combinations(hand.people, 2):
        if any(one[1] in side and other[1] in side for side in hand.sides):
            yield one, other


def _add(
    sums: Sums, hand: PlayedHand, seats: Collection[int], winners: Collection[int] | None
) -> None:
    """Count a hand of one seat or of two partners; `winners` is None where no match ended with it.

    Two have won only together, and their points are the mean of both, rounded down.
    """
    sums.hands += 1
    sums.points += sum(_points(hand, seat) for seat in seats) // len(seats)
    sums.matches += winners is not None
    sums.matches_won += winners is not None and {*seats} <= {*winners}


def _add_hand(regular: Regular, hand: PlayedHand, seat: int, number: int) -> None:
    points = _points(hand, seat)
    if regular.best is None or points > regular.best.points:
        regular.best = BestHand(points=points, number=number)
    if seat in hand.declaring:
        regular.declared += 1
        regular.made += bool(hand.made)
