r"""What a name looks like, by Unicode's list of confusable characters (UTS 39, section 4).

>>> alike("Ann", "\u0410nn"), alike("Ann", "ANN"), alike("Ann", "Anna")
(True, True, False)
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final
from unicodedata import bidirectional, category, combining, normalize

_JOINER, _NON_JOINER, _AS_EMOJI = "\u200d", "\u200c", "\ufe0f"
# Default_Ignorable_Code_Point of Unicode 17.0.
IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
# What is not ignorable by its properties, and is empty all the same.
_BLANK: Final = re.compile("[\u2800\ufffc\U0001d159\U00013441-\U00013446\U00016fe4]")
_TONES: Final = range(0x1F3FB, 0x1F400)
_VIRAMA: Final = 9


def skeleton(text: str) -> str:
    r"""Return the skeleton of a text: those of one skeleton can be taken for each other.

    >>> skeleton("\u0455\u0441\u043e\u0440\u0435") == skeleton("scope")
    True
    """
    seen = IGNORABLE.sub("", normalize("NFD", text))
    return normalize("NFD", seen.translate(_prototypes()))


@lru_cache(4096)
def looks(name: str) -> frozenset[str]:
    """Return what a name looks like, as it is written and in other letter cases.

    A capital looks like other letters than its small one does, and so both are kept.
    """
    written = name, name.casefold(), normalize("NFKC", name).casefold()
    return frozenset(normalize("NFD", skeleton(one).casefold()) for one in written)


def alike(one: str, other: str) -> bool:
    """Return whether a reader can take one name for the other; letter case does not count."""
    return not looks(one).isdisjoint(looks(other))


def has_unseen(text: str) -> bool:
    r"""Return whether a text holds a character that nobody sees and that does nothing there.

    Joiners are of use between letters of Arabic, beside a virama, and between emoji; variation
    selector 16 after a sign that has an emoji.

    >>> has_unseen("A\u200dnn"), has_unseen("\u2764\ufe0f"), has_unseen("\u3164")
    (True, False, True)
    """
    if _BLANK.search(text):
        return True
    found = (one.start() for one in IGNORABLE.finditer(text))
    return any(not _is_needed(text[at], text[:at][-1:], text[at + 1 : at + 2]) for at in found)


def _is_needed(sign: str, before: str, after: str) -> bool:
    if not before:
        return False
    if sign == _AS_EMOJI:
        return category(before) in ("So", "Sm")
    if sign not in (_JOINER, _NON_JOINER):
        return False
    if _VIRAMA in (combining(before), combining(after or before)):
        return True
    if not after:
        return False
    if sign == _JOINER:
        return _is_emoji(before) and _is_emoji(after)
    return bidirectional(before) == bidirectional(after) == "AL"


def _is_emoji(sign: str) -> bool:
    return category(sign) == "So" or sign == _AS_EMOJI or ord(sign) in _TONES


@cache
def _prototypes() -> dict[int, str]:
    found = {}
    for line in files(__package__).joinpath("confusables.txt").read_text("utf-8").splitlines():
        prototype, _, alike = line.partition("#")[0].partition(";")
        text = "".join(chr(int(code, 16)) for code in prototype.split())
        found.update(dict.fromkeys((int(code, 16) for code in alike.split()), text))
    return found
