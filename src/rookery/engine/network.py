"""What a small network says of several things: every target but CUDA has code of its own for it.

Its numbers have 32 bits, so a processor multiplies twice as many at once as of 64, and the weights
stay in its nearest memory. All of these targets do the same sums in the same order, and so come to
the same numbers to the last bit.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import repeat
from operator import add, mul
from typing import Final

from rookery.engine.kernel import primitive

LANES: Final = 8  # units of a layer that are computed at once: layers have a multiple of them
MOST_UNITS: Final = 256  # of a layer
MOST_INPUTS: Final = 64  # of all things together, and half of it of each


def packed(wide: int, narrow: int, *layers: Iterable[float]) -> list[int]:
    """Return a network as `score_each` takes it: its sizes, and the weights, two in a word.

    Args:
        wide: units of the first layer, a multiple of `LANES`.
        narrow: those of the second one, too.
        layers: the weights, finite numbers, row by row: a row of the first layer for each common
            input and then for each of a thing, its biases, a row of the second layer for each unit
            of the first one, its biases, and what each of its units adds to the score.
    """
    weights = array("f", [weight for layer in layers for weight in layer])
    return [wide, narrow, *memoryview(weights).cast("B").cast("q")]


@primitive
def score_each(
    net: list[int], numbers: list[float], common: int, own: int, count: int, to: int
) -> None:
    """Write the score of each of some things.

    A unit passes its sum on where that is above 0. Common inputs go through the first layer once.

    Args:
        net: the network, see `packed`.
        numbers: the `common` inputs of all things, and the `own` ones of each. Compiled code reads
            `MOST_INPUTS` numbers from the first one on, and half as many from where those of each
            thing begin: the list is long enough for that, whatever stands there.
        common: how many, from 1 to `MOST_INPUTS`.
        own: how many, from 1 to half of that.
        count: of the things.
        to: where in `numbers` their scores are written.
    """
    wide, narrow = net[0], net[1]
    weights = array("f", memoryview(array("q", net[2:])).cast("B").cast("f"))
    begin = (common + own) * wide
    inner = begin + wide
    biases = inner + wide * narrow
    outer = biases + narrow
    shared = weights[begin:inner]
    for i in range(common):
        _add(shared, numbers[i], weights[i * wide : (i + 1) * wide])
    for thing in range(count):
        first = shared[:]
        for i in range(own):
            row = (common + i) * wide
            _add(first, numbers[common + thing * own + i], weights[row : row + wide])
        halves = weights[biases:outer], array("f", bytes(4 * narrow))
        for unit in range(wide):
            row = inner + unit * narrow
            _add(halves[unit % 2], max(0.0, first[unit]), weights[row : row + narrow])
        second = _sums(*halves)
        lanes = array("f", bytes(4 * LANES))
        for at in range(0, narrow, LANES):
            passed = [max(0.0, x) for x in second[at : at + LANES]]
            lanes = _sums(lanes, _products(passed, weights[outer + at : outer + at + LANES]))
        while len(lanes) > 1:
            half = len(lanes) // 2
            lanes = _sums(lanes[:half], lanes[half:])
        numbers[to + thing] = lanes[0]


def _products(some: Iterable[float], others: Iterable[float]) -> array[float]:
    return array("f", map(mul, some, others))


def _sums(some: Iterable[float], others: Iterable[float]) -> array[float]:
    return array("f", map(add, some, others))


def _add(units: array[float], number: float, row: array[float]) -> None:
    """Add a row of weights, times a number, to some units."""
    if number:
        (one,) = array("f", (number,))
        units[:] = _sums(units, _products(repeat(one), row))
