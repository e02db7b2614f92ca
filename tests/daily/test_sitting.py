"""One attempt: it follows from the deal and what was done, and shows nobody else's cards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.laws.playing import random_action
from tests.search.test_secrets import exchanged
from tests.server.daily.tried import SECRET, played

from rookery.cards import pack_cards
from rookery.daily import sitting
from rookery.daily.day import FAMILIES, deal_of
from rookery.fairness.day import DayDeal
from rookery.game import BadAction, Hand, IllegalAction
from rookery.unicode.looks import alike

DAYS = ("2026-11-23", "2026-11-24", "2026-11-25")


def at_random(deal: DayDeal, rng: Random) -> Iterator[tuple[str, ...]]:
    """Yield what was done in an attempt that is played at random, whenever the person decides."""
    hand = sitting.begun(deal)
    while not hand.over:
        yield tuple(map(str, hand.actions))
        text = random_action(hand, rng).partition(" ")[2]
        hand = sitting.after(deal, tuple(map(str, hand.actions)), text)
    yield tuple(map(str, hand.actions))


def unseen(hand: Hand) -> list[int]:
    """Return the cards that nobody has shown to seat 0 yet."""
    hidden, found = hand.hidden, []
    for place, cards in enumerate((*hidden.hand, hidden.nest)):
        if place != sitting.SEAT and not (place == len(hidden.hand) and hand.declarer == 0):
            found += [card for card in range(57) if cards >> card & 1]
    known = hand.state.face_up | hand.state.exposed | pack_cards(hand.called)
    return [card for card in found if not known >> card & 1]


def leaks(deal: DayDeal, rng: Random, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Return in how many positions cards were exchanged unseen, and in how many it could be told.

    That is everything that is shown of an attempt which is under way, from the deal on.
    """
    tried = told = 0
    for actions in at_random(deal, rng):
        hand = sitting.dealt(deal).act_all(actions)
        closed = unseen(hand)
        for _ in range(2 if not hand.over and len(closed) > 1 else 0):
            other = exchanged(hand, *rng.sample(closed, 2))
            if other is None or other.state != hand.state:
                continue
            shown = json.dumps(sitting.frames(deal, actions, 0))
            first = next(iter(other.positions()))
            with monkeypatch.context() as patch:
                patch.setattr(sitting, "dealt", lambda _, first=first: first)
                after = json.dumps(sitting.frames(deal, tuple(map(str, other.actions)), 0))
            tried += 1
            told += shown != after
    return tried, told


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_depends_on_cards_that_the_person_cannot_see(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = 0
    for number, day in enumerate(DAYS):
        found, told = leaks(deal_of(SECRET, day, family), Random(number), monkeypatch)
        assert told == 0
        tried += found
    assert tried > 20


def test_the_control_a_card_that_is_shown_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = sitting.seen

    def loose(hand: Hand) -> dict[str, Any]:
        return {**sound(hand), "peek": hand.names(hand.dealt[1])[:1]}

    monkeypatch.setattr(sitting, "seen", loose)
    found = [leaks(deal_of(SECRET, day, "four"), Random(9), monkeypatch) for day in DAYS]
    assert sum(told for _, told in found) > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_bots_play_as_well_as_at_a_table(family: str) -> None:
    """However often it is taken up again, it goes on as if they had sat there all along."""
    for day in DAYS:
        deal = deal_of(SECRET, day, family)
        whole = played(deal)
        hand = sitting.begun(deal)
        while not hand.over:
            assert whole[: len(hand.actions)] == tuple(map(str, hand.actions))
            own = whole[len(hand.actions)].partition(" ")
            assert own[0] == str(sitting.SEAT)
            hand = sitting.after(deal, tuple(map(str, hand.actions)), own[2])
        assert tuple(map(str, hand.actions)) == whole


def test_what_bots_did_in_an_earlier_version_stays() -> None:
    deal = deal_of(SECRET, DAYS[0], "four")
    hand = sitting.begun(deal)
    first = hand.actions[0]
    assert first.seat != sitting.SEAT
    passed = sitting.dealt(deal).act(first.seat, "pass")
    while passed.to_act != sitting.SEAT:
        passed = passed.act(passed.to_act or 0, "pass")
    actions = tuple(map(str, passed.actions))
    assert actions != tuple(map(str, hand.actions))
    after = sitting.after(deal, actions, "bid 70")
    assert tuple(map(str, after.actions))[: len(actions) + 1] == (*actions, "0 bid 70")


FORGED = (
    *("", " ", "play", "bid", "bid 70 75", "1 bid 80", "0 bid 80", "bid 80\n0 pass", "redeal"),
    *("bid -5", "bid 99999999999999999999", "play RK", "play XX", "challenge 1", "discard"),
    *(
        "discard R5 R5 R5 R5 R5",
        "call R5",
        "trump green",
        "trump",
        "pass pass",
        "\u0000",
        "9" * 200,
    ),
)


@pytest.mark.parametrize("family", FAMILIES)
def test_nobody_acts_for_others_or_against_the_rules(family: str) -> None:
    deal = deal_of(SECRET, DAYS[0], family)
    rng = Random(family)
    done = 0
    for actions in at_random(deal, rng):
        hand = sitting.dealt(deal).act_all(actions)
        theirs = [card for cards in hand.cards_held[1:] for card in hand.names(cards)]
        for text in (*FORGED, *(f"play {card}" for card in theirs[:3])):
            try:
                after = sitting.after(deal, actions, text)
            except (BadAction, IllegalAction):
                continue
            # What was done is the person's own, and may be done.
            new = after.actions[len(actions)]
            assert (new.seat, new.words) == (sitting.SEAT, text)
            done += 1
    assert done < 40


def test_frames_are_those_after_what_was_seen() -> None:
    deal = deal_of(SECRET, DAYS[0], "four")
    whole = played(deal)
    half = whole[: len(whole) // 2]
    frames = sitting.frames(deal, half, 0)
    assert [frame["action"] for frame in frames[:2]] == [None, whole[0]]
    assert len(frames) == len(half) + 1
    assert sitting.frames(deal, half, len(half)) == []
    assert sitting.frames(deal, half, len(half) + 9) == []
    assert sitting.frames(deal, half, 5) == frames[6:]
    assert not any("cards" in frame for frame in frames)
    assert frames[-1]["view"] == sitting.seen(sitting.dealt(deal).act_all(half))
    # Others' cards that go face down are blank until all lie open.
    face_down = [f["action"] for f in frames if f["action"] and " discard" in f["action"]]
    declarer = sitting.dealt(deal).act_all(half).declarer
    assert declarer != sitting.SEAT
    assert face_down == [f"{declarer} discard"]
    over = sitting.frames(deal, whole, 0)
    assert [frame["action"] for frame in over[1:]] == list(whole)
    hand = sitting.dealt(deal)
    assert over[0]["cards"] == [hand.names(cards) for cards in hand.dealt]
    assert sorted(over[0]["nest"]) == sorted(hand.names(hand.nest_dealt))


def test_nobody_is_called_as_the_person_is() -> None:
    deal = deal_of(SECRET, DAYS[0], "five")
    birds = sitting.names(deal, "Ann")[1:]
    assert birds == sitting.names(deal, "Bob")[1:]
    for bird in birds:
        names = sitting.names(deal, bird.upper())
        assert len(names) == 5
        assert not any(alike(bird, other) for other in names[1:])


@pytest.mark.parametrize("family", FAMILIES)
def test_an_outcome_is_what_the_hand_came_to(family: str) -> None:
    for day in DAYS:
        deal = deal_of(SECRET, day, family)
        hand = sitting.dealt(deal).act_all(played(deal))
        told = sitting.outcome_of(deal, played(deal))
        assert (told.bid, told.call, told.made) == (hand.bid, hand.call, hand.made)
        assert hand.score is not None
        assert told.points == hand.score[0]
        assert hand.sides is not None
        assert told.ours == (0 in hand.sides[0])
        assert hand.points is not None
        assert told.took == hand.points[0]
        record = sitting.record_of(deal, played(deal), "Ann", ended=False)
        assert record.extra == {"bots": [None, *["club"] * (deal.rules.seats - 1)]}
        assert record.hands[0].extra["proof"]["key"] is None
