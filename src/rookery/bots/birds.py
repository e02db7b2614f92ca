"""The names of bots: birds, for every table, the terminal and the records.

They are short, are no names of people or suits, and mean nothing unkind in English or Spanish.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count, islice
from typing import Final
from zlib import crc32

from rookery.unicode.looks import alike

BIRDS: Final = (
    *("Avocet", "Bunting", "Bulbul", "Condor", "Crane", "Curlew", "Dipper", "Dunlin", "Egret"),
    *("Eider", "Falcon", "Finch", "Fulmar", "Godwit", "Goshawk", "Grebe", "Gull", "Harrier"),
    *("Heron", "Hoopoe", "Ibis", "Jay", "Kestrel", "Kinglet", "Lark", "Linnet", "Macaw", "Magpie"),
    *("Oriole", "Osprey", "Pelican", "Petrel", "Plover", "Puffin", "Quail", "Shrike"),
    *("Siskin", "Stork", "Swallow", "Tanager", "Teal", "Tern", "Toucan"),
    *("Vireo", "Wagtail", "Wigeon", "Wren"),
)


def flock(table: str, size: int, taken: Iterable[str] = ()) -> list[str]:
    """Return `size` names, no two alike and none that can be taken for one of those `taken`.

    They follow from `table`, its code or anything else, so tables differ and a table stays as it
    is. Where people have all the birds' names, the birds are numbered.

    >>> flock("ABCDEF2", 3)
    ['Egret', 'Pelican', 'Wigeon']
    >>> flock("ABCDEF2", 2, ["PELICAN"])
    ['Egret', 'Wigeon']
    """
    there = list(taken)
    birds = sorted(BIRDS, key=lambda bird: crc32(f"{table} {bird}".encode()))
    names = chain(birds, (f"{bird} {n}" for n in count(2) for bird in birds))
    free = (name for name in names if not any(alike(name, other) for other in there))
    return list(islice(free, size))
