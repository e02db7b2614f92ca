"""A hand kept as bytes is the hand that the engine plays, on every target and in every thread."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("numpy")

from tests.envs.following import wrong_in

from rookery.cards import pack_cards
from rookery.engine.state import AUCTION, PLAY
from rookery.engine.targets import MissingTarget, Target, native
from rookery.envs.acting import OVER, act
from rookery.envs.positions import (
    UNDEALT,
    Positions,
    alike,
    choices,
    dealt_to,
    decider,
    done,
    lies_closed,
    lies_open,
    phase_of,
)
from rookery.game import Hand
from rookery.rules import catalog, load

try:
    native.check(act)
    HERE: tuple[Target, ...] = ("native",)
except MissingTarget:
    HERE = ()


def walk(positions: Positions, seed: int) -> Iterator[bytes]:
    """Yield the positions of a hand of random actions, from the deal to the end."""
    dice, position = random.Random(seed), positions.dealt(seed)
    yield position
    while choices(position):
        after = positions.after(position, dice.choice(choices(position)))
        assert after is not None
        position = after
        yield position


@pytest.mark.parametrize("name", catalog())
def test_a_position_is_where_the_hand_stands(name: str) -> None:
    rules = load(name)
    positions = Positions(rules, dealer=1)
    for seed in range(3):
        dice = random.Random(seed)
        hand = Hand.shuffled(rules, 1, seed)
        if hand.over:
            continue  # dealt again
        position = positions.dealt(seed)
        while not hand.over:
            assert decider(position) == hand.to_act
            assert choices(position) == hand.legal_numbers()
            seat = len(hand.actions) % rules.seats
            assert wrong_in(positions.seen(position, seat), hand, seat) == []
            action = dice.choice(choices(position))
            after = positions.after(position, action)
            assert after is not None
            position, hand = after, hand.do(action)
        assert decider(position) == OVER
        assert choices(position) == []
        assert len(list(done(position))) >= len(hand.actions)
        assert dealt_to(position)[: rules.seats] == tuple(
            map(pack_cards, hand.dealt[: rules.seats])
        )
        if hand.score is not None:
            assert list(lies_open(position, "score")[: rules.seats]) == hand.score
            assert sum(positions.margins(position)) == 0


@pytest.mark.parametrize("name", catalog())
@pytest.mark.parametrize("target", HERE)
def test_targets_agree_byte_for_byte(name: str, target: Target) -> None:
    one, other = (Positions(load(name), target=chosen) for chosen in (target, "python"))
    for mine, theirs in zip(walk(one, 4), walk(other, 4), strict=True):
        assert mine == theirs
        assert one.margins(mine) == other.margins(mine)
        seat = max(0, decider(mine))
        assert (one.seen(mine, seat) == other.seen(mine, seat)).all()
        assert one.told(mine, seat) == other.told(mine, seat)
        if choices(mine):
            drawn, again = (which.closed_cards(mine, seat, 9) for which in (one, other))
            assert list(drawn.hand) == list(again.hand)
            assert drawn.nest == again.nest


def test_an_action_gives_another_position_and_an_illegal_one_gives_none() -> None:
    positions = Positions(load("kd_tournament"))
    position = positions.dealt(3)
    before = bytes(position)
    assert positions.after(position, 3) is None
    assert positions.after(position, 10**12) is None
    assert positions.after(position, -1) is None
    after = positions.after(position, choices(position)[0])
    assert position == before != after
    assert after is not None
    assert not alike(position, after, 0)
    assert alike(position, position, 0)
    last = list(walk(positions, 3))[-1]
    assert positions.after(last, 3) is None


@pytest.mark.parametrize("target", [*HERE, "python"])
def test_positions_are_asked_for_in_any_order(target: Target) -> None:
    """What stands in the memory of a thread is the position that was asked for, not the last."""
    rules = load("circus")
    positions, dice = Positions(rules, target=target), random.Random(2)
    walked = list(walk(positions, 4))
    for _ in range(100):
        position = dice.choice(walked[:-1])
        for one in (position, dice.choice(walked)):
            other = Positions(rules, target=target)
            seat = dice.randrange(rules.seats)
            assert positions.after(position, choices(position)[0]) is not None
            assert (positions.seen(one, seat) == other.seen(one, seat)).all()
            assert positions.seen_ones(one, seat) == other.seen_ones(one, seat)
            assert positions.told(one, seat) == other.told(one, seat)
            assert positions.margins(one) == other.margins(one)
    assert positions.after(walked[0], 10**6) is None
    assert positions.after(walked[0], choices(walked[0])[0]) is not None


def test_before_the_deal_nobody_sees_anything() -> None:
    positions = Positions(load("kd_tournament"))
    assert decider(UNDEALT) == -1
    assert choices(UNDEALT) == []
    assert not positions.seen(UNDEALT, 2).any()
    assert positions.margins(UNDEALT) == [0, 0, 0, 0]


def test_the_same_seed_deals_the_same_and_no_dice_are_left_in_it() -> None:
    positions = Positions(load("circus"))
    assert positions.dealt(5) == positions.dealt(5) != positions.dealt(6)
    order = [card for hand in dealt_to(positions.dealt(5))[:4] for card in _cards(hand)]
    rest = [card for card in load("circus").deck if card not in order]
    assert positions.laid_out([*order, *rest]) == positions.dealt(5)


def test_the_nest_was_not_dealt_to_who_takes_it_up_with_the_deal() -> None:
    only = {"bid_minimum": 50, "bid_maximum": 50, "first_bidder": "dealer"}
    rules = load({"base": "kd_tournament", "auction_form": "dealer_opens", **only})
    for seed in range(5):
        position = Positions(rules, dealer=2).dealt(seed)
        told = [Positions(rules, dealer=2).told(position, seat) for seat in range(4)]
        assert phase_of(position) != AUCTION
        assert [one.dealt.bit_count() for one in told] == [rules.hand_size] * 4
        assert told[2].dealt | told[2].pickup == told[2].hand


def test_a_seat_does_not_forget_what_it_gave_to_its_left() -> None:
    rules = load({"base": "circus", "trump_calls": ["notrump", "circus"]})
    positions, asked = Positions(rules), 0
    for seed in range(12):
        for position in walk(positions, seed):
            played = lies_open(position, "played_by")
            if phase_of(position) != PLAY or not lies_open(position, "circus")[0]:
                continue
            for seat, card in enumerate(lies_closed(position, "gift")[:4]):
                left = (seat + 1) % 4
                if not played[left] >> card & 1:
                    world = positions.closed_cards(position, seat, asked)
                    assert world.hand[left] >> card & 1
                    asked += 1
            break
    assert asked > 10


def _cards(hand: int) -> list[int]:
    return [card for card in range(57) if hand >> card & 1]


def test_threads_do_not_get_into_each_others_way() -> None:
    positions = Positions(load("kd_tournament"))
    alone = [list(walk(positions, seed)) for seed in range(40)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: list(walk(positions, seed)), range(40)))
    assert together == alone
