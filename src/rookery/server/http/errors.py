"""What is said of a request that cannot be done: a closed list of codes, and nothing else."""

from __future__ import annotations

import logging
from typing import Any, Final, NamedTuple

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from rookery.server.store.base import StoreError
from rookery.server.table.refusals import Refused

log = logging.getLogger(__name__)


class Kind(NamedTuple):
    """The status of an answer, and what it says where nothing better is known."""

    status: int
    reason: str


PROBLEMS: Final = {
    "bad-request": Kind(400, "the request is not one of this API; see /api/openapi.json"),
    "bad-name": Kind(400, "that name cannot be shown"),
    "bad-rules": Kind(400, "these rules do not fit together"),
    "unknown-rules": Kind(404, "no variant of the catalogue has that id"),
    "bad-origin": Kind(403, "the request comes from a page of another site"),
    "no-session": Kind(401, "choose a name first"),
    "bad-secret": Kind(401, "that is not the secret of this server's admin page"),
    "bad-link": Kind(410, "this link has been used or is older than 15 minutes; ask for a new one"),
    "no-table": Kind(404, "there is no such table, or it has been cleared away"),
    "no-hand": Kind(404, "there is no such hand, or it is not finished"),
    "no-review": Kind(409, "nobody here can look back at a match just now"),
    "not-found": Kind(404, "there is nothing at this address"),
    "bad-method": Kind(405, "this address does not do that"),
    "too-large": Kind(413, "the request is too large"),
    "too-slow": Kind(408, "the request took too long to arrive"),
    "too-many": Kind(429, "too many requests; wait a moment"),
    "not-ready": Kind(503, "the server cannot reach its disk"),
    "broken": Kind(500, "something went wrong here; it has been written down"),
}
_OF_STATUS: Final = {404: "not-found", 405: "bad-method", 413: "too-large", 429: "too-many"}


class Refusal(BaseModel):
    """What cannot be done: a code for programs, and the same in plain words."""

    code: str
    reason: str


class Answer(BaseModel):
    """The body of every answer with a status from 400 on."""

    error: Refusal


class Problem(Exception):
    """Ends a request with an answer of the list."""

    def __init__(self, code: str, reason: str | None = None, status: int | None = None) -> None:
        self.code = code
        self.reason = reason
        self.status = status
        super().__init__(code)


def of_refusal(refused: Refused) -> Problem:
    """Return the answer to what a table, or a person's words, did not allow."""
    return Problem(refused.code, refused.reason, 409)


def problem(code: str, reason: str | None = None, status: int | None = None) -> Response:
    """Return the answer of that code; codes of `refusals` need both reason and status."""
    kind = PROBLEMS.get(code) or Kind(status or 400, reason or code)
    error = {"code": code, "reason": reason or kind.reason}
    return JSONResponse({"error": error}, status or kind.status)


def install(app: FastAPI) -> None:
    """Have every failure of a route answered from the list."""

    @app.exception_handler(Problem)
    async def listed(request: Request, error: Problem) -> Response:
        return problem(error.code, error.reason, error.status)

    @app.exception_handler(RequestValidationError)
    async def misfit(request: Request, error: RequestValidationError) -> Response:
        return problem("bad-request", _misfit(error))

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        return problem(_OF_STATUS.get(error.status_code, "bad-request"), status=error.status_code)

    @app.exception_handler(StoreError)
    async def unstored(request: Request, error: StoreError) -> Response:
        log.warning("not stored: %s", error)
        return problem("not-ready")

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        return problem("broken")


def _misfit(error: RequestValidationError) -> str:
    first: dict[str, Any] = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    text = " ".join(str(first["msg"]).split())[:200]
    return f"{where}: {text}" if where else text
