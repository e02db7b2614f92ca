"""A level that searches, at a table: its workers decide, else the club player does, and at once."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Iterator

import pytest
from tests.server.bots.workers import (
    HOUR,
    PATIENCE,
    Said,
    Story,
    Worker,
    good,
    legal,
    searching,
    silent,
    warming,
    weighed,
)

from rookery.bots.player import KernelPlayer
from rookery.game import Hand
from rookery.rules import load
from rookery.search.choice import Choice
from rookery.server.bots import wire as bm
from rookery.server.bots.engine import BotThreads
from rookery.server.bots.searching import Searching

KENTUCKY = load("kd_tournament")
DEALT = Hand.shuffled(KENTUCKY, dealer=0, seed=7)


def played(until: str) -> Hand:
    """Return the hand as the club player brings it to a phase."""
    return next(hand for hand in hands() if hand.phase == until)


def hands() -> Iterator[Hand]:
    hand, player = DEALT, [KernelPlayer("club", seed=1, seat=seat) for seat in range(4)]
    while not hand.over:
        yield hand
        hand = player[hand.to_act or 0].move(hand)


def club(hand: Hand) -> str:
    """Return what the club player does."""
    return str(KernelPlayer("club", seed=1, seat=hand.to_act or 0).act(hand))


async def ready(*workers: Worker, deadline: int = HOUR, stuck: float = 3600.0) -> Searching:
    bots = searching(*workers, deadline=deadline, stuck=stuck)
    bots.expect(["strong"])
    async with asyncio.timeout(PATIENCE):
        assert await bots._play.settled() == "ready"
    return bots


def test_a_level_that_searches_asks_its_worker() -> None:
    async def story() -> None:
        bots = await ready(Worker(good))
        assert await bots.move("T", "expert", DEALT) == "1 pass"
        hand = played("play")
        text = await bots.move("T", "expert", hand, (10, 20, 10, 20))
        assert str(hand.act(text).actions[-1]) == text
        assert bots._tally.times["expert"].count == 2
        assert not bots._tally.stood_in
        await bots.leave()

    asyncio.run(story())


def test_what_the_worker_is_told_follows_the_level() -> None:
    heard: list[bm.Weigh] = []

    async def notes(said: Said) -> None:
        said.say(bm.Ready(0.0))
        while True:
            asked = await said.hear()
            assert isinstance(asked, bm.Weigh)
            heard.append(asked)
            said.say(weighed(asked))

    async def story() -> None:
        bots = await ready(Worker(notes))
        await bots.move("T", "strong:style=bold", DEALT, (5, 15, 5, 15))
        await bots.move("T", "expert", DEALT.act("1 bid 70"))
        await bots.advise(DEALT)
        await bots.leave()

    asyncio.run(story())
    strong, expert, hint = heard
    assert strong.options["rollouts"] == "200"
    assert strong.options["style"] == "bold"
    assert (strong.options["ms"], strong.request.totals) == ("500", [5, 15, 5, 15])
    assert (expert.options["rollouts"], expert.options["ms"]) == ("1600", "1000")
    assert [(call.seat, call.bid) for call in expert.request.calls] == [(1, 70)]
    # Points are what a hint speaks of, and its choices are compared.
    assert (hint.request.totals, hint.even, expert.even) == ([], True, False)


def test_a_discard_is_one_act_of_several_questions() -> None:
    async def story() -> None:
        bots = await ready(Worker(good))
        hand = played("nest")
        text = await bots.move("T", "strong", hand)
        assert text.split()[1] == "discard"
        assert len(text.split()) == 2 + 5
        assert hand.act(text).phase == "trump"
        await bots.leave()

    asyncio.run(story())


def test_notes_and_dice_are_kept_until_the_next_deal() -> None:
    heard: list[bm.Weigh] = []

    async def notes(said: Said) -> None:
        said.say(bm.Ready(0.0))
        while True:
            asked = await said.hear()
            assert isinstance(asked, bm.Weigh)
            heard.append(asked)
            said.say(weighed(asked))

    async def story() -> None:
        bots = await ready(Worker(notes))
        await bots.move("T", "expert", DEALT)
        await bots.move("T", "expert", DEALT)
        await bots.move("T", "expert", Hand.shuffled(KENTUCKY, dealer=0, seed=8))
        await bots.move("T", "expert", DEALT)
        bots.forget("T")
        assert not bots._notes
        await bots.leave()

    asyncio.run(story())
    dice = [asked.request.mine.rng for asked in heard]
    assert dice[1] == 77  # as the worker left them
    assert 77 not in (dice[0], dice[2], dice[3])


async def illegal(said: Said) -> None:
    said.say(bm.Ready(0.0))
    while True:
        asked = await said.hear()
        said.say(weighed(asked, 4_000 if legal(asked) else 4_001))  # type: ignore[arg-type]


async def boundless(said: Said) -> None:
    said.say(bm.Ready(0.0))
    while True:
        asked = await said.hear()
        assert isinstance(asked, bm.Weigh)
        choices = [Choice(legal(asked), 8, math.nan, None)]
        said.say(bm.Weighed(asked.number, choices, 1, [0] * 8, 0.0))


async def speechless(said: Said) -> None:
    said.say(bm.Ready(0.0))
    while True:
        said.say(bm.Weighed((await said.hear()).number, [], 1, [0] * 8, 0.0))


async def failing(said: Said) -> None:
    said.say(bm.Ready(0.0))
    while True:
        said.say(bm.Failed((await said.hear()).number, "KeyError at desk:7"))


async def garbled(said: Said) -> None:
    said.say(bm.Ready(0.0))
    await said.hear()
    said.say_raw(b"\x00\x00\x00\x01\xc1")


async def gone(said: Said) -> None:
    said.say(bm.Ready(0.0))
    await said.hear()
    said.end()


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        (illegal, "failed"),
        (boundless, "failed"),
        (speechless, "failed"),
        (failing, "failed"),
        (garbled, "gone"),
        (gone, "gone"),
    ],
)
@pytest.mark.parametrize("phase", ["auction", "nest", "play"])
def test_the_club_player_decides_where_a_worker_does_not(
    trouble: Story, why: str, phase: str, caplog: pytest.LogCaptureFixture
) -> None:
    hand = played(phase)

    async def story() -> None:
        bots = await ready(Worker(trouble))
        assert await bots.move("T", "expert", hand) == club(hand)
        assert bots._tally.stood_in == {("expert", why): 1}
        advice = await bots.advise(hand)
        assert (advice.by, advice.alternatives) == ("club", ())
        await bots.leave()

    with caplog.at_level(logging.WARNING):
        asyncio.run(story())
    assert f"club decides for expert: {why}" in caplog.text


def test_nobody_waits_beyond_the_deadline(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        # A worker that never answers, and a deadline that is over with the level's own time.
        bots = await ready(Worker(silent), deadline=-1000)
        assert await bots.move("T", "expert", DEALT) == club(DEALT)
        assert bots._tally.stood_in == {("expert", "late"): 1}
        await bots.leave()

    with caplog.at_level(logging.CRITICAL):
        asyncio.run(story())


def test_a_late_bot_has_taken_all_the_time_that_was_waited_for_it() -> None:
    async def story() -> None:
        bots = await ready(Worker(silent), deadline=-800)  # beyond the second of the level
        await bots.move("T", "expert", DEALT)
        took = bots._tally.times["expert"]
        assert took.count == 1
        assert took.total >= 0.2
        await bots.leave()

    asyncio.run(story())


def test_while_a_level_warms_up_the_club_player_plays(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        bots = searching(Worker(warming))
        assert (bots.state("expert"), bots.state("club")) == ("warming", "ready")
        assert await bots.move("T", "expert", DEALT) == club(DEALT)
        assert await bots.move("T", "expert", DEALT) == club(DEALT)
        assert bots._tally.stood_in == {("expert", "warming"): 2}
        assert (await bots.advise(DEALT)).by == "club"
        await bots.leave()

    with caplog.at_level(logging.WARNING):
        asyncio.run(story())
    assert caplog.text.count("club decides for expert") == 1  # not a line for each move


def test_without_workers_the_club_player_plays() -> None:
    async def story() -> None:
        bots = BotThreads(1, HOUR)
        assert (bots.state("expert"), bots.state("papa")) == ("absent", "ready")
        assert await bots.move("T", "expert", DEALT) == club(DEALT)
        await bots.leave()

    asyncio.run(story())


def test_only_bots_that_search_begin_a_worker() -> None:
    async def story() -> None:
        worker = Worker(good)
        bots = searching(worker)
        bots.expect(["club", "papa", "beginner", "one of long ago"])
        await bots.move("T", "casual", DEALT)
        assert not bots._play._tasks
        bots.expect(["expert"])
        assert await bots._play.settled() == "ready"
        await bots.leave()

    asyncio.run(story())


def test_a_hint_says_what_else_there_is() -> None:
    async def story() -> None:
        bots = await ready(Worker(good))
        hand = played("play")
        advice = await bots.advise(hand)
        assert (advice.by, advice.making) == ("expert", 0.75)
        assert advice.alternatives[0].action == advice.action
        assert [one.margin for one in advice.alternatives] == [12.5, 2.25]
        discard = await bots.advise(played("nest"))
        assert discard.action.startswith("discard ")
        assert discard.alternatives == ()  # its cards were weighed one by one
        await bots.leave()

    asyncio.run(story())
