"""REST: a match that is over, looked at again."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

from rookery.server.bots.engine import Unanswered
from rookery.server.http.errors import Problem
from rookery.server.http.middleware import stranger
from rookery.server.http.ratelimit import limited
from rookery.server.http.state import parts
from rookery.server.registry import played
from rookery.server.registry.reviews import Working, anonymous, named

router = APIRouter(prefix="/api", tags=["tables"])

AGAIN: Final = "1"  # seconds until it is worth asking how far it is


class ReviewAtWork(BaseModel):
    """A review that is being made."""

    done: int = Field(description="Decisions judged so far.")
    whole: int = Field(description="Decisions there are; 0 until that is known.")


_REVIEW: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The review, as `rookery schema review` describes it.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    },
    202: {"model": ReviewAtWork, "description": "It is being made; ask again."},
}


@router.get(
    "/tables/{code}/matches/{match}/review",
    response_class=Response,
    responses=_REVIEW,
    openapi_extra=limited("review"),
)
async def review(
    request: Request, code: str, match: Annotated[int, Path(ge=0, le=999)]
) -> Response:
    """Return what a finished match was played like; whoever may read its record may ask.

    It is made when it is first asked for, which takes from seconds to minutes.
    """
    here = parts(request)
    # As for the record: codes are short enough to be tried out, if trying were free.
    address = stranger(request.scope)
    if address is not None and not here.buckets.take("look", address):
        raise Problem("too-many")
    found = await asyncio.to_thread(played.over, await here.past(code), match)
    if found is None:
        raise Problem("no-hand", "there is no such match, or it is not over")
    record = anonymous(found.record)
    reviews = here.registry.reviews
    anew = not reviews.there(record)
    if anew and address is not None and not here.buckets.take("review", address):
        raise Problem("too-many")
    try:
        known = reviews.of(record, here.registry.thinker)
    except Unanswered as error:
        raise Problem("too-many" if error.why == "busy" else "no-review") from None
    if isinstance(known, Working):
        at_work = ReviewAtWork(done=known.done, whole=known.whole)
        return JSONResponse(at_work.model_dump(), 202, {"retry-after": AGAIN})
    body = await asyncio.to_thread(named, known, found.players)
    return Response(body, media_type="application/json")
