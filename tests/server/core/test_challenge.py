"""A challenge in vain costs nothing, so everybody hears of it, and one a trick is enough."""

from __future__ import annotations

from random import Random

import pytest
from tests.server.core.tables import PEOPLE, Room, Sheet, heard, looks, running, started

from rookery.bots.player import fallback_action
from rookery.engine.trick import following
from rookery.game import Hand, Verb
from rookery.game.revokes import shown_revoke
from rookery.rules import load
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.projection import public_event, snapshot

PENALISED = load({"base": "kd_tournament", "renege": "penalised"})


def at_play() -> Sheet:
    sheet = started(PENALISED)
    sheet.play(Random(1), lambda hand: hand.phase == "play")
    return sheet


def accused_by(sheet: Sheet, seat: int) -> list[int]:
    view = snapshot(sheet.table, seat).view
    assert view is not None
    return view.may_challenge


def test_a_challenge_in_vain_is_told_to_all_and_changes_nothing() -> None:
    sheet = at_play()
    hand = sheet.hand
    assert sheet.say(PEOPLE[0], cm.Challenge("c", 1)) == [ev.Challenged(0, 1)]
    for seat in (None, 0, 1, 2, 3):
        event = public_event(sheet.entries[-1], seat)
        assert (event["type"], event["seat"], event["accused"]) == ("challenged", 0, 1)
    assert sheet.hand is hand
    assert sheet.table.scores == ()


def test_a_seat_challenges_in_vain_once_a_trick() -> None:
    sheet = at_play()
    for tricks in range(3):
        assert accused_by(sheet, 0) == [1, 3]
        sheet.say(PEOPLE[0], cm.Challenge("c", 1))
        before = looks(sheet.table)
        for again in (cm.Challenge("d", 3), cm.Act("e", "challenge 1", sheet.table.seq)):
            assert sheet.code(PEOPLE[0], again) == "challenged-already"
        assert looks(sheet.table) == before
        assert accused_by(sheet, 0) == []
        assert accused_by(sheet, 1) == [0, 2]
        written = cm.Act("f", "challenge 2", sheet.table.seq)
        assert sheet.say(PEOPLE[1], written) == [ev.Challenged(1, 2)]
        while len(sheet.hand.tricks) == tricks:
            sheet.act(str(fallback_action(sheet.hand)))


def test_what_is_no_challenge_is_refused_as_before() -> None:
    sheet = started(PENALISED)
    assert sheet.code(PEOPLE[0], cm.Challenge("c", 1)) == "not-now"  # before any card
    sheet = at_play()
    assert sheet.code(PEOPLE[0], cm.Challenge("c", 0)) == "no-revoke"
    assert sheet.code(PEOPLE[0], cm.Challenge("c", 7)) not in ("no-revoke", "challenged-already")
    assert accused_by(sheet, 0) == [1, 3]
    plain = started()
    assert plain.code(PEOPLE[0], cm.Challenge("c", 1)) == "not-now"


def test_nobody_at_a_table_challenges_their_own_side() -> None:
    sheet = at_play()
    before = looks(sheet.table)
    assert sheet.code(PEOPLE[0], cm.Challenge("c", 2)) == "no-revoke"
    assert sheet.code(PEOPLE[0], cm.Act("d", "challenge 2", sheet.table.seq)) == "no-revoke"
    assert looks(sheet.table) == before  # nobody hears of it, and the seat may still challenge
    assert accused_by(sheet, 0) == [1, 3]


def revoking(hand: Hand) -> str:
    """Return a revoke, where whoever is to act can make one; else what a bot would do."""
    if hand.phase == "play" and hand.turn is not None:
        held = hand.hidden.hand[hand.turn]
        wrong = held & ~following(hand.table, hand.state, held)
        if wrong:
            return f"play {hand.names([wrong.bit_length() - 1])[0]}"
    return fallback_action(hand).words


def test_a_bot_challenges_a_revoke_that_the_cards_have_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def lawful(table: str, bot: str, hand: Hand, totals: object = ()) -> str:
        return str(fallback_action(hand))

    async def scene() -> None:
        room = Room()
        monkeypatch.setattr(room.bots, "move", lawful)
        actor, [line] = await room.table(1, PENALISED, "instant")
        while (hand := actor.table.hand) is not None and not hand.over:
            if hand.to_act == 0:
                actor.take(line, cm.Act(f"a{actor.table.seq}", revoking(hand), actor.table.seq))
            await room.turn(100)
            heard(line)
        assert hand is not None
        assert hand.revoked
        last = hand.actions[-1]
        assert (last.verb, last.target, last.seat in (1, 3)) == (Verb.CHALLENGE, 0, True)
        # Whoever was to act has accused, in nobody else's name.
        log = [entry.event for entry in await room.store.read(actor.table.code)]
        assert [one.seat for one in log if isinstance(one, ev.Acted)][-1] == last.seat
        await room.close()

    running(scene)


def test_nobody_is_accused_in_the_name_of_whoever_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The clock plays for two who do not look; the bot is of the side that revokes."""
    clock = 10

    async def lawful(table: str, bot: str, hand: Hand, totals: object = ()) -> str:
        return str(fallback_action(hand))

    async def scene() -> None:
        room = Room()
        monkeypatch.setattr(room.bots, "move", lawful)
        actor, lines = await room.table(3, PENALISED, "instant", clock=clock)
        while (hand := actor.table.hand) is not None and not hand.over:
            seat = hand.to_act
            assert seat is not None
            if seat == 1:
                actor.take(lines[1], cm.Act(f"a{actor.table.seq}", revoking(hand), actor.table.seq))
            await room.turn(100 if seat % 2 else 1000 * clock + room.settings.lag)
            for line in lines:
                heard(line)
        assert hand is not None
        assert hand.hidden.revoked == 1 << 1
        shown = {one.to_act for one in hand.positions() if shown_revoke(one) is not None}
        assert shown >= {0, 2, 3}
        assert all(action.verb is not Verb.CHALLENGE for action in hand.actions)
        await room.close()

    running(scene)
