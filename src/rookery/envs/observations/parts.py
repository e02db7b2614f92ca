"""What an observation may be made of, each part by its name; nobody is given what they do not name.

A version is a part's own, and grows where the same numbers mean something else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from rookery.envs.observations.compact import words_of
from rookery.envs.observations.fields import MOST
from rookery.envs.observations.history import EACH_WORD, VOCABULARY, history_words
from rookery.envs.observations.oracle import oracle_words
from rookery.rules.table import RuleTable


class Part(NamedTuple):
    """A part of an observation.

    Attributes:
        key: where it stands in an observation.
        version: of what its numbers mean.
        dtype: NumPy's name of the type of its numbers.
        least: the smallest of them.
        most: the largest of them.
        length: returns how many there are by some rules.
        about: what it is, in a few words.
    """

    key: str
    version: int
    dtype: str
    least: int
    most: int
    length: Callable[[RuleTable], int]
    about: str


PARTS: Final = {
    "compact": Part(
        "observation",
        0,
        "int8",
        0,
        MOST,
        lambda table: 8 * words_of(table),
        "what the seat may know, as one row of numbers",
    ),
    "history": Part(
        "history",
        0,
        "int16",
        0,
        VOCABULARY - 1,
        lambda table: EACH_WORD * history_words(table),
        "what the seat has been told, in order, as tokens",
    ),
    "oracle": Part(
        "oracle",
        0,
        "int8",
        0,
        MOST,
        lambda table: 8 * oracle_words(table),
        "what lies face down: for critics while they learn, never for what plays",
    ),
    "totals": Part(
        "totals",
        0,
        "int32",
        -(1 << 31),
        (1 << 31) - 1,
        lambda table: table.seats,
        "the totals of the match, where an episode is one; else 0",
    ),
}


def named(observations: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names of parts, one or several, each once, in the order of `PARTS`.

    Raises:
        ValueError: there is none, or no part has such a name.

    >>> named("compact"), named(["oracle", "compact"])
    (('compact',), ('compact', 'oracle'))
    """
    given = {observations} if isinstance(observations, str) else set(observations)
    if not given or not given <= PARTS.keys():
        wrong = ", ".join(sorted(map(str, given - PARTS.keys()))) or "none"
        raise ValueError(f"observations {wrong}: expected {', '.join(PARTS)}, or several of them")
    return tuple(name for name in PARTS if name in given)
