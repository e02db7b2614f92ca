"""The prepared deals of an evening: slips to deal them by, and when it is over all there is to see.

That is their record, and of each its cards and what `expert` makes of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from rookery.bots.names import bot
from rookery.bots.seat_info import SeatInfo
from rookery.engine.rng import seeded
from rookery.evening.duplicate.slips import opened_hand, opened_record, seated_rounds, slips_of
from rookery.evening.log.screens import DealOpen, LineTold
from rookery.evening.movements.rounds import laid_out, prepared_deals
from rookery.evening.movements.state import Evening, EveningError
from rookery.fairness.evening import EveningDeals
from rookery.game import Hand
from rookery.record import Record, dumps, of_hand, written_rules
from rookery.server.api.evenings.evening import Found, refused
from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.bots.engine import BotThreads, Unanswered
from rookery.server.work import in_pieces, in_thread

T = TypeVar("T")
PIECE: Final = 50  # deals, some 20 ms of a core
BOT: Final = bot("expert:version=2:rollouts=400:ms=600000")  # what it does follows from tries
NAME: Final = "expert:version=2:rollouts=400"


async def tell_slips(found: Found) -> bytes:
    """Return the slips of an evening with real cards, for whoever runs it; they show all cards.

    They are JSON: ``deals`` as in `Slips`, and ``rounds`` as they are planned, see `_rounds`.

    Raises:
        Problem: somebody else runs it (``bad-key``), the server does not deal these cards
            (``no-slips``), or so many pairs cannot play (``bad-change``).
    """
    if not found.you.host:
        raise Problem("bad-key")
    deals = found.held.deals()
    if deals is None or found.held.log.screens is not None:
        raise Problem("no-slips")
    evening = await in_thread(_laid_out, found)
    told = {
        "deals": await _of_all(lambda number: slips_of(deals, number)._asdict(), evening),
        "rounds": await in_thread(_rounds, evening),
    }
    return await in_thread(msgspec.json.encode, told)


async def tell_opened(found: Found) -> str:
    """Return the record of all prepared deals with their key, once the evening is over.

    Raises:
        Problem: others may still play (``not-over``), or the server did not deal (``no-slips``).
    """
    deals = found.held.deals()
    if deals is None:
        raise Problem("no-slips")
    if not found.held.log.is_open:
        raise Problem("not-over")
    evening = await in_thread(_laid_out, found)
    hands = await _of_all(lambda number: opened_hand(deals, number), evening)
    return await in_thread(opened_record, deals, hands)


async def _of_all(make: Callable[[int], T], evening: Evening) -> list[T]:
    """Return what is made of each deal, by its number."""
    numbers = range(1, prepared_deals(evening) + 1)
    return await in_pieces(lambda some: [make(one) for one in some], numbers, PIECE)


def _rounds(evening: Evening) -> list[list[dict[str, Any]]]:
    """Return the tables of all rounds: the two teams that meet, and the numbers of their deals."""
    many = evening.boards
    return [
        [
            {
                "table": one.table,
                "teams": one.pairs,
                "deals": [one.deals * many + at + 1 for at in range(many)],
            }
            for one in tables
        ]
        for tables in seated_rounds(evening, len(evening.teams))
    ]


def _laid_out(found: Found) -> Evening:
    try:
        return laid_out(found.held.log.evening)
    except EveningError as error:
        raise refused(error) from None


async def opened(state: AppState, deals: EveningDeals, number: int) -> DealOpen:
    """Return a deal by its number, from 1; `expert` begins to play it if it has not."""
    hand = await in_thread(deals.hand, number)
    dealt = of_hand(hand)
    key, name = f"{deals.commitment} {number}", f"evening {deals.evening}"
    play = partial(line_of, state.registry.thinker, hand)
    how, line = state.lines.of(key, name, play)
    return DealOpen(
        dealer=hand.dealer,
        cards=dealt.deal or [],
        nest=dealt.nest,
        options=dict(hand.rules.options()),
        line=line,
        line_state=how,
    )


async def line_of(thinker: BotThreads, hand: Hand) -> LineTold:
    """Return what `expert` makes of a deal in all seats.

    Raises:
        Unanswered: no worker here can think.
    """
    rules = hand.rules
    minds = [SeatInfo(rng=seeded(1, seat + 1)) for seat in range(rules.seats)]
    while not hand.over:
        hand = await thinker.at_leisure(hand, minds[hand.to_act or 0], BOT)
    declarer, score, points = hand.declarer, hand.score or [], hand.points
    record = Record(rules, written_rules(rules), None, [of_hand(hand)], {})
    try:
        review = json.loads(await thinker.review(dumps(record).encode(), lambda *_: None))
        open_ = review["hands"][0]["open"] or {}
    except Unanswered:  # the result alone is worth telling
        open_ = {}
    sides = rules.fixed_sides or tuple((seat,) for seat in range(rules.seats))
    return LineTold(
        bot=NAME,
        declarer=declarer,
        bid=hand.bid,
        call=hand.call,
        made=hand.made,
        took=points[0] if points is not None and declarer is not None else None,
        scores=[score[side[0]] for side in sides] if score else [],
        open_points=open_.get("points"),
        open_made=open_.get("made"),
    )
