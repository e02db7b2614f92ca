"""A claim of the rest: whether it is sure whatever the others hold, and how it is played out."""

from __future__ import annotations

from rookery.cards import ROOK, CardSet, pack_cards, unpack
from rookery.engine.state import PLAY, State
from rookery.engine.trick import beating, following
from rookery.game import Hand
from rookery.rules.order import BLACK_2, SUITS, TRUMP
from rookery.rules.table import RuleTable


def sure(hand: Hand, seat: int) -> bool:
    """Return whether `seat`, leading now, wins every trick with its own cards, come what may.

    Judged by what the claimer knows: every other card that may still be played could lie anywhere.
    While such a card is a trump, no plain card is sure.
    """
    s, h, table = hand.state, hand.hidden, hand.table
    if s.phase != PLAY or s.turn != seat or s.trick_size or s.dummy >= 0:
        return False
    mine = h.hand[seat]
    seen = mine | _gone(s)
    if seat == s.declarer:
        seen |= h.nest
    unseen = pack_cards(hand.rules.deck) & ~seen
    if table.black_2_beats_rook and mine >> ROOK & 1 and unseen >> BLACK_2 & 1:
        return False
    return all(_boss(table, s.row, card, unseen) for card in unpack(mine))


def played_out(hand: Hand, seat: int) -> Hand:
    """Return the hand after all its tricks: `seat` plays highest first, the others give way."""
    while not hand.over:
        hand = hand.do(_card(hand, seat))
    return hand


def _card(hand: Hand, seat: int) -> int:
    s, h, table = hand.state, hand.hidden, hand.table
    cards = following(table, s, h.hand[s.turn])
    if hand.to_act == seat:
        return max(unpack(cards), key=lambda card: _worth(table, s.row, card))
    if s.led >= 0:
        losing = cards & ~_winning(table, s, cards)
        cards = losing or cards
    return min(unpack(cards), key=lambda card: _worth(table, s.row, card))


def _worth(table: RuleTable, row: int, card: int) -> tuple[bool, int, int]:
    trump = table.suit[row * 57 + card] == TRUMP
    return trump, table.strength[row * 57 + card], -card


def _winning(table: RuleTable, s: State, cards: CardSet) -> CardSet:
    base = s.row * SUITS
    strong = cards & (table.mask[base + s.led] | table.mask[base + TRUMP])
    return beating(table, s, strong) if strong else 0


def _boss(table: RuleTable, row: int, card: int, unseen: CardSet) -> bool:
    suit = table.suit[row * 57 + card]
    rivals = unseen & (table.mask[row * SUITS + suit] | table.mask[row * SUITS + TRUMP])
    strength = table.strength[row * 57 + card]
    if suit != TRUMP and _trumps(table, row, unseen):
        return False
    return all(table.strength[row * 57 + rival] < strength for rival in unpack(rivals))


def _trumps(table: RuleTable, row: int, cards: CardSet) -> CardSet:
    return cards & table.mask[row * SUITS + TRUMP]


def _gone(s: State) -> CardSet:
    gone = s.trick_cards
    for cards in s.captured:
        gone |= cards
    return gone
