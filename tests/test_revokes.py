"""A revoke can be challenged by whoever has seen no more than the cards that were played."""

from __future__ import annotations

from random import Random

from tests.hands import AUCTION, after, dealt
from tests.laws.house import CHANGES, with_changes

from rookery.bots.player import KernelPlayer
from rookery.game import Hand
from rookery.game.revokes import challenge_of, shown_revoke
from rookery.rules import Rules, catalog

EVERYBODY = 0b1111
# Seat 2 holds green, and throws a red card on it.
REVOKED = [*AUCTION, "3 discard R5 R11 B8 B10 B11", "3 trump yellow", "1 play G10", "2 play R7"]


def test_a_revoke_shows_with_a_card_that_should_have_been_played() -> None:
    hand = after(dealt(renege="penalised"), *REVOKED)
    assert hand.hidden.revoked == 1 << 2
    assert (shown_revoke(hand), challenge_of(hand, EVERYBODY)) == (None, None)
    hand = after(hand, "3 play G14", "0 play G8", "3 play Y7", "0 play Y5", "1 play Y11")
    hand = after(hand, "2 play Y13", "2 play B5", "3 play R14", "0 play R6", "1 play B6")
    assert shown_revoke(hand) is None
    hand = after(hand, "1 play B7", "2 play G6")
    assert shown_revoke(hand) == 2
    assert [str(challenge_of(hand, seats)) for seats in (EVERYBODY, 0b1000, 0b0101)] == [
        *("1 challenge 2", "3 challenge 2", "None")
    ]
    ended = hand.act(challenge_of(hand, EVERYBODY) or "")
    assert ended.over
    assert shown_revoke(ended) is None


def test_whoever_had_no_choice_has_not_revoked() -> None:
    hand = after(dealt(), *REVOKED[:-1], "2 play G7")
    assert shown_revoke(hand) is None


def wild(rules: Rules, seed: int) -> list[Hand]:
    """Return the positions of a hand in which every fourth card is any that is held."""
    rng, hand = Random(seed), Hand.shuffled(rules, seed % rules.seats, seed)
    players = [KernelPlayer("club", seed, seat) for seat in range(rules.seats)]
    found = [hand]
    while not hand.over:
        if hand.phase == "play" and rng.random() < 0.25:
            hand = hand.do(rng.choice(hand.legal_numbers()))
        else:
            hand = players[hand.to_act or 0].move(hand)
        found.append(hand)
    return found


def test_what_shows_is_a_revoke_by_any_rules() -> None:
    rng, seen = Random(7), 0
    changes = [one for one in CHANGES if "renege" not in one]
    for seed in range(30):
        some = [*rng.sample(changes, seed % 3), {"renege": "penalised"}]
        for hand in wild(with_changes(rng.choice(catalog()), some), seed):
            offender = shown_revoke(hand)
            if offender is not None:
                assert hand.hidden.revoked >> offender & 1
                seen += 1
    assert seen > 100
