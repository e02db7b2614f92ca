"""Words are true of the position, and give no hidden card away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from tests.golden.dealt import played, ready
from tests.laws.house import CHANGES, with_changes
from tests.laws.playing import positions, random_action
from tests.review.truth import CLAIMS, fact_of

from rookery.bots.player import KernelPlayer
from rookery.cards import unpack
from rookery.engine.actions import BID, PASS
from rookery.game import Hand
from rookery.review.inference import Inference, infer
from rookery.review.mistakes import what_was_wrong
from rookery.review.reasons import REASONS, reason, why
from rookery.rules import Rules, catalog, load, variant
from rookery.search.choice import Choice
from rookery.server.table.audit import exchanged, unknown_to

PLAYED = ("kd_tournament", "call_partner_5", "one_low_180", "display", "house_001", "dixie_6")
# Said of what a search found, or of what happens in no game that is played here.
UNSAID = {"bid-chance", "bid-rather", "pass-chance", "challenge", "redeal-poor", "revoke"}
UNSAID |= {"pass-too-meek", "pass-let-them", "bid-let-them", "bid-dealer", "give-least"}


def scripted(rules: Rules, seed: int) -> Iterator[Hand]:
    """Yield a hand at each of its decisions while the club player plays it."""
    players = [KernelPlayer("club", seed, seat) for seat in range(rules.seats)]
    hand = Hand.shuffled(rules, seed % rules.seats, seed)
    while not hand.over:
        yield hand
        hand = players[hand.to_act or 0].move(hand)


def all_positions() -> Iterator[Hand]:
    for name in sorted(catalog()):
        for seed in range(2):
            yield from positions(variant(name), seed)
    for name in PLAYED:
        for seed in range(4):
            yield from scripted(load(name), seed)
    rng = Random(5)
    for seed in range(20):
        rules = with_changes(rng.choice(sorted(catalog())), rng.sample(CHANGES, 6))
        yield from positions(rules, seed)


def actions(hand: Hand, rng: Random) -> list[str]:
    """Return some legal actions of the seat to act, no two alike and no revoke."""
    found = {random_action(hand, rng) for _ in range(3)}
    lawful = fact_of(hand, "0 play")
    if hand.phase == "play":
        cards = lawful.lawful(lawful.own, lawful.table)
        found = {text for text in found if text.split()[2] in cards}
    return sorted(found)


def lies(hands: Iterator[Hand], seen: Counter[str] | None = None) -> list[str]:
    """Return what is said of some hands and is not true, each with its position."""
    rng = Random(3)
    found = []
    for hand in hands:
        if hand.over:
            continue
        texts = actions(hand, rng)
        told = [(why(hand, text), fact_of(hand, text)) for text in texts]
        told += [
            (what_was_wrong(hand, done, best, 0.4, 0.7), fact_of(hand, done, best))
            for pair in pairwise(texts)
            for done, best in (pair, pair[::-1])
        ]
        for given, fact in told:
            if seen is not None:
                seen[given.code] += 1
            if not CLAIMS[given.code](fact, given.about):
                found.append(f"{hand!r} {fact.done} {fact.best}: {given.text}")
    return found


def test_what_is_said_is_true_of_all_the_cards() -> None:
    seen: Counter[str] = Counter()
    assert lies(all_positions(), seen) == []
    assert sum(seen.values()) > 8000
    assert set(REASONS) - set(seen) <= UNSAID


def test_the_rook_may_give_a_trick_to_a_black_2_that_lies_in_it() -> None:
    hand = ready(load("black_2"), "B14", "B2 B4", "B1 B5", "RK", trump="black")
    for card in ("B4", "B2"):
        assert why(played(hand, f"B14 {card}"), "2 play B1").code == "win-now"


@pytest.mark.parametrize(
    ("led", "own", "last", "code"),
    [
        ("R5", "B2-7 Y6-12", "RK", "keep-counters"),
        ("R5", "B3-8 Y6-12", "RK B2", "cannot-win"),  # it has no black 2
        ("R5 RK", "B2-7 Y6-12", "Y13", "keep-counters"),  # it does not know who has the Rook
    ],
)
def test_a_black_2_may_yet_take_what_the_rook_comes_to(
    led: str, own: str, last: str, code: str
) -> None:
    hand = played(ready(load("black_2"), led, "R14", own, last, trump="green"), "R5 R14")
    assert why(hand, "2 play Y6").code == code


def test_a_seat_that_takes_the_others_for_empty_handed_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The control: it thinks that nobody else holds anything.
    def nothing(sight: Inference, place: int) -> int:
        return sight.own_cards if place == sight.seat else 0

    monkeypatch.setattr(Inference, "may_hold", nothing)
    found = lies(hand for seed in range(3) for hand in scripted(load("kd_tournament"), seed))
    assert any("can beat" in lie for lie in found)
    assert any("no trumps left" in lie for lie in found)


def test_what_some_of_the_others_may_hold_is_what_each_of_them_may_hold() -> None:
    every = (1 << 57) - 1
    for hand in scripted(load("kd_tournament"), 3):
        known = infer(hand)
        apart = [known.with_others(every, 1 << place) for place in range(4)]
        for place, found in enumerate(apart):
            assert found == (known.may_hold(place) if known.others >> place & 1 else 0)
        assert known.with_others(every) == apart[0] | apart[1] | apart[2] | apart[3]


@pytest.mark.parametrize("renege", ["prevented", "penalised"])
def test_who_did_not_follow_lacks_the_suit_only_where_they_had_to_follow(renege: str) -> None:
    rules = load({"base": "kd_tournament", "renege": renege})
    hand = played(ready(rules, "R5", "G6-14", "B5", "B6", trump="yellow"), "R5 G6")
    known = infer(hand)
    red = known.suit(known.state.led)
    assert known.may_hold(3) & red
    assert bool(known.may_hold(1) & red) == (renege == "penalised")


@pytest.mark.parametrize("name", sorted(catalog()))
def test_a_reason_stands_in_every_world_that_its_seat_cannot_tell_apart(name: str) -> None:
    rng = Random(name)
    for hand in positions(variant(name), 3):
        seat = hand.to_act
        if seat is None or hand.dummy is not None:
            continue
        text, other = random_action(hand, rng), random_action(hand, rng)
        hidden = list(unpack(unknown_to(hand, seat)))
        if len(hidden) > 1:
            twin = exchanged(hand, *rng.sample(hidden, 2))
            assert why(twin, text) == why(hand, text)
            wrong = what_was_wrong(hand, text, other, 0.4, 0.6)
            assert what_was_wrong(twin, text, other, 0.4, 0.6) == wrong


def test_every_sentence_is_full_and_has_its_translation_parts() -> None:
    about: dict[str, str | int] = {
        "card": "R14",
        "suit": "red",
        "points": 20,
        "percent": 35,
        "cards": 5,
    }
    for code, template in REASONS.items():
        gaps = template.replace("{amount}", "{points}")
        used = {name: value for name, value in about.items() if f"{{{name}}}" in gaps}
        text = reason(code, **used).text
        assert text.endswith(".")
        assert "{" not in text
        assert "None" not in text
        if "{amount}" in template:
            assert "1 point " in reason(code, points=1).text.replace(",", " ").replace(".", " ")


def test_a_call_says_how_likely_it_is() -> None:
    hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    lowest, higher = Choice(BID, 9, 2.0, 0.35), Choice(BID + 2, 9, 4.0, 0.71)
    passed = Choice(PASS, 9, 1.0, None)
    assert why(hand, "1 bid 80", [higher, lowest, passed]).about == {"percent": 71}
    assert why(hand, "1 pass", [passed, lowest]).about == {"points": 70, "percent": 35}
    assert why(hand, "1 bid 70", [lowest, passed]).code == "bid-worth"
    after = hand.act("1 bid 75")
    rather = [Choice(BID + 3, 9, 2.0, 0.4), passed]
    assert why(after, "2 bid 85", rather).about == {"points": 75}
    for dealer in range(4):  # whoever has bid before
        turned = Hand.shuffled(load("kd_tournament"), dealer=dealer, seed=7)
        turned = turned.act(f"{turned.turn} bid 75")
        assert why(turned, f"{turned.turn} bid 85", rather).about == {"points": 75}
    wait = [Choice(PASS, 9, 3.0, None), Choice(BID + 2, 9, 2.0, 0.8)]
    assert why(after, "2 pass", wait).code == "pass-let-them"
    wrong = what_was_wrong(after, "2 bid 80", "2 pass", 0.8)
    assert (wrong.code, wrong.about) == ("bid-let-them", {"points": 75})
    meek = what_was_wrong(after, "2 pass", "2 bid 80", None, 0.3)
    assert meek.code == "pass-too-meek"


def test_a_redeal_and_a_revoke_are_told_as_they_are() -> None:
    rules = load({"base": "kd_tournament", "renege": "penalised"})
    hand = next(
        hand
        for hand in scripted(rules, 2)
        if hand.phase == "play"
        and len(fact_of(hand, "0 play").lawful(fact_of(hand, "0 play").own, hand.names(hand.trick)))
        < len(hand.legal().actions) - 2
    )
    fact = fact_of(hand, "0 play")
    revoke = next(c for c in fact.own if c not in fact.lawful(fact.own, fact.table))
    assert why(hand, f"{hand.turn} play {revoke}").code == "revoke"
    assert why(hand, f"{hand.turn} redeal").text == "You don't have a single counter."


def test_a_bid_where_the_dealer_would_have_been_stuck_says_so() -> None:
    hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    assert hand.rules.all_pass == "dealer"  # noqa: S105
    passed, low = Choice(PASS, 9, 4.0, None), Choice(BID, 9, 2.0, 0.8)
    assert why(hand, "1 pass", [passed, low]).code == "pass-dealer"
    assert what_was_wrong(hand, "1 bid 70", "1 pass", 0.8).code == "bid-dealer"
    across = hand.act("1 pass")  # now it is the dealer's partner who has the choice
    assert why(across, "2 pass", [passed, low]).code == "pass-open"
    assert what_was_wrong(across, "2 bid 70", "2 pass", 0.8).code == "worse"
