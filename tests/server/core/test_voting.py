"""Taking back and claiming: what is free, what is asked of whom, and what follows."""

from __future__ import annotations

from random import Random

import pytest
from tests.laws.playing import positions, random_action
from tests.server.core.tables import PEOPLE, Sheet, looks, started

from rookery.cards import unpack
from rookery.game import Hand, Trick
from rookery.rules import catalog, load, variant
from rookery.server.registry.history import history_of
from rookery.server.settings import Settings
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import timers
from rookery.server.table.audit import exchanged, unknown_to
from rookery.server.table.projection import snapshot
from rookery.server.table.refusals import Refused
from rookery.server.table.state import Who
from rookery.server.table.voting import CLAIMS, doubt, played_out

ANN, BOB, CY, DEE = PEOPLE[:4]
UNDO, YES, NO = cm.Undo("u"), cm.Vote("v", True), cm.Vote("v", False)


def at_discard(people: int | None = None) -> Sheet:
    sheet = started(people=people)
    for text in ("bid 75", "pass", "pass", "pass"):
        if people is None:
            sheet.act(text)
        else:
            seat = sheet.hand.to_act
            assert seat is not None
            sheet.add([ev.Acted(seat, f"{seat} {text}", "person")])
    assert sheet.hand.phase == "nest"
    return sheet


def discard_of(sheet: Sheet) -> str:
    return next(iter(sheet.hand.legal())).words


def in_play(seed: int = 1) -> Sheet:
    sheet = started(seed=seed)
    sheet.play(Random(seed), lambda hand: hand.phase == "play")
    return sheet


def test_a_discard_nobody_saw_is_simply_taken_back() -> None:
    sheet = at_discard()
    before = sheet.hand
    seq = sheet.table.seq
    sheet.act(discard_of(sheet))
    assert sheet.hand.phase == "trump"
    assert sheet.say(BOB, UNDO) == [ev.Undone(1)]
    assert (sheet.hand.state, sheet.hand.hidden) == (before.state, before.hidden)
    assert sheet.hand.actions == before.actions
    assert looks(history_of(sheet.entries).table) == looks(sheet.table)
    assert sheet.code(BOB, cm.Act("a", discard_of(sheet), seq)) == "late"
    sheet.act(discard_of(sheet))
    assert sheet.hand.phase == "trump"


def test_a_discard_of_which_all_know_something_goes_back_when_they_agree() -> None:
    sheet = started(load({"base": "kd_tournament", "nest_statement": "yes_no"}))
    sheet.play(Random(1), lambda hand: hand.nest_statement is not None)
    assert sheet.hand.actions[-1].verb == "discard"
    assert isinstance(sheet.say(sheet.person(sheet.hand.declarer), UNDO)[0], ev.VoteAsked)


def test_a_shown_card_goes_back_when_all_agree() -> None:
    sheet = in_play()
    seat = sheet.hand.to_act
    who = sheet.person(seat)
    before = sheet.hand
    sheet.act(random_action(sheet.hand, Random(1)))
    asked = sheet.say(who, UNDO)
    assert isinstance(asked[0], ev.VoteAsked)
    others = [person for person in PEOPLE[:4] if person != who]
    assert sheet.table.pending is not None
    assert len(sheet.table.pending.voters) == 3
    next_one = sheet.person(sheet.hand.to_act)
    text = random_action(sheet.hand, Random(2)).split(" ", 1)[1]
    assert sheet.code(next_one, cm.Act("a", text, sheet.table.seq)) == "vote-pending"
    assert sheet.code(who, YES) == "no-vote"
    sheet.say(others[0], YES)
    assert sheet.code(others[0], YES) == "no-vote"
    sheet.say(others[1], YES)
    shown = snapshot(sheet.table, None).pending
    assert shown is not None
    asked_of = [seat_of(person) for person in others]
    assert (shown.kind, shown.by, shown.voters) == ("undo", seat, asked_of)
    assert shown.votes == {str(voter): True for voter in asked_of[:2]}
    assert len(sheet.hand.actions) == len(before.actions) + 1
    events = sheet.say(others[2], YES)
    assert events[1:] == [ev.VoteClosed("undo", seat or 0, True), ev.Undone(seat or 0)]
    assert sheet.hand.state == before.state
    assert sheet.table.pending is None
    assert looks(history_of(sheet.entries).table) == looks(sheet.table)


def test_one_no_is_enough_and_nobody_is_asked_twice() -> None:
    sheet = started()
    sheet.act("bid 75")
    acts = sheet.hand.actions
    sheet.say(BOB, UNDO)
    sheet.say(CY, YES)
    sheet.say(DEE, NO)
    assert sheet.table.pending is None
    assert sheet.hand.actions == acts
    assert sheet.code(BOB, UNDO) == "asked-already"
    assert sheet.code(ANN, YES) == "no-vote"


def test_with_bots_alone_nobody_has_to_be_asked() -> None:
    sheet = started(people=2)
    sheet.act("bid 75")
    assert sheet.say(BOB, UNDO)[0] == ev.VoteAsked("undo", 1, [], [0])
    solo = started(people=1)
    solo.add([ev.Acted(1, "1 pass", "bot"), ev.Acted(2, "2 pass", "bot")])
    solo.add([ev.Acted(3, "3 bid 70", "bot")])
    solo.act("bid 75")
    assert solo.say(ANN, UNDO) == [ev.Undone(0)]


def test_what_was_answered_or_has_shown_a_card_stays() -> None:
    lobby, sheet = Sheet(), started()
    assert lobby.code(BOB, UNDO) == "nothing-to-undo"
    for early in (lobby, sheet):
        assert early.code(BOB, cm.Claim("c")) == "not-now"
    assert sheet.code(BOB, UNDO) == "nothing-to-undo"
    sheet.act("bid 75")
    sheet.act("pass")
    assert sheet.code(BOB, UNDO) == "nothing-to-undo"
    sheet.act("pass")
    sheet.act("pass")
    assert sheet.code(ANN, UNDO) == "too-late"  # the nest has been taken up
    played = in_play()
    while not played.hand.tricks:
        seat = played.hand.to_act
        played.act(random_action(played.hand, Random(1)))
    assert played.code(played.person(seat), UNDO) == "too-late"


def test_a_dummy_card_is_the_declarers_to_take_back() -> None:
    name = next(v for v in sorted(catalog()) if variant(v).dummy == "partner")
    sheet = started(variant(name))
    rng = Random(2)
    sheet.play(rng, lambda hand: hand.phase == "play" and hand.turn == hand.dummy is not None)
    declarer, dummy = sheet.hand.declarer, sheet.hand.dummy
    assert declarer is not None
    assert dummy is not None
    played = sheet.act(random_action(sheet.hand, rng))[0]
    assert isinstance(played, ev.Acted)
    assert (played.seat, int(played.text.split()[0])) == (declarer, dummy)
    if sheet.hand.trick:
        assert sheet.code(sheet.person(dummy), UNDO) == "nothing-to-undo"
        offered = [snapshot(sheet.table, seat).may_undo for seat in (dummy, declarer)]
        assert offered == [False, True]
        assert isinstance(sheet.say(sheet.person(declarer), UNDO)[0], ev.VoteAsked)


def test_a_claim_shows_the_hand_and_is_written_as_plays() -> None:
    sheet = in_play(3)
    seat = sheet.hand.to_act
    assert seat is not None
    who = sheet.person(seat)
    other = sheet.person((seat + 1) % 4)
    assert sheet.code(other, cm.Claim("c")) == "not-your-turn"
    asked = sheet.say(who, cm.Claim("c"))[0]
    assert isinstance(asked, ev.VoteAsked)
    assert asked.shown == sheet.hand.names(sheet.hand.cards_held[seat])
    for person in PEOPLE[:4]:
        if person != who:
            sheet.say(person, YES)
    assert sheet.hand.over
    assert all(e.event.by == "claim" for e in sheet.entries[-5:] if isinstance(e.event, ev.Acted))
    assert looks(history_of(sheet.entries).table) == looks(sheet.table)


def test_a_claim_that_is_refused_changes_nothing() -> None:
    sheet = in_play(3)
    who = sheet.person(sheet.hand.to_act)
    acts = sheet.hand.actions
    sheet.say(who, cm.Claim("c"))
    other = next(person for person in PEOPLE[:4] if person != who)
    sheet.say(other, NO)
    assert sheet.hand.actions == acts
    assert sheet.table.pending is None


def test_claims_are_limited_in_a_turn_and_in_a_hand() -> None:
    sheet = in_play(3)
    seat = sheet.hand.to_act
    assert seat is not None
    claims = 0
    while not sheet.hand.over:
        if sheet.hand.to_act == seat:
            who = sheet.person(seat)
            assert snapshot(sheet.table, seat).may_claim == (claims < CLAIMS)
            if claims < CLAIMS:
                sheet.say(who, cm.Claim("c"))
                sheet.say(next(person for person in PEOPLE[:4] if person != who), NO)
                claims += 1
            assert not snapshot(sheet.table, seat).may_claim
            assert sheet.code(who, cm.Claim("d")) == "asked-already"
        sheet.act(random_action(sheet.hand, Random(claims)))
    assert claims == CLAIMS
    # In the next hand they may claim again.
    for who in PEOPLE[:4]:
        sheet.say(who, cm.Next("n"))
    sheet.play(Random(3), lambda hand: hand.phase == "play" and hand.to_act == seat)
    assert snapshot(sheet.table, seat).may_claim


def test_a_claim_that_was_refused_stays_refused_though_a_card_is_taken_back() -> None:
    sheet = in_play(3)
    who = sheet.person(sheet.hand.to_act)
    others = [person for person in PEOPLE[:4] if person != who]
    sheet.say(who, cm.Claim("c"))
    sheet.say(others[0], NO)
    sheet.act(random_action(sheet.hand, Random(1)))
    sheet.say(who, UNDO)
    for person in others:
        sheet.say(person, YES)
    assert sheet.code(who, cm.Claim("d")) == "asked-already"


def test_a_question_gives_a_turn_no_more_time() -> None:
    sheet = started()
    sheet.now = 9_000_000  # a table is older than its turns
    sheet.say(ANN, cm.Table("t", clock=60))
    sheet.play(Random(1), lambda hand: hand.phase == "play")
    who, settings = sheet.person(sheet.hand.to_act), Settings()
    begun = sheet.table.moved_at
    sheet.now = begun + 40_000
    sheet.say(who, cm.Claim("c"))
    assert timers.due(sheet.table, settings, 0) == (sheet.now + settings.vote, "vote", seat_of(who))
    sheet.now += 20_000
    sheet.say(next(person for person in PEOPLE[:4] if person != who), NO)
    due = timers.due(sheet.table, settings, 0)
    assert due is not None
    left = due.at - settings.lag - sheet.now
    assert due.what == "clock"
    assert 20_000 <= left < 21_000
    assert snapshot(sheet.table, 0).turn_clock == 20
    # The next turn has all of its time again.
    sheet.act(random_action(sheet.hand, Random(1)))
    assert sheet.table.turn_clock == 60


def seat_of(who: Who) -> int:
    return PEOPLE.index(who)


def test_bots_agree_to_a_sure_claim_only() -> None:
    answers: set[bool] = set()
    for seed in range(300):
        if len(answers) == 2:
            break
        sheet = started(people=1, seed=seed)
        rng = Random(seed)
        while not sheet.hand.over:
            seat = sheet.hand.to_act
            assert seat is not None
            if seat == 0 and sheet.hand.phase == "play":
                proven = doubt(sheet.hand, 0) is None
                if proven:
                    events = sheet.say(ANN, cm.Claim("c"))
                    assert isinstance(events[1], ev.VoteClosed)
                    assert sheet.hand.over
                    assert {trick.winner for trick in sheet.hand.tricks[-1:]} == {0}
                else:
                    assert sheet.code(ANN, cm.Claim("c")) == "claim-unproven"
                answers.add(proven)
                if proven:
                    break
            sheet.add([ev.Acted(seat, random_action(sheet.hand, rng), "bot")])
    assert answers == {True, False}


def test_a_claim_that_is_not_sure_says_what_stands_against_it() -> None:
    told: dict[str, int] = {"lead": 0, "dummy": 0, "card": 0, "lost": 0}
    for name in ("kd_tournament", "display"):
        for seed in range(12):
            rng = Random(seed)
            for hand in positions(load(name), seed):
                seat = hand.to_act
                if hand.phase != "play" or seat is None or (why := doubt(hand, seat)) is None:
                    continue
                if why in told:
                    told[why] += 1
                    continue
                # A card of the claimer's own; in other worlds it does not win.
                assert why in hand.names(hand.cards_held[seat])
                told["card"] += 1
                led = shuffled(hand, seat, rng).act(f"{seat} play {why}")
                told["lost"] += rest_of(led, rng)[0].winner != seat
    assert min(told.values()) > 5, told


def test_the_refusal_of_a_claim_says_why() -> None:
    sheet = started(people=1, seed=3)
    rng = Random(3)
    told = set()
    while not sheet.hand.over:
        seat = sheet.hand.to_act
        assert seat is not None
        if seat == 0 and sheet.hand.phase == "play":
            refusal = sheet.ask(ANN, cm.Claim("c"))
            if isinstance(refusal, Refused):
                assert (refusal.code, refusal.about) == ("claim-unproven", doubt(sheet.hand, 0))
                told.add(refusal.reason)
        sheet.add([ev.Acted(seat, random_action(sheet.hand, rng), "bot")])
    assert "you cannot prove that yet: you do not lead now; play on" in told
    assert any("may be beaten by a card that you have not seen" in reason for reason in told)


@pytest.mark.parametrize("name", sorted(catalog()))
def test_a_sure_claim_wins_every_trick_whatever_the_others_hold(name: str) -> None:
    rng = Random(name)
    for seed in range(8):
        for hand in positions(variant(name), seed):
            seat = hand.to_act
            if hand.phase != "play" or seat is None or doubt(hand, seat) is not None:
                continue
            for _ in range(4):
                assert all(
                    trick.winner == seat for trick in rest_of(shuffled(hand, seat, rng), rng)
                )
            assert all(t.winner == seat for t in played_out(hand, seat).tricks[len(hand.tricks) :])


def shuffled(hand: Hand, seat: int, rng: Random) -> Hand:
    """Return the hand in another world that the seat cannot tell from it."""
    hidden = list(unpack(unknown_to(hand, seat)))
    for _ in range(6):
        if len(hidden) > 1:
            hand = exchanged(hand, *rng.sample(hidden, 2))
    return hand


def rest_of(hand: Hand, rng: Random) -> list[Trick]:
    done = len(hand.tricks)
    while not hand.over:
        hand = hand.act(random_action(hand, rng))
    return list(hand.tricks[done:])


def test_sure_claims_are_found_and_a_weaker_test_would_be_caught() -> None:
    found = 0
    wrong = 0
    for seed in range(40):
        for hand in positions(load("kd_tournament"), seed):
            seat = hand.to_act
            if hand.phase != "play" or seat is None or hand.trick or len(hand.tricks) < 5:
                continue
            found += doubt(hand, seat) is None
            if doubt(hand, seat) is not None:
                wrong += any(trick.winner != seat for trick in played_out(hand, seat).tricks[-1:])
    assert found > 5
    assert wrong > 5


@pytest.mark.parametrize("name", sorted(catalog()))
def test_every_claim_can_be_played_out(name: str) -> None:
    for hand in positions(variant(name), 9):
        if hand.phase == "play" and hand.to_act is not None:
            done = played_out(hand, hand.to_act)
            assert done.over
            again = hand
            for text in done.actions[len(hand.actions) :]:
                again = again.act(text)
            assert again.score == done.score
