"""Matches that were played on a device without a server, and are kept here from then on."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from rookery.rules import RulesError
from rookery.server.api.problems import Problem
from rookery.server.api.rules import read_rules
from rookery.server.api.state import AppState
from rookery.server.table.state import Who
from rookery.server.work import in_thread


class MatchPlayed(BaseModel, extra="forbid", strict=True):
    """A match that was played on a device without a server: its ``rookery/1`` record."""

    record: dict[str, Any]


class MatchKept(BaseModel):
    """The table at which a match is kept, its number there from 0, and the link to its replay."""

    code: str
    match: int
    link: str


async def hand_in(state: AppState, who: Who, played: MatchPlayed) -> MatchKept:
    """Keep a match that was played on a device; the same one again is kept once.

    Raises:
        Problem: it is no such match; code ``bad-match``, and the reason says where and why.
    """
    # Imported late: few hand one in, and a start loads only what a page needs.
    from rookery.server.registry.handed import keep
    from rookery.server.registry.handed_match import BadMatch, read

    try:
        match = await in_thread(read, played.record)
        # People come to its table and play on there, as if it had been made here.
        match.kept.rules = await in_thread(read_rules, match.kept.rules_written)
        number = await keep(state.registry, who, match)
    except (BadMatch, RulesError) as error:
        raise Problem("bad-match", str(error)[:300]) from None
    return MatchKept(code=match.code, match=number, link=state.links.replay(match.code))
