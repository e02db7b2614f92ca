"""Where the names that a host has typed stand in the log of an evening, and how they are taken out.

A name stands in the evening itself (entry 0) or in the entry by which somebody came or was renamed.
It goes from there when its person is called something else, or is forgotten; then an empty one
stands in its place. The log says the same evening as before, but for that name.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from rookery.evening.log.changes import Arrive, Claim, Free, Kept, Rename, StandIn
from rookery.evening.log.fold import EveningLog
from rookery.evening.log.screens import Screens
from rookery.evening.movements.changes import begin, stand_in
from rookery.evening.movements.state import game_of
from rookery.rules import Rules

READING: Final = 2  # how the log of an evening is read that begins now


class Place(NamedTuple):
    """Where a name stands: the number of the entry, 0 for the evening itself, and which there."""

    entry: int
    at: int


class Names:
    """The places of all names of an evening, as its log is read.

    Attributes:
        old: those of names that their people do not have any more.
        theirs: those of names of people who said who they were, and are forgotten.
        claims: the entries in which they said so whose names have not been taken out yet.
    """

    def __init__(self, people: list[str]) -> None:
        """Begin with the names that stand in the evening itself; empty ones are gone already."""
        self.old: set[Place] = set()
        self.theirs: set[Place] = set()
        self.claims: list[int] = []
        self._of: defaultdict[int, list[Place]] = defaultdict(list)
        # Whom people say they are who are forgotten: who, and until which entry.
        self._gone: dict[int, tuple[int, int]] = {}
        self._known = len(people)
        self._add(range(len(people)), 0, people)

    def of(self, person: int) -> list[Place]:
        """Return where names of somebody stand."""
        return self._of[person]

    def take(self, entry: int, change: Kept, writer: int, until: int | None) -> bool:
        """Read the next entry of the log; return whether its person is a forgotten one.

        `until` is, of somebody who says who they are, and is forgotten, the entry up to which their
        names were taken out, or 0 where that has not been done. It is None for all others.
        """
        match change:
            case Arrive():
                self._add(range(self._known, self._known + len(change.names)), entry, change.names)
                self._known += len(change.names)
            case StandIn():
                self._add([self._known], entry, [change.name])
                self._known += 1
            case Rename():
                self.old.update(self._of.pop(change.person, []))
                self._add([change.person], entry, [change.name])
            case Claim() if until is not None:
                self.claims += [] if until else [entry]
                # One person a phone, as in the evening.
                others = {who: one for who, one in self._gone.items() if one[0] != writer}
                self._gone = {**others, change.person: (writer, until)}
            case Claim() | Free():
                self._gone.pop(change.person, None)
        if not isinstance(change, Claim | Rename) or change.person not in self._gone:
            return False
        _, last = self._gone[change.person]
        if last and entry > last:  # whoever is called so now came after they were forgotten
            return False
        self.theirs.update(self._of[change.person])
        return True

    def _add(self, people: list[int] | range, entry: int, names: list[str]) -> None:
        for at, (person, name) in enumerate(zip(people, names, strict=True)):
            if name:
                self._of[person].append(Place(entry, at))


def begun(body: Mapping[str, Any]) -> EveningLog:
    """Return an evening as it is kept, before the first entry of its log."""
    games = [game_of(Rules.model_validate(one)) for one in body["rules"]]
    how = {key: body[key] for key in ("seed", "best_of", "boards")}
    people, helping = list(body["people"]), list(body.get("helpers", ()))
    evening = begin(body["movement"], len(people), games, **how)
    for _ in helping:
        evening = stand_in(evening)
    screens = body.get("screens")
    return EveningLog(
        evening,
        [*people, *helping],
        agree=bool(body["agree"]),
        screens=None if screens is None else Screens.model_validate(screens),
        bots=range(len(people) - body.get("bots", 0), len(people) + len(helping)),
        hands=body.get("hands"),
        dealt=body.get("key") is not None,
        early=body.get("reading", 1) < READING,
    )


def first_names(body: Mapping[str, Any]) -> list[str]:
    """Return what people are called in an evening as it is kept; a bot that stands in has no name.

    A name of theirs has to go one day, and a bird's does not.
    """
    return [*body["people"], *("" for _ in body.get("helpers", ()))]


def take(
    log: EveningLog, names: Names, entry: int, id_: str, change: Kept, writer: int, over: int | None
) -> None:
    """Take in the next entry of the log, and of its names.

    `entry` to `writer` are those of `EveningLog.take`. `over` is, of a writer who is forgotten,
    what the entry says that its phone had seen; None of all others.

    Raises:
        EveningError: it cannot be, and changes nothing; see `EveningLog.take`.
    """
    log.take(entry, id_, change, writer)
    until = over if isinstance(change, Claim) else None
    gone = names.take(entry, change, writer, until)
    if isinstance(change, Claim | Rename) and (gone or until is not None):
        log.forget(change.person)


def rewrites(places: Iterable[Place]) -> dict[int, Callable[[str], str]]:
    """Return what each entry becomes without the names in some places, by its number."""
    by_entry: defaultdict[int, list[int]] = defaultdict(list)
    for place in places:
        by_entry[place.entry].append(place.at)
    return {number: partial(without, ats) for number, ats in by_entry.items()}


def without(ats: Collection[int], body: str) -> str:
    """Return an evening or an entry as it is kept, without the names of those numbers there.

    >>> without([1], '{"do":"arrive","names":["Ann","Bob"]}')
    '{"do": "arrive", "names": ["Ann", ""]}'
    """
    told = json.loads(body)
    for part in ("people", "names"):
        for at in ats if part in told else ():
            told[part][at] = ""
    if told.get("do") in ("stand_in", "rename"):
        told["name"] = ""
    return json.dumps(told)
