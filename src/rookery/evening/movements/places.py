"""How many tables there are, and who sits out.

Sitting out is fair when nobody does so twice before everybody has once. As people come late and
leave, this becomes: who has played the most sits out first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rookery.evening.movements.state import Evening, Game


def tables_for(people: int, stand_ins: int, games: Sequence[Game]) -> tuple[Game, ...]:
    """Return the game of each table, so that as few as possible sit out.

    After that as few stand-ins as possible play, and as many tables as possible have the first
    of the games, then the second.

    >>> [game.seats for game in tables_for(17, 0, (Game(5, None), Game(6, None)))]
    [5, 6, 6]
    """

    def fit(counts: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        seats = sum(count * game.seats for count, game in zip(counts, games, strict=True))
        return max(0, people - seats), max(0, seats - people), tuple(-count for count in counts)

    sizes = [game.seats for game in games]
    counts = min(_counts(people, stand_ins, sizes), key=fit)
    return tuple(game for game, n in zip(games, counts, strict=True) for _ in range(n))


def _counts(people: int, stand_ins: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield how many tables of each size there may be; those of the last size take the rest."""
    first, *rest = sizes
    if rest:
        for count in range((people + stand_ins) // first, -1, -1):
            for others in _counts(people - count * first, stand_ins, rest):
                yield (count, *others)
    else:
        full = max(0, people) // first
        yield (full,)
        if (full + 1) * first <= people + stand_ins:
            yield (full + 1,)


def choose(
    evening: Evening,
    order: Sequence[int],
    fillers: Sequence[int],
    games: Sequence[Game],
    shares: Mapping[int, float] | None = None,
) -> tuple[int, ...]:
    """Return who sits at tables of these games: of the people in `order`, and stand-ins.

    Who has played the most sits out; of several the last ones of `order`. Returned are first the
    people, in this order, then the stand-ins. Where teams are looked at as people, `shares` says
    how much of a team's game is each one's; what counts is how much they would have played.
    """
    seats = sum(game.seats for game in games)

    def would_have_played(person: int) -> float:
        return (evening.played[person] + 1) * (shares[person] if shares else 1)

    ready = sorted(order, key=would_have_played)
    chosen = set(ready[:seats])
    people = [person for person in order if person in chosen]
    spare = sorted(fillers, key=lambda person: evening.played[person])
    return (*people, *spare[: seats - len(people)])
