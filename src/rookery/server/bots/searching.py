"""Searching bots at live tables: workers think, and `club` decides where they do not answer.

A worker gets what the seat knows, and nothing else of the hand.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import secrets
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from rookery.bots.names import Bot, TableBot, table_bot
from rookery.bots.register import UnknownBot
from rookery.bots.seat_info import SeatInfo
from rookery.engine.state import CALL, CIRCUS_PASS, NEST
from rookery.game import Hand, IllegalAction
from rookery.rules import Rules
from rookery.search.choice import Choice
from rookery.search.request import request_of
from rookery.server.bots import wire as bm
from rookery.server.bots.engine import STAND_IN, BotTally, BotThreads, OnProgress, State, Unanswered
from rookery.server.bots.pool import Pool
from rookery.server.table.messages import Alternative, Hint

log = logging.getLogger("rookery.server.bots.engine")

ADVISER: Final = "expert"  # the best whose chances are calibrated
LEISURE: Final = 600_000  # milliseconds for a decision for which nobody waits
QUIET: Final = 30.0  # seconds between two equal lines of the log
_CARD_BY_CARD: Final = (NEST, CALL, CIRCUS_PASS)


class Searching(BotThreads):
    """Bots in threads of this process, and searching bots in worker processes."""

    def __init__(
        self, play: Pool, reviews: Pool, threads: int, deadline: int, tally: BotTally | None = None
    ) -> None:
        """Ask the workers of `play`; a bot has `deadline` ms beyond the time of its level.

        The workers of `reviews` review finished matches, so that no table waits for that.
        """
        super().__init__(threads, deadline, tally)
        self._play, self._reviews = play, reviews
        self._beyond = deadline / 1000
        self._notes: dict[tuple[str, int, str], tuple[object, SeatInfo]] = {}
        self._said: dict[tuple[str, str], float] = {}

    async def _decided(self, table: str, bot: str, hand: Hand, totals: Sequence[int]) -> str:
        if not _searches(bot):
            return await super()._decided(table, bot, hand, totals)
        seat = hand.to_act or 0
        key = (table, seat, bot)
        dealt, mine = self._mine(key, hand)
        try:
            after, _ = await self._thought(hand, mine, table_bot(bot), totals)
        except Unanswered as error:
            self._stood_in(bot, error.why)
            return await super()._decided(table, bot, hand, totals)
        self._notes[key] = dealt, mine
        return str(after.actions[-1])

    async def advise(self, hand: Hand) -> Hint:
        """Return what `expert` would do for the seat to act."""
        # Imported late: a start loads only what a page needs.
        from rookery.review.reasons import explain

        chosen = table_bot(ADVISER)
        try:
            # Its own random numbers: a hint reveals nothing about a bot at this table.
            after, choices = await self._thought(hand, SeatInfo(rng=_dice()), chosen, (), even=True)
        except Unanswered as error:
            if error.why not in ("warming", "absent"):
                self._stood_in("hint", error.why)
            return await super().advise(hand)
        self._tally.hints[ADVISER] += 1
        advice = explain(hand, choices, after.actions[-1])
        return Hint(
            advice.action,
            advice.reason.code,
            advice.reason.text,
            advice.making,
            tuple(Alternative(x.action, x.margin, x.making, x.error) for x in advice.alternatives),
            ADVISER,
            advice.reason.about,
        )

    async def at_leisure(self, hand: Hand, mine: SeatInfo, chosen: Bot) -> Hand:
        """Return the hand after what a bot does, in the worker that reviews matches."""
        await self._reviews.settled()
        written = len(hand.actions)
        while len(hand.actions) == written:
            asked = question(hand, mine, dict(chosen.options), (), LEISURE)
            answer = await self._reviews.ask(asked, patience=LEISURE / 1000)
            hand = _done(hand, mine, answer)[0]
        return hand

    async def review(self, record: bytes, progress: OnProgress) -> bytes:
        await self._reviews.settled()
        answer = await self._reviews.ask(
            bm.Look(record), progress=lambda message: progress(message.done, message.whole)
        )
        if not isinstance(answer, bm.Reviewed):
            raise Unanswered("failed")
        return answer.document

    def state(self, bot: str) -> State:
        return self._play.state if table_bot(bot).searches else "ready"

    def expect(self, bots: Sequence[str]) -> None:
        if any(map(_searches, bots)):
            self._play.begin()

    def forget(self, table: str) -> None:
        super().forget(table)
        for key in [key for key in self._notes if key[0] == table]:
            del self._notes[key]

    async def leave(self) -> None:
        await super().leave()
        await asyncio.gather(self._play.close(), self._reviews.close())

    async def _thought(
        self,
        hand: Hand,
        mine: SeatInfo,
        chosen: TableBot,
        totals: Sequence[int],
        *,
        even: bool = False,
    ) -> tuple[Hand, list[Choice]]:
        """Return the hand after the bot's act, and the choices for the last of its cards.

        Raises:
            Unanswered: no act was found in time.
        """
        clock = asyncio.get_running_loop().time
        until = clock() + chosen.milliseconds / 1000 + self._beyond
        written, choices = len(hand.actions), list[Choice]()
        while len(hand.actions) == written:
            left = until - clock()
            if left <= 0:
                raise Unanswered("late")
            ms = _milliseconds(hand, chosen.milliseconds, left)
            options = {**dict(chosen.bot.options), "ms": str(ms)}
            asked = question(hand, mine, options, totals, int(left * 1000), even=even)
            hand, choices = _done(hand, mine, await self._play.ask(asked, left))
        return hand, choices

    def _mine(self, key: tuple[str, int, str], hand: Hand) -> tuple[object, SeatInfo]:
        dealt = (hand.dealer, hand.dealt)
        # Taken out while it thinks, as in `BotThreads`.
        kept = self._notes.pop(key, None)
        if kept is None or kept[0] != dealt:
            return dealt, SeatInfo(rng=_dice())
        return kept

    def _stood_in(self, bot: str, why: str) -> None:
        self._tally.stood_in[bot, why] += 1
        now = time.monotonic()
        if now - self._said.get((bot, why), -math.inf) >= QUIET:
            self._said[bot, why] = now
            log.warning("%s decides for %s: %s", STAND_IN, bot, why)


def _searches(bot: str) -> bool:
    try:
        return table_bot(bot).searches
    except UnknownBot:
        return False


def _done(
    hand: Hand, mine: SeatInfo, answer: bm.Weighed | bm.Reviewed
) -> tuple[Hand, list[Choice]]:
    """Return the hand after the best choice of an answer, and all choices."""
    if not isinstance(answer, bm.Weighed) or not _sound(answer):
        raise Unanswered("failed")
    mine.rng, mine.memo = answer.rng, answer.memo
    try:
        return hand.do(answer.choices[0].action), answer.choices
    except IllegalAction:
        raise Unanswered("failed") from None


def question(
    hand: Hand,
    mine: SeatInfo,
    options: Mapping[str, str],
    totals: Sequence[int],
    patience: int,
    *,
    even: bool = False,
) -> bm.Weigh:
    """Return the question to a worker for the seat to act; all of it may be sent.

    Of the hidden cards in `hand` those that the seat sees are used, and of `mine` its dice and
    notes. `totals` are the match's before this hand, empty where only points count; `patience` is
    the deadline, ms; if `even`, all choices are tried in the same worlds.
    """
    request = request_of(hand, mine, totals)
    return bm.Weigh(_written(hand.rules), dict(options), request, patience, even)


@lru_cache(maxsize=64)
def _written(rules: Rules) -> bytes:
    return json.dumps(rules.options(), sort_keys=True).encode()


def _milliseconds(hand: Hand, most: int, left: float) -> int:
    """Return the time for one question, ms. A discard takes one question a card."""
    share = 1 / 3 if hand.state.phase in _CARD_BY_CARD else 0.9
    return max(1, min(most, int(left * 1000 * share)))


def _sound(answer: bm.Weighed) -> bool:
    return (
        bool(answer.choices)
        and len(answer.memo) == len(SeatInfo().memo)
        and all(math.isfinite(choice.margin) for choice in answer.choices)
    )


def _dice() -> int:
    return secrets.randbits(62) | 1
