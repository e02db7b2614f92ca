"""The circle: everybody meets everybody else once, two by two.

One stays where they are and the others go round, as at a round robin of chess or bridge teams.
"""

from __future__ import annotations


def circle(count: int) -> list[list[tuple[int, int]]]:
    """Return the rounds in which each of `count` meets each other once; the pairs of each.

    If their number is odd, another one is in no pair of each round.

    >>> circle(4)
    [[(0, 3), (1, 2)], [(1, 3), (2, 0)], [(2, 3), (0, 1)]]
    """
    even = count + count % 2
    others = even - 1
    rounds = []
    for turn in range(others):
        pairs = [(turn, others)]
        pairs += [((turn + i) % others, (turn - i) % others) for i in range(1, even // 2)]
        rounds.append([pair for pair in pairs if max(pair) < count])
    return rounds
