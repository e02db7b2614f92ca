"""Short ways to lay out a hand, bring it to the table and play it.

Seats name only the cards that matter; the rest of the deck fills them up. Unless told otherwise the
last seat deals, so that seat 0 speaks first and, where the dealer's left leads, leads too.
"""

from __future__ import annotations

import pytest

from rookery.cards import Card, by_suit, card_at, card_name, colour_of, parse_card, rank_of
from rookery.game import Hand, IllegalAction, Match
from rookery.rules import Rules, load


def house(base: str, **changes: object) -> Rules:
    """Return a variant with some options changed."""
    return load({"base": base, **changes})


def cards(text: str, rules: Rules) -> list[str]:
    """Return the cards of a text; ``R6-9`` stands for R6 R7 R8 R9."""
    found: list[Card] = []
    for word in text.split():
        first, _, last = word.partition("-")
        low = parse_card(first, rules.pack)
        high = parse_card(first[0] + last, rules.pack) if last else low
        if low == high:
            found.append(low)
        else:
            ranks = range(rank_of(low), rank_of(high) + 1)
            found += [card_at(colour_of(low), rank) for rank in ranks]
    return [card_name(card, rules.pack) for card in found]


def dealt(rules: Rules, *hands: str, nest: str = "", dealer: int = -1) -> Hand:
    """Deal named cards to seats 0, 1, ... and the nest, then the rest of the deck, suit by suit."""
    named = [cards(hand, rules) for hand in hands]
    named += [[] for _ in range(rules.hands - len(hands))]
    laid = cards(nest, rules)
    taken = {name for hand in [*named, laid] for name in hand}
    deck = [card_name(card, rules.pack) for card in by_suit(sum(1 << c for c in rules.deck))]
    rest = iter([name for name in deck if name not in taken])
    for hand in named:
        hand += [next(rest) for _ in range(rules.hand_size - len(hand))]
    return Hand.deal(rules, dealer % rules.seats, named, [*laid, *rest])


def said(hand: Hand, *words: str) -> Hand:
    """Let whoever's turn it is say these words, one after the other."""
    for action in words:
        assert hand.turn is not None
        hand = hand.act(hand.turn, action)
    return hand


def bought(hand: Hand, seat: int, bid: int | str | None = None) -> Hand:
    """Let `seat` bid once, the minimum unless told, and everybody else pass."""
    asked = hand.rules.bid_minimum if bid is None else bid
    while hand.phase == "auction":
        mine = hand.turn == seat and hand.state.bidder != seat
        hand = said(hand, f"bid {asked}" if mine else "pass")
    assert (hand.declarer, hand.bid) == (seat, asked)
    return hand


def declared(
    hand: Hand,
    trump: str = "red",
    *,
    seat: int = 0,
    bid: int | str | None = None,
    discard: str = "",
    partner: str = "",
    rook: str = "high",
) -> Hand:
    """Let `seat` win the auction and declare; it discards the old nest, or `discard`."""
    hand = bought(hand, seat, bid)
    while hand.phase not in ("play", "circus"):
        if hand.phase == "nest":
            names = cards(discard, hand.rules) if discard else hand.names(hand.nest_dealt)
            hand = said(hand, f"discard {' '.join(names)}")
        elif hand.phase == "call":
            choice = hand.legal().choice
            assert choice is not None
            hand = said(hand, f"call {partner or hand.names(choice.cards)[0]}")
        elif hand.phase == "rook":
            hand = said(hand, f"rook {rook}")
        else:
            hand = said(hand, f"leader {seat}" if hand.phase == "leader" else f"trump {trump}")
    return hand


def ready(rules: Rules, *hands: str, trump: str = "red", nest: str = "") -> Hand:
    """Return a hand of seat 0 at the first lead."""
    return declared(dealt(rules, *hands, nest=nest), trump)


def played(hand: Hand, text: str) -> Hand:
    """Play cards in turn; ``?`` is the first legal card of the hand as it was dealt."""
    for word in text.split():
        hand = said(hand, f"play {_first_as_dealt(hand) if word == '?' else word}")
    return hand


def played_out(hand: Hand) -> Hand:
    """Play to the end, each seat always the first legal card of its hand as it was dealt."""
    while not hand.over:
        hand = played(hand, "?")
    return hand


def _first_as_dealt(hand: Hand) -> str:
    assert hand.turn is not None
    order = hand.names((*hand.dealt[hand.turn], *hand.nest_dealt))
    return next(name for name in order if name in may_play(hand))


def won_by(hand: Hand, text: str) -> int:
    """Return who wins the trick that these cards make."""
    return played(hand, text).tricks[-1].winner


def may_play(hand: Hand) -> set[str]:
    """Return the cards that the seat to act may play, give or lay into the nest."""
    legal = hand.legal()
    cards = legal.choice.cards if legal.choice else [action.card for action in legal.actions]
    return set(hand.names(cards))


def held(hand: Hand, seat: int) -> set[str]:
    """Return the cards that a seat holds."""
    return set(hand.names(hand.cards_held[seat]))


def bids(hand: Hand) -> list[int]:
    """Return the bids in points that the seat to act may make."""
    amounts = [action.amount for action in hand.legal().actions]
    return [amount for amount in amounts if isinstance(amount, int)]


def refusal(hand: Hand, action: str) -> str:
    """Return the code with which an action is refused."""
    with pytest.raises(IllegalAction) as caught:
        hand.act(action)
    return caught.value.code


def resumed(rules: Rules, *totals: int) -> Match:
    """Return a match that stands at these totals, seat 0 to deal."""
    match = Match(rules)
    match.totals = totals
    return match
