"""The random generator `rookery-rng-1`, which gives the same numbers on every target.

It is a multiply-with-carry generator in base 2^32. Its state is one integer below 2^63 that holds a
word and a carry. The next state is ``A * word + carry``, and the output is its two halves, mixed.
``A * 2^32 - 1`` and half of one less are prime, so the period is about 2^62. No number ever exceeds
2^63, because int64 would wrap and CPython's integers would not.
"""

from __future__ import annotations

from typing import Final, Protocol

from rookery.engine.kernel import kernel

WORD: Final = 0xFFFFFFFF
A: Final = 2084211144


class HasRng(Protocol):
    """A record that holds the state of a generator."""

    rng: int


@kernel
def mixed(x: int) -> int:
    """Return a 32-bit number in which every bit depends on all 32 bits of `x`."""
    x = (((x >> 16) ^ x) * 0x45D9F3B) & WORD
    x = (((x >> 16) ^ x) * 0x45D9F3B) & WORD
    return (x >> 16) ^ x


@kernel
def seeded(seed: int, stream: int) -> int:
    """Return a generator state for `seed` and `stream`, both from 0 to 2^63 - 1."""
    low = seed & WORD
    high = seed >> 32
    first = stream & WORD
    last = stream >> 32
    # Two chains over the same words in different orders, so that seeds and streams meet in neither.
    word = mixed(mixed(mixed(mixed(low ^ 0x5BD1E995) ^ high) ^ first) ^ last)
    carry = mixed(mixed(mixed(mixed(first ^ 0x27D4EB2F) ^ low) ^ last) ^ high ^ 0x165667B1)
    return (carry % (A - 1) + 1) << 32 | word


@kernel
def advanced(state: int) -> int:
    """Return the state after `state`."""
    return A * (state & WORD) + (state >> 32)


@kernel
def output(state: int) -> int:
    """Return the 32-bit number that a state stands for."""
    return (state ^ (state >> 32)) & WORD


@kernel
def below(owner: HasRng, n: int) -> int:
    """Return a number from 0 to `n` - 1, all equally likely, and advance ``owner.rng``.

    Lemire's multiplication with rejection; `n` is at most 2^31. A state of 0, with which records
    begin in C, would lead to itself for ever and counts as 1.
    """
    owner.rng = advanced(max(1, owner.rng))
    product = output(owner.rng) * n
    if product & WORD < n:
        floor = (WORD + 1 - n) % n
        while product & WORD < floor:
            owner.rng = advanced(owner.rng)
            product = output(owner.rng) * n
    return product >> 32
