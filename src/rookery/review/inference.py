"""What the seat to act can infer: which cards are out, where they may lie, what can beat what.

All of it follows from the open table and the seat's own cards. So a reason built on it gives
nothing away, and it holds in every hand that the seat thinks possible.
"""

from __future__ import annotations

from dataclasses import dataclass

from rookery.bots.club.counting import friends
from rookery.bots.club.play import to_play
from rookery.bots.seat_info import SeatInfo, observe, observe_trick
from rookery.cards import ROOK, Card, CardSet, Pack, Seat, card_name, pack_cards, unpack
from rookery.engine.records import copy_of
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.trick import ROOK_AND_BLACK_2, beating, following, meeting, play_card
from rookery.game import Hand
from rookery.game.action import call_words
from rookery.rules.order import BLACK_2, SUITS, TRUMP
from rookery.rules.table import RuleTable
from rookery.solver.constraints import Constraints, find_constraints, note_own, relax


@dataclass(frozen=True)
class Inference:
    """A position as the seat to act knows it.

    Attributes:
        table: the rules.
        pack: what the cards are called by.
        state: the open table.
        seat: whose decision it is; the declarer for a dummy's card.
        cards: those of the place on turn: the dummy's for a dummy's card.
        own_cards: those of the seat.
        choice: the cards that may be played, discarded, called or given.
        constraints: where they can and must lie.
        friends: the places on its side as far as it can tell, itself among them.
    """

    table: RuleTable
    pack: Pack
    state: State
    seat: Seat
    cards: CardSet
    own_cards: CardSet
    choice: CardSet
    constraints: Constraints
    friends: int

    @property
    def others(self) -> int:
        """The places whose cards this seat does not play, as a mask."""
        places, own = self.table.seats + self.table.blind, 1 << self.seat | 1 << self.state.turn
        if self.state.dummy >= 0 and self.seat == self.state.declarer:
            own |= 1 << self.state.dummy
        return ((1 << places) - 1) & ~own

    def may_hold(self, place: int) -> CardSet:
        """Return the cards that `place` may hold now, as far as this seat can tell."""
        known = self.constraints
        if place == self.seat:
            return self.own_cards
        if place == self.state.turn:
            return self.cards
        return known.known[place] | (known.possible[place] if known.unseen_in[place] else 0)

    def with_others(self, cards: CardSet, places: int | None = None) -> CardSet:
        """Return those of `cards` that others, or others among `places`, may hold in hand."""
        possible = 0
        for place in unpack(self.others if places is None else self.others & places):
            possible |= cards & self.may_hold(place)
        return possible

    @property
    def trumps(self) -> CardSet:
        """All trumps of the pack; empty before the call."""
        return self.suit(TRUMP)

    def suit(self, suit: int) -> CardSet:
        """Return all cards of an effective suit; empty before the call."""
        row = self.state.row
        return self.table.mask[row * SUITS + suit] if row >= 0 else 0

    def suit_of(self, card: Card) -> int:
        """Return the effective suit of a card, after the call."""
        return self.table.suit[self.state.row * 57 + card]

    def name(self, card: Card) -> str:
        """Return the name of a card, as a record writes it."""
        return card_name(card, self.pack)

    def suit_name(self, suit: int) -> str:
        """Return the name of a colour or of an effective suit, such as ``green`` or ``trump``."""
        return "trump" if suit == TRUMP else call_words(self.pack)[suit]

    def strength(self, card: Card) -> int:
        """Return the strength of a card, after the call."""
        return self.table.strength[self.state.row * 57 + card]

    def stronger(self, card: Card, cards: CardSet) -> CardSet:
        """Return those of `cards` that are stronger than `card` in its own suit."""
        same = cards & self.suit(self.suit_of(card))
        return pack_cards(c for c in unpack(same) if self.strength(c) > self.strength(card))

    @property
    def behind(self) -> int:
        """The places that play to this trick after the one on turn, as a mask."""
        return to_play(self.table, self.state)

    def after(self, card: Card, place: int | None = None, state: State | None = None) -> State:
        """Return the open table after `card`, from the place on turn or another; no trick ends."""
        s = copy_of(state or self.state)
        hidden = Hidden()
        s.turn = s.turn if place is None else place
        s.trick_size = 0  # so that the trick stays on the table
        hidden.hand[s.turn] = self.may_hold(s.turn) | 1 << card
        play_card(self.table, s, hidden, card)
        return s

    def takes(self, card: Card) -> bool:
        """Return whether `card` goes ahead in the trick."""
        return self.after(card).best_place == self.state.turn

    def can_beat(self, trick: State, place: int) -> CardSet:
        """Return the cards with which `place` might go ahead in the trick of a state."""
        table, cards = self.table, self.may_hold(place)
        if not self.constraints.unseen_in[place] and place < table.seats:
            cards = following(table, trick, cards)
        rivals = cards & (self.suit(trick.led) | self.trumps)
        beats = beating(table, trick, rivals) if rivals else 0
        if table.black_2_beats_rook:
            beats = meeting(beats, cards, trick.trick_cards, 1 << ROOK, 1 << BLACK_2)
        return pack_cards(
            card for card in unpack(beats) if self.after(card, place, trick).best_place == place
        )

    def threats(self, card: Card, places: int) -> CardSet:
        """Return the cards with which some of the places behind might win after `card`."""
        trick = self.after(card)
        threats = 0
        for place in unpack(self.behind & places):
            threats |= self.can_beat(trick, place)
        return threats

    def sure(self, card: Card) -> bool:
        """Return whether `card` takes the trick whatever the places behind hold."""
        if not self.takes(card) or self.threats(card, -1):
            return False
        if not self.table.black_2_beats_rook or card == BLACK_2:
            return True
        # A black 2 wins by the Rook of anybody, and so takes a trick that no card of theirs beats.
        met = self.after(card).trick_cards | self.with_others(ROOK_AND_BLACK_2, self.behind)
        return met & ROOK_AND_BLACK_2 != ROOK_AND_BLACK_2

    @property
    def friend_ahead(self) -> bool:
        """Whether a place known to be on this seat's side is ahead in the trick."""
        s = self.state
        return s.led >= 0 and bool(self.friends >> s.best_place & 1)

    def may_ruff(self, suit: int, places: int) -> bool:
        """Return whether one of the places behind is known to lack a suit, and may hold a trump."""
        return any(
            not self.may_hold(place) & self.suit(suit) and self.may_hold(place) & self.trumps
            for place in unpack(self.behind & places)
        )


def infer(hand: Hand) -> Inference:
    """Return what the seat to act can infer; the hand must not be over.

    >>> from rookery.rules import load
    >>> known = infer(Hand.shuffled(load("kd_tournament"), dealer=0, seed=7))
    >>> known.seat, known.cards.bit_count()
    (1, 9)
    """
    table, s, h = hand.table, hand.state, hand.hidden
    m, k = SeatInfo(), Constraints()
    (observe_trick if s.phase == PLAY else observe)(table, s, h, m)
    note_own(h, m)
    find_constraints(table, s, m, k)
    if table.penalised:
        relax(k)  # a player who did not follow a suit may still hold it
    own, side = h.hand[m.seat], friends(table, s, m)
    return Inference(table, hand.rules.pack, s, m.seat, m.hand, own, m.cards, k, side)
