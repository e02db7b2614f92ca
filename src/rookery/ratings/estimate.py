"""Who the results are due to: people, what two are worth together, and how sure that is.

A linear model with normal effects, solved as a whole (empirical Bayes; in animal breeding the same
equations are Henderson's mixed model). In a board a unit scores, above the mean of all units::

    sum over its members of (group + person) + pairs within it - the same, mean of all units + noise

`group` is what all people of the group are worth against `club`, which only boards with bots tell.
People and pairs are drawn towards 0, the more the fewer boards they have. A bot is worth what its
`Anchor` says. The variance of the noise is that of the family, moved by the boards themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from math import erf, sqrt
from typing import Final, NamedTuple, TypeAlias

from rookery.ratings.boards import Board
from rookery.ratings.family import Family
from rookery.ratings.linear import Matrix, inverse, times

Key: TypeAlias = tuple[str, ...]  # nobody: the group; one name: a person; two: a pair
GROUP: Final[Key] = ()
WIDE: Final = 40.0  # the deviation of what a group is worth: between `random` and the best, say
NOISE_BOARDS: Final = 50  # how many boards the family's noise weighs
ROUNDS: Final = 3  # of the noise, each with the effects as they are found
SURE: Final = 0.975  # of a difference, one-sided: by luck alone one of forty is claimed
Z95: Final = 1.96


class Figure(NamedTuple):
    """An estimate in hundredths a board, its standard error, and how many boards it is from."""

    points: float
    error: float
    boards: int

    @property
    def ci95(self) -> float:
        """Half of its 95 % interval, the figure after ±."""
        return Z95 * self.error


class Person(NamedTuple):
    """Somebody who is rated.

    Attributes:
        figure: how much more their side scores than with the mean of those rated.
        ahead: of how many others they are surely ahead.
        behind: how many others are surely ahead of them.
    """

    figure: Figure
    ahead: int
    behind: int


class Pair(NamedTuple):
    """Two partners.

    Attributes:
        together: what they are worth as a side, against two of the mean.
        partner: how much of it neither is worth with others.
    """

    together: Figure
    partner: Figure


class Ratings(NamedTuple):
    """What boards say.

    Attributes:
        people: by name, as the boards have it.
        pairs: by two names, in order.
        bots: what those that sat there are worth against the mean of the people.
        noise: the standard deviation of a unit's result beyond all that.
        boards: how many there were.
    """

    people: dict[str, Person]
    pairs: dict[tuple[str, str], Pair]
    bots: dict[str, Figure]
    noise: float
    boards: int


class _Rows:
    """The boards as sums of squares and products, all that the model needs of them."""

    def __init__(self, boards: Sequence[Board], family: Family, names: Collection[str]) -> None:
        self.bots, self.with_pairs = family.anchors, family.pair > 0
        self.counts = Counter[Key]()
        self.place: dict[Key, int] = {GROUP: 0}
        rows = [row for board in boards for row in self._of(board)]
        for name in names:
            self.place.setdefault((name,), len(self.place))
        size = len(self.place)
        self.products: Matrix = [[0.0] * size for _ in range(size)]
        self.sums, self.square = [0.0] * size, 0.0
        for effects, result in rows:
            self.square += result * result
            for i, x in effects:
                self.sums[i] += x * result
                line = self.products[i]
                for j, other in effects:
                    line[j] += x * other
        self.free = sum(len(board.units) - 1 for board in boards)

    def _of(self, board: Board) -> list[tuple[list[tuple[int, float]], float]]:
        """Return the equations of a board: what bots are worth is taken off their results."""
        found: list[Counter[Key]] = []
        middle, worth = dict[Key, float](), list[float]()
        for unit in board.units:
            people = [name for name in unit if name not in self.bots]
            effects = Counter(self._effects(people))
            for key in effects:
                self.place.setdefault(key, len(self.place))
            self.counts.update((name,) for name in unit)
            self.counts.update(combinations(sorted(people), 2))
            for key, often in effects.items():
                middle[key] = middle.get(key, 0.0) + often / len(board.units)
            worth.append(sum(self.bots[name].points for name in unit if name in self.bots))
            found.append(effects)
        level = sum(worth) / len(worth)
        equations = []
        for effects, result, bots in zip(found, board.results, worth, strict=True):
            shares = {key: effects[key] - mean for key, mean in middle.items()}
            line = [(self.place[key], one) for key, one in shares.items() if one]
            equations.append((line, result - (bots - level)))
        return equations

    def _effects(self, people: Sequence[str]) -> list[Key]:
        keys: list[Key] = [GROUP for _ in people]
        keys += [(name,) for name in people]
        if self.with_pairs:
            keys += combinations(sorted(people), 2)
        return keys


class _Solved:
    """The effects and their covariance."""

    def __init__(self, rows: _Rows, family: Family) -> None:
        self.place = rows.place
        wide = {0: WIDE, 1: family.person, 2: family.pair}
        prior = [1 / wide[len(key)] ** 2 for key in rows.place]
        variance = family.noise**2
        for _ in range(ROUNDS):
            known = [[one / variance for one in line] for line in rows.products]
            for i, tight in enumerate(prior):
                known[i][i] += tight
            self.covariance = inverse(known)
            self.effects = times(self.covariance, [one / variance for one in rows.sums])
            self.noise = sqrt(variance)
            variance = self._variance(rows, family)

    def _variance(self, rows: _Rows, family: Family) -> float:
        """Return the noise's variance with the effects as they are (a step of EM)."""
        at = self.effects
        left = rows.square - 2 * sum(map(float.__mul__, at, rows.sums))
        left += sum(map(float.__mul__, at, times(rows.products, at)))
        for line, sure in zip(rows.products, self.covariance, strict=True):
            left += sum(map(float.__mul__, line, sure))
        weighed = NOISE_BOARDS * family.noise**2 + max(left, 0.0)
        return weighed / (NOISE_BOARDS + rows.free)

    def figure(self, weights: Mapping[Key, float], boards: int) -> Figure:
        """Return a weighed sum of effects."""
        some = [(self.place[key], x) for key, x in weights.items()]
        points = sum(x * self.effects[i] for i, x in some)
        variance = sum(x * y * self.covariance[i][j] for i, x in some for j, y in some)
        return Figure(points, sqrt(max(variance, 0.0)), boards)


def rate(boards: Sequence[Board], family: Family, names: Collection[str] = ()) -> Ratings:
    """Return what boards of one family say of who played them.

    A name that is an anchor of the family is that bot's, any other a person's. `names` are of
    people that are rated although they may have no board yet.

    >>> from rookery.ratings.family import families
    >>> boards = [Board((("a", "c"), ("b", "d")), (60.0, -60.0))] * 10
    >>> found = rate(boards, families()["four"])
    >>> found.people["a"].figure.points > 0 > found.people["b"].figure.points
    True
    """
    rows = _Rows(boards, family, names)
    solved = _Solved(rows, family)
    people = sorted(key[0] for key in rows.place if len(key) == 1)
    middle: dict[Key, float] = {(name,): 1 / len(people) for name in people}
    found = {name: _person(solved, rows, name, people, middle) for name in people}
    pairs = {
        (key[0], key[1]): _pair(solved, rows, (key[0], key[1]), middle)
        for key in sorted(rows.place)
        if len(key) > 1
    }
    bots = {}
    for name, anchor in family.anchors.items():
        if count := rows.counts[(name,)]:
            less: dict[Key, float] = {key: -x for key, x in middle.items()}
            less[GROUP] = -1.0
            figure = solved.figure(less, count)
            error = sqrt(figure.error**2 + anchor.error**2)
            bots[name] = Figure(anchor.points + figure.points, error, count)
    return Ratings(found, pairs, bots, solved.noise, len(boards))


def _person(
    solved: _Solved, rows: _Rows, name: str, people: Sequence[str], middle: Mapping[Key, float]
) -> Person:
    less = {key: -x for key, x in middle.items()}
    less[(name,)] += 1
    ahead = behind = 0
    for other in people:
        if other != name:
            sure = _chance(solved.figure({(name,): 1.0, (other,): -1.0}, 0))
            ahead += sure > SURE
            behind += sure < 1 - SURE
    return Person(solved.figure(less, rows.counts[(name,)]), ahead, behind)


def _pair(solved: _Solved, rows: _Rows, two: tuple[str, str], middle: Mapping[Key, float]) -> Pair:
    count = rows.counts[two]
    weights: dict[Key, float] = {key: -2 * x for key, x in middle.items()}
    for name in two:
        weights[(name,)] += 1
    weights[two] = 1.0
    return Pair(solved.figure(weights, count), solved.figure({two: 1.0}, count))


def _chance(one: Figure) -> float:
    """Return how likely it is that what is estimated is above 0."""
    return (1 + erf(one.points / (one.error * sqrt(2)))) / 2 if one.error else 0.5
