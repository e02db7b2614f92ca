"""What `--database` names: one database, or a first one and others for tables, by letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from rookery.cli.arguments import Refused

_OTHER: Final = re.compile(r"(?s)(\w)=(.*)")
Spread: TypeAlias = tuple[tuple[str, str], ...]


def told_apart(given: Sequence[str]) -> tuple[str | None, Spread]:
    """Return the first database, None where none is given, and the others by their letters.

    Raises:
        Refused: they cannot be told apart.

    >>> told_apart(["postgresql://a/rookery", "B=postgresql://b/tables"])
    ('postgresql://a/rookery', (('B', 'postgresql://b/tables'),))
    """
    first, spread = [], dict[str, str]()
    for one in filter(None, given):
        found = _OTHER.fullmatch(one)
        if found is None:
            first.append(one)
            continue
        _checked(found[1])
        if found[1] in spread:
            raise Refused(f"--database: {found[1]}= is given twice; each database has its letter")
        spread[found[1]] = found[2]
    if len(first) > 1:
        line = (
            "two databases without a letter; expected B=postgresql://user@host/name of all others"
        )
        raise Refused(f"--database: {line}")
    if spread and not first:
        raise Refused("--database: the first database, which has no letter, is missing")
    return (first[0] if first else None), tuple(spread.items())


def checked_letters(given: Sequence[str], spread: Spread) -> tuple[str, ...]:
    """Return the letters of databases that take no new tables.

    Raises:
        Refused: no database has such a letter.
    """
    for letter in given:
        if letter not in dict(spread):
            raise Refused(
                f"--drain: no --database is {letter}={'' if spread else ' (none has one)'}"
            )
    return tuple(given)


def _checked(letter: str) -> None:
    from rookery.server.names import ALPHABET  # late: nearly nobody has several

    if letter not in ALPHABET:
        raise Refused(
            f"--database: {letter}= is no letter of a database; expected one of {ALPHABET}"
        )
