"""Why a request cannot be answered: a closed list of codes, each with a status and a reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from pydantic import BaseModel


class Kind(NamedTuple):
    """The HTTP status of a problem, and its reason where nothing more is known."""

    status: int
    reason: str


PROBLEMS: Final = {
    "bad-request": Kind(400, "the request is not one of this API; see /api/openapi.json"),
    "not-unicode": Kind(400, "half a surrogate pair, or no UTF-8; expected text in Unicode"),
    "bad-name": Kind(400, "that name cannot be used"),
    "bad-rules": Kind(400, "these rules do not fit together"),
    "unknown-rules": Kind(404, "there is no game with that id in the catalogue"),
    "bad-origin": Kind(403, "the request came from another website"),
    "bad-host": Kind(421, "this server does not know that address; see --public-url"),
    "no-session": Kind(401, "choose a name first"),
    "bad-secret": Kind(401, "that is not the admin secret of this server"),
    "bad-link": Kind(410, "this link has been used or is older than 15 minutes; ask for a new one"),
    "bad-passkey": Kind(403, "that passkey does not work here, or it took too long; try again"),
    "no-passkeys": Kind(
        404, "no passkeys here: they need rookery-cards[passkeys], and https and a name"
    ),
    "no-passkey": Kind(409, "mistakes are kept here for people with a passkey"),
    "passkeys-full": Kind(409, "you have ten passkeys; remove one first"),
    "no-table": Kind(404, "this table does not exist, or it has been deleted"),
    "no-hand": Kind(404, "that hand does not exist, or it is not finished yet"),
    "bad-match": Kind(422, "that is no record of a match that was played on a device"),
    "no-seat": Kind(403, "only who has played at this table is rated there"),
    "no-puzzle": Kind(404, "there is no puzzle with that id"),
    "no-sheet": Kind(404, "there is no such score sheet, or it has been deleted"),
    "bad-key": Kind(403, "only who made this, or has the link to write, can do that"),
    "bad-tally": Kind(422, "what is said of this hand cannot be"),
    "sheet-full": Kind(409, "this sheet has 1,000 entries; that is all"),
    "no-evening": Kind(404, "there is no such evening, or it has been deleted"),
    "no-round": Kind(404, "that round has not begun"),
    "no-deal": Kind(404, "nobody has played that deal"),
    "no-slips": Kind(404, "the server deals no cards by hand at this evening"),
    "not-over": Kind(403, "others may still play these deals; first the evening has to be over"),
    "bad-change": Kind(422, "as this evening stands, that cannot be done"),
    "round-begun": Kind(409, "something has changed meanwhile; look, and do it again if need be"),
    "evening-full": Kind(409, "this evening has 12,000 entries; that is all"),
    "no-daily": Kind(404, "there is no daily deal of that day and kind here, or not any more"),
    "no-attempt": Kind(404, "you have not begun this deal"),
    "daily-not-over": Kind(403, "first finish your own attempt at this deal"),
    "attempts-spent": Kind(409, "you have tried this deal nine times; that is all"),
    "clock-doubted": Kind(503, "the clock of this server is in doubt, so nobody knows which day"),
    "no-review": Kind(409, "this server cannot review matches right now"),
    "not-found": Kind(404, "there is nothing at this address"),
    "bad-method": Kind(405, "that cannot be done at this address"),
    "too-large": Kind(413, "the request is too large"),
    "too-slow": Kind(408, "the request took too long to arrive"),
    "too-many": Kind(429, "too many requests; wait a moment"),
    "not-ready": Kind(503, "the server cannot reach its disk"),
    "broken": Kind(500, "something went wrong on the server; the error has been logged"),
}


class Where(BaseModel):
    """The part of what is said of a hand that cannot be, why, and the seats that it is about."""

    part: str
    reason: str
    seats: list[int]


class Refusal(BaseModel):
    """What cannot be done: a code for programs, and the same in plain words.

    Of what is said of a hand, ``where`` says what is wrong with it.
    """

    code: str
    reason: str
    where: Where | None = None


class Answer(BaseModel):
    """The body of every answer with a status from 400 on."""

    error: Refusal


class Problem(Exception):
    """Ends a request with an answer of the list.

    Attributes:
        code: one of `PROBLEMS`, or of a table's refusals.
        wait: after how many seconds to ask again; None where that would not help.
        where: what is wrong with what is said of a hand; None elsewhere.
    """

    def __init__(
        self,
        code: str,
        reason: str | None = None,
        status: int | None = None,
        wait: int | None = None,
        where: Where | None = None,
    ) -> None:
        """Take a code; one that is not of `PROBLEMS` needs reason and status too."""
        kind = PROBLEMS.get(code, Kind(400, code))
        self.code = code
        self.reason = reason or kind.reason
        self.status = status or kind.status
        self.wait = wait
        self.where = where
        super().__init__(code)


# What was expected where a request does not fit, by pydantic's types of errors.
_EXPECTED: Final = {
    "string_type": "a text",
    **dict.fromkeys(("int_type", "int_parsing", "int_parsing_size"), "a whole number"),
    **dict.fromkeys(("int_from_float", "finite_number"), "a whole number"),
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), "an object"),
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} characters",
    "string_pattern_mismatch": "a text like {pattern}",
    "too_long": "at most {max_length} in the list",
    "too_short": "at least {min_length} in the list",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
    "less_than": "less than {lt}",
    "literal_error": "{expected}",
    "union_tag_not_found": "an object with {discriminator}",
    "union_tag_invalid": "{discriminator} to be one of {expected_tags}",
}
_OTHERWISE: Final = {
    "missing": "a value is missing",
    "extra_forbidden": "there is no such field",
    "json_invalid": "no JSON; expected an object",
}


def misfit(faults: Iterable[Mapping[str, Any]]) -> Problem:
    """Return the problem of a request that pydantic refuses: its first fault in words, and where.

    A value that may be of several kinds has a fault for each: all of what was expected is said.
    """
    told = [(_place(fault), fault) for fault in faults]
    place = told[0][0]
    here = [fault for where, fault in told if where == place]
    kinds = [
        _EXPECTED[one["type"]].format_map(one.get("ctx", {}))
        for one in here
        if one["type"] in _EXPECTED
    ]
    first = here[0]
    text = _OTHERWISE.get(first["type"]) or (
        f"expected {' or '.join(dict.fromkeys(kinds))}"
        if kinds
        else str(first["msg"]).removeprefix("Value error, ")
    )
    return Problem("bad-request", (f"{place}: {text}" if place else text)[:300])


def _place(fault: Mapping[str, Any]) -> str:
    # A kind of which a value may be is no place, nor is the number of a character.
    # A field that there is not may have any name: of a long one the beginning says which.
    parts = [] if fault["type"] == "json_invalid" else [str(part)[:60] for part in fault["loc"]]
    last = len(parts) - 1 if fault["type"] == "extra_forbidden" else None
    return ".".join(
        part for i, part in enumerate(parts) if part.isidentifier() or part.isdecimal() or i == last
    )
