"""Reads a QR code from its modules: versions 1 to 6, bytes, without a fault to mend.

Written from the description of the symbol (ISO/IEC 18004), so that nothing of the program that
draws it is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

Modules = Sequence[Sequence[bool]]

FORMAT_MASK: Final = 0b101010000010010
LEVELS: Final = "MLHQ"
BYTES: Final = 0b0100
# The data codewords of every block, by version and level.
BLOCKS: Final[dict[str, dict[int, list[int]]]] = {
    "L": {1: [19], 2: [34], 3: [55], 4: [80], 5: [108], 6: [68] * 2},
    "M": {1: [16], 2: [28], 3: [44], 4: [32] * 2, 5: [43] * 2, 6: [27] * 4},
    "Q": {1: [13], 2: [22], 3: [17] * 2, 4: [24] * 2, 5: [15, 15, 16, 16], 6: [19] * 4},
    "H": {1: [9], 2: [16], 3: [13] * 2, 4: [9] * 4, 5: [11, 11, 12, 12], 6: [15] * 4},
}
MASKS: Final[list[Callable[[int, int], int]]] = [
    lambda y, x: (y + x) % 2,
    lambda y, x: y % 2,
    lambda y, x: x % 3,
    lambda y, x: (y + x) % 3,
    lambda y, x: (y // 2 + x // 3) % 2,
    lambda y, x: y * x % 2 + y * x % 3,
    lambda y, x: (y * x % 2 + y * x % 3) % 2,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2,
]


def read(modules: Modules) -> str:
    """Return the text of a code without its quiet zone; true modules are dark.

    Raises:
        ValueError: it is none that this reader knows.
    """
    size = len(modules)
    version, rest = divmod(size - 17, 4)
    if rest or version not in BLOCKS["L"] or any(len(row) != size for row in modules):
        raise ValueError(f"{size} modules are no code of version 1 to 6")
    level, mask = _format(modules)
    words = _words(modules, version, MASKS[mask])
    data = _in_order(words, BLOCKS[level][version])
    bits = "".join(f"{word:08b}" for word in data)
    if int(bits[:4], 2) != BYTES:
        raise ValueError("it does not hold bytes")
    count = int(bits[4:12], 2)
    return bytes(int(bits[at : at + 8], 2) for at in range(12, 12 + 8 * count, 8)).decode()


def _format(modules: Modules) -> tuple[str, int]:
    around = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    told = int("".join(str(int(modules[y][x])) for y, x in around), 2) ^ FORMAT_MASK
    return LEVELS[told >> 13], told >> 10 & 7


def _is_data(y: int, x: int, size: int, version: int) -> bool:
    at = size - 7
    corner = (y < 9 and (x < 9 or x > size - 9)) or (y > size - 9 and x < 9)
    aligned = version > 1 and abs(y - at) < 3 and abs(x - at) < 3
    return not corner and not aligned and 6 not in (y, x)


def _words(modules: Modules, version: int, masked: Callable[[int, int], int]) -> list[int]:
    """Return the codewords as they lie: pairs of columns from the right, upwards first."""
    size = len(modules)
    columns = [x for x in range(size - 1, 0, -2) if x > 6] + [5, 3, 1]
    bits = []
    for turn, right in enumerate(columns):
        rows = range(size) if turn % 2 else range(size - 1, -1, -1)
        for y in rows:
            for x in (right, right - 1):
                if _is_data(y, x, size, version):
                    bits.append(int(modules[y][x]) ^ int(masked(y, x) == 0))
    whole = len(bits) // 8 * 8
    return [int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, whole, 8)]


def _in_order(words: Sequence[int], blocks: Sequence[int]) -> list[int]:
    """Return the data of interleaved blocks, one block behind the other."""

    def dealt() -> Iterator[tuple[int, int]]:
        for step in range(max(blocks)):
            yield from ((block, step) for block, size in enumerate(blocks) if step < size)

    held: list[list[int]] = [[] for _ in blocks]
    for word, (block, _) in zip(words, dealt(), strict=False):
        held[block].append(word)
    return [word for block in held for word in block]
