"""How a request that cannot be answered is answered: every failure as a `Problem` of the list."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Match

from rookery.server.api.problems import Answer, Problem, Refusal, misfit
from rookery.server.http.dependencies import state_of
from rookery.server.http.ratelimit import household
from rookery.server.store.base import Fenced, Leaving, StoreError

log = logging.getLogger(__name__)

_OF_STATUS: Final = {404: "not-found", 405: "bad-method", 413: "too-large", 429: "too-many"}


def answer_to(problem: Problem, allowed: Collection[str] = ()) -> Response:
    """Return the answer to a request that cannot be done; `allowed` are methods that can be."""
    headers = {} if problem.wait is None else {"retry-after": str(problem.wait)}
    if allowed:
        headers["allow"] = ", ".join(sorted(allowed))
    answer = Answer(error=Refusal(code=problem.code, reason=problem.reason, where=problem.where))
    return JSONResponse(answer.model_dump(exclude_none=True), problem.status, headers)


def install(app: FastAPI, is_page: Callable[[str], bool] = lambda _: True) -> None:
    """Have every failure of a route answered from the list.

    The last route of `app` is at all paths; `is_page` says at which of them it has an answer.
    """

    @app.exception_handler(Problem)
    async def listed(request: Request, error: Problem) -> Response:
        state_of(request).security.refused(error.code, household(request.scope))
        return answer_to(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        # A place begins with the part of the request, such as its body.
        return answer_to(misfit({**fault, "loc": fault["loc"][1:]} for fault in error.errors()))

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        code = _OF_STATUS.get(error.status_code, "bad-request")
        if code != "bad-method":
            return answer_to(Problem(code, status=error.status_code))
        if allowed := _methods(request, is_page):
            return answer_to(Problem(code), allowed)
        return answer_to(Problem("not-found"))

    @app.exception_handler(Fenced)
    @app.exception_handler(Leaving)
    async def elsewhere(request: Request, error: StoreError) -> Response:
        # Nothing is wrong with the store, and nobody has to look.
        return answer_to(Problem("not-ready", str(error)))

    @app.exception_handler(StoreError)
    async def unstored(request: Request, error: StoreError) -> Response:
        log.warning("not stored: %s", error)
        return answer_to(Problem("not-ready"))

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        return answer_to(Problem("broken"))


def _methods(request: Request, is_page: Callable[[str], bool]) -> set[str]:
    """Return the methods with which something answers at an address (RFC 9110, 10.2.1)."""
    routes = (one for one in request.app.routes if one.matches(request.scope)[0] is not Match.NONE)
    found = [set(methods) for one in routes if (methods := getattr(one, "methods", None))]
    if len(found) > 1 or not is_page(request.scope["path"]):
        found.pop()  # the page, which is at all addresses that nothing else has
    allowed = set[str]().union(*found)
    return allowed | {"HEAD"} if "GET" in allowed else allowed
