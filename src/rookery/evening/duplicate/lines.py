"""A deal as a bot plays it in all seats, and what its contract is worth with all hands open."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from rookery.bots.names import Bot
from rookery.engine.rng import seeded
from rookery.evening.duplicate.slips import seat_names
from rookery.game import Hand


class DealLine(BaseModel):
    """What a bot makes of a deal in all seats, to hold the results against.

    ``declarer`` and ``bid`` are null where nobody plays it. ``scores`` has a number for each side,
    none where the rules throw it in. So has ``open``: what the same contract comes to if all see
    all hands from the first lead on, and play their best. It is null where the game is no contest
    of two sides over points, or that is too much work.
    """

    bot: str
    declarer: str | None
    bid: int | str | None
    scores: list[int]
    open: list[int] | None
    actions: list[str]


def line_of(hand: Hand, bot: Bot, sides: Sequence[Sequence[int]]) -> DealLine:
    """Return what a bot makes of a deal in all seats.

    `hand` is the deal before the first bid, and `sides` are the seats of each side. The same deal
    and the same tries give the same line.
    """
    # Imported late: results alone need no solver.
    from rookery.review.open_cards import OpenPlay, solvable

    rules = hand.rules
    players = [bot.seated(rules, seat) for seat in range(rules.seats)]
    for seat, player in enumerate(players):
        player.begin(hand, seeded(1, seat + 1))
    led: Hand | None = None
    try:
        while not hand.over:
            if led is None and solvable(hand):
                led = hand
            hand = hand.act(players[hand.to_act or 0].act(hand))
    finally:
        for player in players:
            player.close()
    names, declarer, score = seat_names(rules), hand.declarer, hand.score or []
    end = None if led is None else OpenPlay([led], []).end(0)
    return DealLine(
        bot=str(bot),
        declarer=None if declarer is None else names[declarer],
        bid=hand.bid,
        scores=[score[side[0]] for side in sides] if score else [],
        open=None if end is None else [int(end.score[side[0]]) for side in sides],
        actions=[str(action) for action in hand.actions],
    )
