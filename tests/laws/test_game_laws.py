"""What holds in every position of every variant, whoever plays and however badly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.laws.house import CHANGES, with_changes
from tests.laws.playing import positions, random_action

from rookery import record
from rookery.bots.random_bot import random_action as bot_action
from rookery.bots.seat_info import SeatInfo, observe
from rookery.cards import Pack, pack_cards, unpack
from rookery.engine.actions import apply
from rookery.engine.card_sets import points_of
from rookery.engine.rng import seeded
from rookery.engine.state import PLAY, Hidden, State
from rookery.game import Action, Hand, Match, Verb
from rookery.game.action import call_words
from rookery.rules import Rules, catalog, variant
from rookery.rules.order import NOTRUMP, ROOK_LOW, ROWS, SUITS
from rookery.rules.table import RuleTable, compile_rules

VARIANTS = pytest.mark.parametrize("name", catalog())
SEEDS = range(3)


def places_of_cards(hand: Hand) -> list[int]:
    """Return the sets of cards that lie apart from one another."""
    s, h = hand.state, hand.hidden
    return [*h.hand[: hand.rules.hands], h.nest, *s.captured[: hand.rules.hands], s.trick_cards]


def lost_points(hand: Hand) -> int:
    """Return the counters that no side takes: a blind hand's tricks, a nest that nobody gets."""
    rules, last = hand.rules, hand.tricks[-1]
    lost = sum(trick.points for trick in hand.tricks if trick.winner == rules.seats)
    awarded = {
        "last_trick": last.winner < rules.seats,
        "declarer": hand.declarer is not None,
        "nobody": False,
    }[rules.nest_points_to]
    return lost if awarded else lost + points_of(hand.table, hand.hidden.nest)


def possible_bonuses(hand: Hand) -> set[int]:
    """Return what the bonuses of all sides together may come to."""
    rules, value = hand.rules, hand.rules.trick_bonus_value
    by_seats = [trick for trick in hand.tricks if trick.winner < rules.seats]
    if rules.trick_bonus == "per_trick":
        return {value * len(by_seats)}
    if rules.trick_bonus == "last_trick":
        return {value if hand.tricks[-1].winner < rules.seats else 0}
    if rules.trick_bonus == "none":
        return {0}
    return {0, value}


def check_position(hand: Hand) -> None:
    places = places_of_cards(hand)
    there = sum(place.bit_count() for place in places)
    assert there == hand.rules.cards, "a card is gone, or there twice"
    assert sum(places) == pack_cards(hand.rules.deck), "a card is gone, and another there twice"
    assert (hand.to_act is None) == hand.over, "nobody is to act, or somebody when it is over"
    legal = hand.legal()
    assert bool(legal) != hand.over, "nothing is legal, or something when it is over"
    for action in islice(legal, 3):
        after = hand.act(action).actions
        assert after == (*hand.actions, action), f"{action} becomes {after[-1:]}"
        assert hand.act(str(action)).actions == after, f"{action} is read as another action"
        assert action in legal
        assert str(action) in legal
        for seat in set(range(hand.rules.seats)) - {hand.to_act}:
            assert action not in hand.legal(seat)


def check_end(hand: Hand) -> None:
    if hand.phase == "redealt":
        assert hand.points is None
        assert hand.score is None
        return
    assert hand.points is not None
    assert hand.sides is not None
    assert sorted(seat for side in hand.sides for seat in side) == list(range(hand.rules.seats))
    assert len(hand.tricks) == hand.rules.hand_size
    bonus = sum(hand.points) - sum(hand.rules.card_points.values()) + lost_points(hand)
    if hand.rules.trick_bonus == "majority" and hand.rules.tied_majority == "split":
        assert 0 <= bonus <= hand.rules.trick_bonus_value
    else:
        assert bonus in possible_bonuses(hand)


def looked_through(rules: Rules, seed: int) -> tuple[int, str]:
    """Look at every position of a hand that is played at random.

    Returns:
        how many there were, and what is wrong with the last of them: nothing in a sound game.
    """
    looked = 0
    hand: Hand | None = None
    try:
        for hand in positions(rules, seed):
            looked += 1
            check_position(hand)
        if hand is not None:
            check_end(hand)
    except AssertionError as error:
        return (
            looked,
            f"{'' if hand is None else hand.actions}: {str(error) or 'the end is not sound'}",
        )
    return looked, ""


@contextmanager
def a_card_lost() -> Iterator[None]:
    """Have the second card of each trick vanish."""

    def losing(table: RuleTable, s: State, h: Hidden, number: int) -> None:
        apply(table, s, h, number)
        if s.phase == PLAY and s.trick_size == 2:
            s.trick_cards &= s.trick_cards - 1

    with patch("rookery.game.hand.apply", losing):
        yield


@VARIANTS
def test_every_position_is_sound_and_every_hand_ends(name: str) -> None:
    for seed in SEEDS:
        looked, wrong = looked_through(variant(name), seed)
        assert not wrong
        assert looked


@VARIANTS
def test_the_control_a_card_that_is_lost_in_play_is_missed(name: str) -> None:
    with a_card_lost():
        found = (looked_through(variant(name), seed)[1] for seed in range(12))
        assert any("a card is gone" in wrong for wrong in found)


@VARIANTS
def test_a_record_plays_again_to_the_same(name: str) -> None:
    rules = variant(name)
    match = Match(rules, [f"Player {seat}" for seat in range(rules.seats)])
    rng = Random(name)
    for seed in SEEDS:
        match = match.shuffled(seed)
        while match.hand is not None and not match.hand.over:
            match = match.act(random_action(match.hand, rng))
        if match.winners is not None:
            break
    text = record.dumps(record.of_match(match))
    again = record.replay(record.loads(text))
    assert record.document(again) == record.document(match)
    assert again.players == match.players
    assert record.dumps(record.of_match(again)) == text


@VARIANTS
def test_a_bot_and_its_record_play_the_same_hand(name: str) -> None:
    rules = variant(name)
    for seed in SEEDS:
        played = bot_hand(rules, seed)
        again = dealt = Hand.shuffled(rules, played.dealer, seed)
        for action in played.actions:
            again = again.act(action)
        at_once = dealt.act_all(played.actions)
        assert again.status() == played.status() == at_once.status()
        assert again.begun == at_once.begun
        assert again.actions == played.actions


def bot_hand(rules: Rules, seed: int) -> Hand:
    """Return a hand that the random bot has played, a number of the engine at a time."""
    hand = Hand.shuffled(rules, 0, seed)
    mine = SeatInfo(rng=seeded(seed, 1))
    while not hand.over:
        state = hand.state
        observe(hand.table, state, hand.hidden, mine)
        hand = hand.do(bot_action(hand.table, state, mine))
    return hand


@VARIANTS
def test_an_action_leaves_the_hand_it_was_made_in_alone(name: str) -> None:
    before: list[tuple[Hand, dict[str, Any]]] = []
    for hand in positions(variant(name), 5):
        before.append((hand, hand.status()))
    for hand, status in before:
        assert hand.status() == status


@VARIANTS
def test_the_order_in_which_discards_are_written_does_not_count(name: str) -> None:
    for hand in positions(variant(name), 6):
        if hand.phase in ("nest", "call"):
            action = list(islice(hand.legal(), 40))[-1]
            turned = replace(action, cards=action.cards[::-1])
            assert turned in hand.legal()
            assert hand.act(turned).status() == hand.act(action).status()


@given(
    base=st.sampled_from(catalog()),
    changes=st.lists(st.sampled_from(CHANGES), max_size=6),
    seed=st.integers(0, 2**40),
)
def test_house_rules_keep_the_laws_and_their_records(
    base: str, changes: list[dict[str, Any]], seed: int
) -> None:
    rules = with_changes(base, changes)
    for hand in positions(rules, seed):
        places = places_of_cards(hand)
        assert sum(places) == pack_cards(rules.deck)
    check_end(hand)
    match = Match(rules).begin(hand)
    again = record.replay(record.loads(record.dumps(record.of_match(match))))
    assert again.rules == rules
    assert record.document(again) == record.document(Match(rules).begin(hand))


SEAT = st.integers(0, 3)
CARDS = st.lists(st.integers(0, 51), min_size=1, max_size=13, unique=True).map(tuple)
NO_CARD: st.SearchStrategy[tuple[int, ...]] = st.just(())
ONE_CARD = st.integers(0, 51).map(lambda card: (card,))
ACTIONS = st.one_of(
    st.builds(Action, SEAT, st.sampled_from((Verb.PASS, Verb.REDEAL))),
    st.builds(Action, SEAT, st.just(Verb.BID), amount=st.just("sun") | st.integers(0, 10**8)),
    st.builds(Action, SEAT, st.sampled_from((Verb.DISCARD, Verb.CALL)), CARDS),
    st.builds(Action, SEAT, st.sampled_from((Verb.GIVE, Verb.PLAY)), ONE_CARD),
    st.builds(Action, SEAT, st.just(Verb.ROOK), rank=st.sampled_from(("high", "low"))),
    st.builds(Action, SEAT, st.sampled_from((Verb.LEADER, Verb.CHALLENGE)), target=SEAT),
)
PACKS: st.SearchStrategy[Pack] = st.sampled_from(("rook", "standard"))


@st.composite
def actions(draw: st.DrawFn) -> Action:
    """Return any action that can be written in one of the packs."""
    pack = draw(PACKS)
    calls = st.builds(
        Action,
        SEAT,
        st.just(Verb.TRUMP),
        call=st.sampled_from(call_words(pack)),
        pack=st.just(pack),
    )
    return draw(calls | ACTIONS.map(lambda action: replace(action, pack=pack)))


@given(actions())
def test_an_action_is_read_as_it_is_printed(action: Action) -> None:
    text, pack = str(action), action.pack
    assert text == f"{action.seat} {action.words}"
    assert Verb.of(text) is action.verb
    assert Action.parse(text, pack, 4) == action
    assert Action.parse(text.upper(), pack, 4) == action
    assert Action.parse(f"  {text.lower()}\t", pack, 4) == action


def rises(table: RuleTable) -> bool:
    """Return whether of two cards of a suit the one with the higher number is never the weaker."""
    for row in range(ROWS):
        if table.calls >> row % ROOK_LOW & 1 or row == NOTRUMP:
            for cards in table.mask[row * SUITS : (row + 1) * SUITS]:
                ranked = [table.strength[row * 57 + card] for card in sorted(unpack(cards))]
                if ranked != sorted(ranked):
                    return False
    return True


@pytest.mark.parametrize("name", catalog())
def test_cards_are_compared_by_their_numbers_where_these_rise_with_the_ranks(name: str) -> None:
    table = compile_rules(variant(name))
    assert table.natural == rises(table)
    for change in CHANGES:
        table = compile_rules(with_changes(name, [change]))
        assert table.natural <= rises(table), change
