"""A prepared deal of an evening that is over: its cards, and what `expert` makes of them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.server.daily.test_expert import Careful, tried
from tests.server.http.served import Here
from tests.server.http.test_evenings import NAMES, done, made
from tests.server.http.test_screens import FAST, all_scored, looks_often, until
from tests.server.memory.store import MemoryStore

from rookery.evening.duplicate.lines import line_of
from rookery.evening.duplicate.slips import seat_names
from rookery.evening.log.screens import LineTold
from rookery.fairness.evening import MOST_DEALS, EveningDeals
from rookery.rules import variant
from rookery.server.api.evenings import deals as api
from rookery.server.bots.engine import BotTally, BotThreads, OnProgress, Unanswered
from rookery.server.bots.opening import thinker_of
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings

__all__ = ["looks_often"]


class Reviewing(Careful):
    """Reviews too, as far as this is looked at."""

    async def review(self, record: bytes, progress: OnProgress) -> bytes:
        """Return that the contract takes 95 points with all hands open."""
        assert len(json.loads(record)["hands"]) == 1
        return json.dumps({"hands": [{"open": {"points": 95, "made": True}}]}).encode()


async def _deal(thinker: BotThreads) -> tuple[list[Any], dict[str, Any], EveningDeals]:
    """Return what a deal tells: to its host before the end, after it, and once it was played."""
    settings = Settings()
    here = Here(settings, registry=TableRegistry(MemoryStore(), settings, thinker=thinker))
    async with here.running(), here.person("Ann") as ann, here.browser() as eve:
        evening = await made(ann, movement="mitchell", people=[*NAMES, *"abcd"], screens=FAST)
        at = f"/api/evenings/{evening['code']}"
        await done(ann, evening, {"do": "round", "round": 1})
        await until(ann, at, all_scored)
        told = [(await ann.get(f"{at}/deals/1")).json()["open"]]
        assert (await done(ann, evening, {"do": "end", "over": True})).is_success
        told.append((await eve.get(f"{at}/deals/1")).json()["open"])
        await tried()
        told.append((await eve.get(f"{at}/deals/1")).json()["open"])
        key = (await eve.get(at)).json()["evening"]["screens"]["key"]
        rules = variant("kd_tournament")
        return told, evening, EveningDeals(rules, evening["code"], MOST_DEALS, bytes.fromhex(key))


def test_the_cards_and_the_experts_line_are_told_once_the_key_is() -> None:
    told, _, deals = asyncio.run(_deal(Reviewing()))
    assert told[0] is None  # even to whoever runs it
    assert told[1]["line_state"] == "working"
    hand = deals.hand(1)
    assert told[2]["cards"] == [hand.names(cards) for cards in hand.cards_held]
    assert (told[2]["dealer"], told[2]["options"]["pack"]) == (0, "rook")
    line = told[2]["line"]
    assert (told[2]["line_state"], line["bot"]) == ("played", api.NAME)
    assert (line["open_points"], line["open_made"]) == (95, True)


def test_where_no_worker_can_think_that_is_said() -> None:
    thinker = Careful()
    thinker.fails = Unanswered("absent")
    told, _, _ = asyncio.run(_deal(thinker))
    assert (told[2]["line"], told[2]["line_state"]) == (None, "absent")


@pytest.mark.numba
@pytest.mark.slow
def test_it_is_the_line_of_the_command() -> None:
    """`rookery evening results --opened` plays a deal in the same way."""
    hand = EveningDeals(variant("kd_tournament"), "Friday", 4, bytes(32)).hand(1)

    async def story() -> LineTold:
        thinker = thinker_of(Settings(bot_workers=1), BotTally())
        try:
            return await api.line_of(thinker, hand)
        finally:
            await thinker.leave()

    found, other = asyncio.run(story()), line_of(hand, api.BOT, hand.rules.fixed_sides or ())
    assert (found.bid, found.scores) == (other.bid, other.scores)
    assert seat_names(hand.rules)[found.declarer or 0] == other.declarer
    assert found.open_points is not None
    assert found.made is not None
