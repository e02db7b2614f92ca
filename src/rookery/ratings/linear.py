"""Small symmetric matrices in plain Python: a server need not have NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TypeAlias

Matrix: TypeAlias = list[list[float]]


def inverse(matrix: Sequence[Sequence[float]]) -> Matrix:
    """Return the inverse of a symmetric, positive definite matrix, by Cholesky's method.

    For 100 rows it takes some 0.1 s.

    Raises:
        ValueError: it is not positive definite.

    >>> inverse([[4.0, 2.0], [2.0, 2.0]])
    [[0.5, -0.5], [-0.5, 1.0]]
    """
    size = len(matrix)
    below = _root(matrix)
    # The columns of the inverse of the root, of which the lower triangle alone is not 0.
    found = [[0.0] * size for _ in range(size)]
    for j in range(size):
        column = found[j]
        column[j] = 1 / below[j][j]
        for i in range(j + 1, size):
            line = below[i]
            column[i] = -sum(map(float.__mul__, line[j:i], column[j:i])) / line[i]
    whole = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            whole[i][j] = whole[j][i] = sum(map(float.__mul__, found[i][i:], found[j][i:]))
    return whole


def times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    """Return the product of a matrix and a vector.

    >>> times([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0])
    [3.0, 7.0]
    """
    return [sum(map(float.__mul__, line, vector)) for line in matrix]


def _root(matrix: Sequence[Sequence[float]]) -> Matrix:
    below: Matrix = []
    for i, line in enumerate(matrix):
        row: list[float] = []
        for j in range(i + 1):
            other = below[j] if j < i else row
            left = line[j] - sum(map(float.__mul__, row, other[:j]))
            if j < i:
                row.append(left / other[j])
            elif left > 0:
                row.append(sqrt(left))
            else:
                raise ValueError("the matrix is not positive definite")
        below.append(row)
    return below
