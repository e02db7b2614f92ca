"""The three questions about a set of bits that every target answers in its own way."""

from __future__ import annotations


def count(mask: int) -> int:
    """Return how many bits of a non-negative mask are set.

    >>> count(0b1011)
    3
    """
    return mask.bit_count()


def lowest(mask: int) -> int:
    """Return the number of the lowest set bit of a positive mask.

    >>> lowest(0b1010)
    1
    """
    return (mask & -mask).bit_length() - 1


def highest(mask: int) -> int:
    """Return the number of the highest set bit of a positive mask.

    >>> highest(0b1010)
    3
    """
    return mask.bit_length() - 1
