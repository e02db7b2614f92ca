"""A prepared deal of an evening that is over: its cards, and what `expert` makes of them."""

from __future__ import annotations

import json
from functools import partial
from typing import Final

from rookery.bots.names import bot
from rookery.bots.seat_info import SeatInfo
from rookery.engine.rng import seeded
from rookery.evening.log.screens import DealOpen, LineTold
from rookery.fairness.evening import EveningDeals
from rookery.game import Hand
from rookery.record import Record, dumps, of_hand, written_rules
from rookery.server.api.state import AppState
from rookery.server.bots.engine import BotThreads, Unanswered
from rookery.server.work import in_thread

BOT: Final = bot("expert:version=2:rollouts=400:ms=600000")  # what it does follows from tries
NAME: Final = "expert:version=2:rollouts=400"


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
        bid=hand.bid if declarer is not None else None,
        call=hand.call,
        made=hand.made,
        took=points[0] if points is not None and declarer is not None else None,
        scores=[score[side[0]] for side in sides] if score else [],
        open_points=open_.get("points"),
        open_made=open_.get("made"),
    )
