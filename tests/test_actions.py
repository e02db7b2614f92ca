"""Actions as objects and texts, and what `in hand.legal()` answers in every phase."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import FrozenInstanceError, replace
from itertools import combinations, islice
from random import Random

import pytest
from tests.laws.playing import positions

from rookery.bots.external import ExternalPlayer
from rookery.bots.player import fallback_action
from rookery.cards import pack_cards, unpack
from rookery.engine.trick import following
from rookery.game import Action, BadAction, Hand, IllegalAction, Verb
from rookery.game.legal import legal_numbers
from rookery.rules import Rules, catalog, load, variant
from rookery.view import view_of

KD = load("kd_tournament")


def first(rules: Rules, phase: str, seed: int = 1) -> Hand:
    return next(hand for hand in positions(rules, seed) if hand.phase == phase)


def test_a_verb_says_whether_everybody_sees_the_whole_action() -> None:
    assert {verb for verb in Verb if not verb.public} == {Verb.DISCARD, Verb.GIVE}


@pytest.mark.parametrize("rules", ["kd_tournament", "circus"])
def test_views_and_programs_are_told_public_actions_only(rules: str) -> None:
    secret = 0
    for hand in positions(variant(rules), 3):
        said = [str(action) for action in hand.actions if action.verb.public]
        for seat in (None, *range(4)):
            calls = view_of(hand, seat).calls
            assert calls == [text for text in said if Verb.of(text) is not Verb.PLAY]
        told = Told(hand.rules)
        told._send_events(hand)
        for action, text in zip(hand.actions, told.texts, strict=True):
            shown = action.verb.public or action.seat == 0
            assert text == (str(action) if shown else None)
            secret += not shown
    assert secret


class Told(ExternalPlayer):
    """A program in seat 0 that is told things, and is not there."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(["none"], rules, 0, 1)
        self.texts: list[str | None] = []

    def _send(self, **message: object) -> None:
        event = json.loads(json.dumps(message))["event"]
        self.texts.append(event["text"])


def test_an_action_is_frozen_and_comes_back_from_a_pickle() -> None:
    action = Action(2, Verb.PLAY, (17,))
    with pytest.raises(FrozenInstanceError):
        action.seat = 1  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(action)) == action  # noqa: S301  (our own bytes)
    assert {action: 1}[Action.parse("2 play G5")] == 1


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"verb": Verb.BID}, "bad-action"),
        ({"verb": Verb.BID, "amount": 70, "cards": (1,)}, "bad-action"),
        ({"verb": Verb.PASS, "amount": 70}, "bad-action"),
        ({"verb": Verb.PLAY}, "bad-action"),
        ({"verb": Verb.PLAY, "cards": (1, 2)}, "bad-action"),
        ({"verb": Verb.PLAY, "cards": (57,)}, "unknown-card"),
        ({"verb": Verb.DISCARD}, "bad-action"),
        ({"verb": Verb.TRUMP, "call": "spades"}, "bad-action"),
        ({"verb": Verb.LEADER, "target": 8}, "bad-action"),
        ({"verb": Verb.ROOK, "rank": "High"}, "bad-action"),
        ({"verb": Verb.BID, "amount": "moon"}, "bad-action"),
        ({"verb": Verb.BID, "amount": 70.0}, "bad-action"),
        ({"verb": Verb.PASS, "seat": -1}, "bad-action"),
        ({"verb": "pass"}, "bad-action"),
    ],
)
def test_an_action_that_makes_no_sense_cannot_be_made(fields: dict[str, object], code: str) -> None:
    with pytest.raises(BadAction) as caught:
        Action(**{"seat": 1, **fields})  # type: ignore[arg-type]
    assert caught.value.code == code


def test_a_seat_that_the_table_lacks_is_refused() -> None:
    hand = Hand.shuffled(KD, 0, 1)
    for action in (Action(5, Verb.PASS), Action(1, Verb.CHALLENGE, target=6)):
        with pytest.raises(BadAction):
            hand.act(action)
        assert action not in hand.legal()


@pytest.mark.parametrize("name", catalog())
def test_in_answers_what_act_does(name: str) -> None:
    """Try actions of every phase in every phase, by every seat."""
    rng, rules = Random(5), variant(name)
    seen = list(positions(rules, 5))
    tried = [action for hand in seen for action in hand.actions]
    for hand in rng.sample(seen, min(12, len(seen))):
        own = next(iter(hand.legal()), None)
        some = [*rng.sample(tried, min(12, len(tried))), *([own] if own else [])]
        for action in some:
            allowed = True
            try:
                hand.act(action)
            except IllegalAction:
                allowed = False
            answers = [action in hand.legal(seat) for seat in range(rules.seats)]
            assert sum(answers) == allowed
            assert (str(action) in hand.legal()) == (action in hand.legal())


def test_a_proven_challenge_is_legal_and_listed_nowhere() -> None:
    rules = load({"base": "kd_tournament", "renege": "penalised"})
    hand = first(rules, "play", 2)
    while not hand.hidden.revoked:
        held = pack_cards(hand.cards_held[hand.turn or 0])
        wrong = held & ~following(hand.table, hand.state, held)
        hand = hand.act(Action(hand.turn or 0, Verb.PLAY, (next(unpack(wrong or held)),)))
    guilty = hand.hidden.revoked.bit_length() - 1
    accuser = (guilty + 1) % 4
    proven = Action(accuser, Verb.CHALLENGE, target=guilty)
    assert proven in hand.legal(accuser)
    assert proven not in hand.legal(guilty)
    assert Action(guilty, Verb.CHALLENGE, target=accuser) not in hand.legal(guilty)
    assert all(proven not in hand.legal(seat).actions for seat in range(4))


def test_cards_that_go_together_are_a_choice() -> None:
    hand = first(KD, "nest")
    legal = hand.legal()
    assert legal.choice is not None
    assert (legal.choice.verb, legal.choice.least, legal.choice.most) == (Verb.DISCARD, 5, 5)
    assert legal.actions == ()
    assert legal
    action = next(iter(legal))
    assert hand.act(action).phase == "trump"
    assert replace(action, cards=action.cards[:4]) not in legal
    assert replace(action, cards=(*action.cards[:4], action.cards[0])) not in legal
    assert not hand.legal((hand.to_act or 0) + 1 & 3)


@pytest.mark.parametrize("part", [{"up_to": 1}, {"up_to": 2}, {"exactly_or_none": 3}])
def test_a_new_nest_that_is_exchanged_in_part_is_listed_once(part: dict[str, int]) -> None:
    hand = first(load({"base": "kd_tournament", "nest_exchange": part}), "nest")
    while hand.phase == "nest":  # discarding card by card, as programs do
        legal = hand.legal()
        assert legal.choice is not None
        listed = [action.cards for action in legal]
        groups = combinations(legal.choice.cards, legal.choice.least)
        taken = {cards for cards in groups if Action(hand.state.turn, Verb.DISCARD, cards) in legal}
        assert len(listed) == len(taken)
        assert set(listed) == taken
        hand = hand.do(legal_numbers(hand.table, hand.state, hand.hidden)[-1])


def test_a_list_of_new_nests_has_not_to_be_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 30 cards and a nest of 21, one of millions of groups may be the only one that is legal."""
    looked = []

    def counted(cards: Iterable[int], size: int) -> Iterator[tuple[int, ...]]:
        for group in combinations(cards, size):
            looked.append(group)
            assert len(looked) < 100
            yield group

    few = {"hand_size": 9, "nest_size": 21, "nest_exchange": {"up_to": 1}}
    hand = first(load({"base": "kd_full_57", **few}), "nest")
    monkeypatch.setattr("rookery.game.legal.combinations", counted)
    assert len(list(islice(hand.legal(), 20))) == 20
    assert hand.act(fallback_action(hand)).phase != "nest"


def test_what_is_no_action_is_not_legal() -> None:
    legal = Hand.shuffled(KD, 0, 1).legal()
    for nonsense in ("", "pass", "1 fly", "9 pass", 70, None, "1 play R99"):
        assert nonsense not in legal


def test_an_action_of_the_other_pack_is_read_by_its_cards() -> None:
    rules = variant("kd_standard_cards")
    hand = first(rules, "play")
    action = hand.legal().actions[0]
    same = Action(action.seat, Verb.PLAY, action.cards)
    assert same == action
    assert same in hand.legal()
    assert str(hand.act(same).actions[-1]) == str(action)
