"""The REST paths that the pages of a table use, each with its plain function of `server.api`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast, get_args

from pydantic import BaseModel, ValidationError

from rookery.rules import Language, rules_schema
from rookery.server.api import bots, people, rules, tables
from rookery.server.api.problems import Problem, misfit
from rookery.server.api.state import AppState
from rookery.server.offline.told import ToldMatches
from rookery.server.table.state import Who

_Body = TypeVar("_Body", bound=BaseModel)
DIGITS: Final = 20  # of a number: Python takes long to read thousands, and refuses them


class Asked(NamedTuple):
    """A request.

    Attributes:
        who: who asks; None for somebody without a name.
        path: the parts of the path that are in braces, by name.
        query: the values after the question mark, by name.
        told: the records that the device was given.
    """

    state: AppState
    who: Who | None
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: str
    told: ToldMatches

    @property
    def person(self) -> Who:
        """Who asks; ``no-session`` for somebody without a name."""
        if self.who is None:
            raise Problem("no-session")
        return self.who

    @property
    def language(self) -> Language:
        """The language of the words."""
        if (told := self.query.get("lang", "en")) not in get_args(Language):
            raise Problem("bad-request", f"lang: expected one of {', '.join(get_args(Language))}")
        return cast("Language", told)

    def number(self, name: str, most: int, values: Mapping[str, str] | None = None) -> int | None:
        """Return a number of the query, or of `values`, from 0 to `most`; None for none."""
        text = (self.query if values is None else values).get(name)
        if text is None:
            return None
        written = text.isascii() and text.isdecimal() and len(text) <= DIGITS
        if not written or (found := int(text)) > most:
            raise Problem("bad-request", f"{name}: expected a number from 0 to {most}")
        return found

    def read(self, kind: type[_Body]) -> _Body:
        """Return the body as a `kind`."""
        try:
            return kind.model_validate_json(self.body)
        except ValidationError as error:
            raise misfit(error.errors()) from None


async def _named(asked: Asked) -> object:
    named = asked.read(people.Named)
    return (await people.take_name(asked.state, asked.who, named.name)).me


async def _record(asked: Asked) -> object:
    match = asked.number("match", 999)
    return (await tables.record(asked.state, asked.path["code"], match))[1].encode()


async def _review(asked: Asked) -> object:
    match = asked.number("match", 999, asked.path) or 0
    return await tables.review(asked.state, asked.path["code"], match, lambda: None)


async def _replay(asked: Asked) -> object:
    hand = asked.number("hand", 1 << 30, asked.path)
    return await tables.replay(asked.state, asked.path["code"], hand or 0, asked.number("seat", 7))


async def _take(asked: Asked) -> object:
    from rookery.server.offline import own  # few ask, and all would wait for it

    return await own.take_record(asked.told, asked.read(own.RecordGiven))


async def _odds(asked: Asked) -> object:
    from rookery.server.offline import own

    return own.odds_of(asked.read(own.OddsWanted))


# An answer, or what can be awaited for it; bytes are JSON already.
Route: TypeAlias = Callable[[Asked], object]
# Each answers as the server does at the same path; what is not here needs a server.
ROUTES: Final[Mapping[str, Route]] = {
    "GET /api/variants": lambda asked: rules.catalogue(asked.language),
    "GET /api/variants/{id}": lambda asked: rules.in_full(asked.path["id"], asked.language),
    "GET /api/rules/names": lambda asked: rules.translated_names(asked.language),
    "GET /api/rules/schema": lambda asked: rules_schema(asked.language),
    "POST /api/rules/check": lambda asked: rules.check(
        asked.read(rules.RulesWritten).rules, asked.language
    ),
    "POST /api/rules/parse": lambda asked: rules.parse_file(
        asked.read(rules.RulesFile), asked.language
    ),
    "GET /api/bots": lambda asked: bots.bots(asked.state),
    "GET /api/session": lambda asked: people.me(asked.state, asked.who),
    "POST /api/session": _named,
    "GET /api/session/statistics": lambda asked: people.statistics(asked.state, asked.person),
    "GET /api/tables": lambda asked: asked.state.registry.lobby.tables(),
    "POST /api/tables": lambda asked: tables.make(
        asked.state, asked.person, asked.read(tables.TableWanted)
    ),
    "GET /api/tables/{code}": lambda asked: tables.one_table(
        asked.state, asked.path["code"], asked.who
    ),
    "GET /api/tables/{code}/hands": lambda asked: tables.hands(asked.state, asked.path["code"]),
    "GET /api/tables/{code}/statistics": lambda asked: tables.regulars(
        asked.state, asked.path["code"]
    ),
    "GET /api/tables/{code}/record": _record,
    "GET /api/tables/{code}/matches/{match}/review": _review,
    "GET /api/replay/{code}/{hand}": _replay,
}
# What no server answers.
OWN: Final[Mapping[str, Route]] = {"POST /api/records": _take, "POST /api/odds": _odds}
_PATTERNS: Final = [
    (method, re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)), route)
    for (method, path), route in ((key.split(" "), to) for key, to in {**ROUTES, **OWN}.items())
]
STATUS: Final = {"POST /api/tables": 201}  # of what is done; 200 elsewhere


def route_to(method: str, path: str) -> tuple[Route, Mapping[str, Any]]:
    """Return what answers a method at a path, and the parts of the path that have names.

    Raises:
        Problem: nothing does; codes ``not-found bad-method``.

    >>> route_to("GET", "/api/replay/ABCDEF2/3")[1]
    {'code': 'ABCDEF2', 'hand': '3'}
    """
    there = [(way, found, to) for way, at, to in _PATTERNS if (found := at.fullmatch(path))]
    for way, found, to in there:
        if way == method:
            return to, found.groupdict()
    raise Problem("bad-method" if there else "not-found")
