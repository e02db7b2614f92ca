"""The search uses nothing that its seat cannot know.

Two closed cards that a seat has not seen change places throughout the hand, in the deal and in what
is written down. Where that leaves the open table as it was, the seat must think the very same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from tests.search.positions import FEW, scripted

from rookery.cards import card_name
from rookery.engine.state import Hidden
from rookery.game import BadAction, BadDeal, Hand, IllegalAction
from rookery.rules import load
from rookery.search.choice import Choice
from rookery.search.searcher import Searcher


def exchanged(hand: Hand, one: int, other: int) -> Hand | None:
    """Return the hand with two cards in each other's place; None where that cannot be."""
    pack = hand.rules.pack
    swap = {one: other, other: one}
    try:
        new = Hand.deal(
            hand.rules,
            hand.dealer,
            [[card_name(swap.get(c, c), pack) for c in cards] for cards in hand.dealt],
            [card_name(swap.get(c, c), pack) for c in hand.nest_dealt],
        )
        for action in hand.actions:
            cards = tuple(swap.get(card, card) for card in action.cards)
            new = new.act(replace(action, cards=cards))
    except (BadAction, BadDeal, IllegalAction):
        return None
    return new


def twins(name: str, seed: int, every: int = 1) -> Iterator[tuple[Hand, Hand]]:
    """Yield pairs of hands that the seat to act cannot tell apart, at some of the decisions."""
    rng = Random(seed)
    way = scripted(Hand.shuffled(load(name), dealer=0, seed=seed))
    for hand in islice(way, 0, None, every):
        me, hidden = hand.to_act or 0, hand.hidden
        if hand.phase == "nest" and hand.state.discarded:
            continue  # a discard that is not yet whole is in no record
        closed = [
            card
            for place, cards in enumerate((*hidden.hand, hidden.nest))
            for card in range(57)
            if cards >> card & 1 and place not in (me, hand.turn)
        ]
        for _ in range(12):
            other = exchanged(hand, *rng.sample(closed, 2)) if len(closed) > 1 else None
            if (
                other is not None
                and other.state == hand.state
                and known_to(me, hand) == known_to(me, other)
                and other.hidden != hidden
            ):
                yield hand, other
                break


def known_to(seat: int, hand: Hand) -> tuple[object, ...]:
    """Return what of the closed cards a seat knows."""
    hidden, state = hand.hidden, hand.state
    own = seat == state.declarer and hidden.pickup != 0
    return (
        hidden.hand[seat],
        hidden.hand[state.dummy] if state.dummy >= 0 else 0,
        (hidden.nest, hidden.pickup) if own else None,
    )


def weighed(hand: Hand) -> list[Choice]:
    player = Searcher(hand.rules, hand.to_act or 0, FEW)
    player.begin(hand, 11)
    return player.weigh(hand)


@pytest.mark.parametrize(
    "name", ["kd_tournament", "call_partner_5", "one_low_180", "wanamingo", "buckeye"]
)
def test_what_a_seat_cannot_see_changes_nothing(name: str) -> None:
    pairs = [pair for seed in (1, 2) for pair in twins(name, seed, 2)]
    assert len(pairs) > 20
    for hand, other in pairs:
        assert weighed(hand) == weighed(other)


def test_a_bot_that_looks_at_hidden_cards_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    # The control: this one draws the true hands.
    truth: list[Hidden] = []

    def peep(*given: object) -> None:
        from rookery.engine.state import copy_hidden

        table, world = given[0], next(one for one in given if isinstance(one, Hidden))
        copy_hidden(table, truth[0], world)  # type: ignore[arg-type]

    for name in ("kernels.draw_world", "kernels.draw_likely_world", "worlds.draw_world"):
        monkeypatch.setattr(f"rookery.search.{name}", peep)
    caught = 0
    for hand, other in list(twins("kd_tournament", 1))[::4]:
        found = []
        for one in (hand, other):
            truth[:] = [one.hidden]
            found.append(plainly(one))
        caught += found[0] != found[1]
    assert caught


def test_what_cards_tell_is_open_to_all() -> None:
    pairs = [pair for pair in twins("call_partner_5", 1, 3) if pair[0].phase == "play"]
    assert len(pairs) > 3
    assert any(plainly(hand) != plainly(hand, plays="weighed") for hand, _ in pairs)
    for hand, other in pairs:
        assert plainly(hand, plays="weighed") == plainly(other, plays="weighed")


def plainly(hand: Hand, **more: str) -> list[Choice]:
    from rookery.search.search import Search

    options = {"rollouts": "6", "ms": "600000", **more}
    player = Searcher(hand.rules, hand.to_act or 0, options, Search(hand.table, "python"))
    player.begin(hand, 11)
    return player.weigh(hand)
