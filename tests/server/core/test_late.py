"""What somebody meant for an earlier moment is refused as late: now it would do something else."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from tests.laws.playing import random_action
from tests.server.core.tables import (
    PEOPLE,
    Room,
    Sheet,
    heard,
    looks,
    running,
    started,
    turn_of,
    without_seat,
)

from rookery.rules import catalog, variant
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.registry.history import history_of
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.decide import act
from rookery.server.table.refusals import Refused

CLOCK = 10  # seconds


def decided(sheet: Sheet, seat: int, by: ev.By, rng: Random) -> None:
    """Have the server decide for a seat, or the person on another device."""
    outcome = act(sheet.table, seat, without_seat(random_action(sheet.hand, rng)), by)
    assert not isinstance(outcome, Refused)
    sheet.add(outcome)


def play_to(sheet: Sheet, seat: int, rng: Random) -> None:
    """Let the others play until it is the turn of a seat."""
    while sheet.hand.to_act != seat:
        sheet.act(random_action(sheet.hand, rng))


def in_play(rng: Random) -> tuple[Sheet, int]:
    """Return a table where tricks are played, and whose turn it is."""
    sheet = started()
    sheet.play(rng, lambda hand: hand.phase == "play")
    assert sheet.hand.to_act is not None
    return sheet, sheet.hand.to_act


def legal(sheet: Sheet) -> str:
    return next(iter(sheet.hand.legal())).words


@pytest.mark.parametrize("by", ["auto", "bot", "person"])
def test_a_card_chosen_before_another_was_played_for_the_seat_is_late(by: ev.By) -> None:
    rng = Random(1)
    sheet, seat = in_play(rng)
    who, seen = sheet.person(seat), sheet.table.seq
    decided(sheet, seat, by, rng)
    play_to(sheet, seat, rng)
    chosen = legal(sheet)
    assert sheet.code(who, cm.Act("a", chosen, seen)) == "late"
    assert looks(history_of(sheet.entries).table) == looks(sheet.table)
    # Whoever looks again may play it.
    assert sheet.say(who, cm.Act("b", chosen, sheet.table.seq))


def test_a_bid_chosen_before_the_clock_bid_is_late() -> None:
    sheet = started()
    seat, seen = sheet.hand.to_act, sheet.table.seq
    for text in ("bid 75", "bid 80", "bid 85", "bid 90"):
        sheet.act(text)
    assert sheet.hand.to_act == seat
    assert sheet.code(sheet.person(seat), cm.Act("a", "bid 95", seen)) == "late"


def test_a_card_of_the_dummy_counts_for_whoever_decided() -> None:
    name = next(v for v in sorted(catalog()) if variant(v).dummy == "partner")
    sheet, rng = started(variant(name)), Random(2)
    sheet.play(rng, lambda hand: hand.phase == "play" and hand.turn == hand.dummy is not None)
    seat, seen = sheet.hand.declarer, sheet.table.seq
    assert seat is not None
    decided(sheet, seat, "auto", rng)
    play_to(sheet, seat, rng)
    assert sheet.code(sheet.person(seat), cm.Act("a", legal(sheet), seen)) == "late"


def test_nothing_that_others_do_makes_an_act_late() -> None:
    sheet = started(people=3)
    seat, seen = sheet.hand.to_act, sheet.table.seq
    assert seat is not None
    who, other = sheet.person(seat), sheet.person((seat + 1) % 3)
    for said, command in (
        (other, cm.Chat("c", phrase="hello")),
        (who, cm.Chat("d", text="wait")),
        (PEOPLE[4], cm.Chat("e", phrase="hello")),
        (who, cm.Face("f", "Heron")),
        (other, cm.Block("b", seat)),
        (PEOPLE[0], cm.Table("t", pace="calm")),
    ):
        sheet.say(said, command)
    sheet.add([ev.Away(seat), ev.StoodIn(seat, "club"), ev.Back(seat)])
    assert sheet.say(who, cm.Act("a", "bid 75", seen))


def test_a_card_chosen_while_the_others_were_playing_is_not_late() -> None:
    rng = Random(1)
    sheet, seat = in_play(rng)
    sheet.act(random_action(sheet.hand, rng))
    seen = sheet.table.seq
    play_to(sheet, seat, rng)
    assert sheet.say(sheet.person(seat), cm.Act("a", legal(sheet), seen))


def taken(line: Connection) -> list[str]:
    """Return how the commands of a connection were answered since the last look."""
    told = [one for one in heard(line) if isinstance(one, ms.Ack | ms.Refused)]
    return [one.code if isinstance(one, ms.Refused) else "ack" for one in told]


async def plays(room: Room, actor: Actor, line: Connection, seen: int, mark: str = "") -> str:
    """Do the first legal thing on a connection that was shown an earlier table."""
    assert actor.table.hand is not None
    text = next(iter(actor.table.hand.legal())).words
    actor.take(line, cm.Act(mark or f"act-{actor.table.seq}", text, seen))
    await room.settle()
    return text


async def others_play(room: Room, actor: Actor, lines: Sequence[Connection], seat: int) -> None:
    while turn_of(actor) != seat:
        await plays(room, actor, lines[turn_of(actor)], actor.table.seq)
        for line in lines:
            heard(line)


@pytest.mark.parametrize("between", ["nothing", "a break", "a word"])
def test_what_the_clock_has_overtaken_is_not_done_once_it_comes(between: str) -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(clock=CLOCK)
        seat = turn_of(actor)
        await plays(room, actor, lines[seat], actor.table.seq)
        await others_play(room, actor, lines, seat)
        seen = actor.table.seq
        await room.turn(1000 * CLOCK + room.settings.lag)
        assert turn_of(actor) != seat
        if between == "a word":
            actor.take(lines[seat], cm.Chat("c", phrase="hello"))
        if between == "a break":
            actor.disconnect(lines[seat])
            lines[seat] = actor.connect(lines[seat].who)
            actor.take(lines[seat], cm.Hello(seen))
        await others_play(room, actor, lines, seat)
        heard(lines[seat])
        await plays(room, actor, lines[seat], seen, "sent again")
        assert taken(lines[seat]) == ["late"]
        await room.close()

    running(scene)


def test_what_was_done_on_another_device_is_not_done_again_on_this_one() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        seat, seen = turn_of(actor), actor.table.seq
        phone = actor.connect(lines[seat].who)
        actor.take(phone, cm.Hello())
        await plays(room, actor, lines[seat], seen)
        await others_play(room, actor, lines, seat)
        heard(phone)
        await plays(room, actor, phone, seen, "of the phone")
        assert taken(phone) == ["late"]
        await plays(room, actor, phone, actor.table.seq)
        assert taken(phone) == ["ack"]
        await room.close()

    running(scene)


@pytest.mark.parametrize("remembered", [True, False])
def test_what_is_sent_again_over_a_new_line_is_known_there(remembered: bool) -> None:
    """A line may break before its acks come. All that was not answered is sent again, in order."""

    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(clock=CLOCK)
        seat, seen = turn_of(actor), actor.table.seq
        text = await plays(room, actor, lines[seat], seen, "one")
        actor.disconnect(lines[seat])
        if not remembered:  # by the table, that is: the store has it
            actor._recent._done.clear()
            actor._recent._older = True
        lines[seat] = actor.connect(lines[seat].who)
        actor.take(lines[seat], cm.Hello(seen))
        for mark in ("two", "three"):
            actor.take(lines[seat], cm.Act("one", text, seen))
            await room.settle()
            await others_play(room, actor, lines, seat)
            heard(lines[seat])
            await plays(room, actor, lines[seat], seen, mark)
            assert taken(lines[seat]) == ["ack"]
        # What the clock plays is not known by that.
        await others_play(room, actor, lines, seat)
        await room.turn(1000 * CLOCK + room.settings.lag)
        await others_play(room, actor, lines, seat)
        actor.take(lines[seat], cm.Act("one", text, seen))
        await plays(room, actor, lines[seat], seen, "four")
        assert taken(lines[seat]) == ["ack", "late"]
        await room.close()

    running(scene)


def test_a_program_need_not_wait_for_what_it_does_itself() -> None:
    """As 1.0 had it: what comes over one connection comes in the order that was meant."""

    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        seat, seen = turn_of(actor), actor.table.seq
        heard(lines[seat])
        for again in range(3):
            await plays(room, actor, lines[seat], seen, f"again-{again}")
            assert taken(lines[seat]) == ["ack"]
            await others_play(room, actor, lines, seat)
        # A copy is answered as the first was; without `seen` nothing is done.
        await plays(room, actor, lines[seat], seen, "again-0")
        await plays(room, actor, lines[seat], 0)
        assert taken(lines[seat]) == ["ack", "late"]
        await room.close()

    running(scene)


def test_an_undo_at_once_after_ones_own_card_takes_that_back() -> None:
    """Whoever taps the wrong card and Undo has not been shown yet that it was played."""

    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(people=1)
        while turn_of(actor) != 0:
            await room.turn(1000)
        seen = actor.table.seq
        heard(lines[0])
        await plays(room, actor, lines[0], seen)
        actor.take(lines[0], cm.Undo("u", seen))
        await room.settle()
        assert taken(lines[0]) == ["ack", "ack"]
        assert turn_of(actor) == 0
        await room.close()

    running(scene)


def test_an_undo_is_not_of_what_the_clock_has_played() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(clock=CLOCK)
        seat, seen = turn_of(actor), actor.table.seq
        await plays(room, actor, lines[seat], seen)
        await others_play(room, actor, lines, seat)
        await room.turn(1000 * CLOCK + room.settings.lag)
        heard(lines[seat])
        actor.take(lines[seat], cm.Undo("u", seen))
        await room.settle()
        assert taken(lines[seat]) == ["late"]
        await room.close()

    running(scene)


def test_a_yes_to_one_question_is_no_yes_to_the_next() -> None:
    rng = Random(1)
    sheet, seat = in_play(rng)
    sheet.act(random_action(sheet.hand, rng))
    sheet.say(sheet.person(seat), cm.Undo("u"))
    assert sheet.table.pending is not None
    claims = sheet.hand.to_act
    says_no, votes = (voter for voter in sheet.table.pending.voters if voter != claims)
    voter, yes = sheet.person(votes), cm.Vote("y", yes=True, seen=sheet.table.seq)
    assert isinstance(sheet.ask(voter, yes), list)
    sheet.say(sheet.person(says_no), cm.Vote("n", yes=False))
    assert sheet.code(voter, yes) == "no-vote"
    sheet.say(sheet.person(claims), cm.Claim("c"))
    assert sheet.code(voter, yes) == "late"
    assert sheet.code(voter, cm.Vote("y", yes=True, seen=sheet.table.seq + 1)) == "late"
    seen = sheet.table.seq
    sheet.say(voter, cm.Chat("t", phrase="hello"))
    # A program of 1.0 names no moment.
    for vote in (cm.Vote("y", yes=True, seen=seen), cm.Vote("y", yes=True)):
        assert sheet.ask(voter, vote) == [ev.Voted(votes, yes=True)]


def test_an_undo_takes_back_what_was_seen_and_no_more() -> None:
    sheet = started(people=1)
    sheet.add([ev.Acted(1, "1 pass", "bot"), ev.Acted(2, "2 pass", "bot")])
    sheet.add([ev.Acted(3, "3 bid 70", "bot")])
    sheet.act("bid 75")
    sheet.add([ev.Acted(3, "3 pass", "bot")])
    sheet.act(legal(sheet))
    sheet.act(legal(sheet))
    ann, undo = PEOPLE[0], cm.Undo("u", seen=sheet.table.seq)
    assert sheet.code(ann, cm.Undo("u", seen=sheet.table.seq + 1)) == "late"
    assert sheet.say(ann, undo) == [ev.Undone(0)]
    assert sheet.code(ann, undo) == "late"
    # A program of 1.0 names no moment.
    assert sheet.ask(ann, cm.Undo("u")) == [ev.Undone(0)]


def test_a_claim_is_one_of_the_turn_that_was_seen() -> None:
    rng = Random(1)
    sheet, seat = in_play(rng)
    who, claim = sheet.person(seat), cm.Claim("c", seen=sheet.table.seq)
    sheet.say(who, cm.Chat("t", phrase="hello"))
    assert isinstance(sheet.ask(who, claim), list)
    assert sheet.code(who, cm.Claim("c", seen=sheet.table.seq + 1)) == "late"
    decided(sheet, seat, "auto", rng)
    play_to(sheet, seat, rng)
    assert sheet.code(who, claim) == "late"
    assert isinstance(sheet.ask(who, cm.Claim("c")), list)


def test_whoever_is_ready_for_one_hand_is_not_for_the_next() -> None:
    rng = Random(1)
    sheet = started()
    sheet.play(rng, lambda hand: hand.over)
    ann, ready = PEOPLE[0], cm.Next("n", seen=sheet.table.seq)
    assert sheet.ask(ann, ready) == [ev.Ready(0)]
    assert sheet.code(ann, cm.Next("n", seen=sheet.table.seq + 1)) == "late"
    number = sheet.table.dealt_seq
    sheet.play(rng, lambda hand: hand.over and sheet.table.dealt_seq > number)
    assert sheet.code(ann, ready) == "late"
    assert sheet.ask(ann, cm.Next("n")) == [ev.Ready(0)]
