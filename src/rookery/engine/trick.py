"""Playing to a trick (`rules.md` B.5, B.6): what may be played, who wins."""

from __future__ import annotations

from rookery.cards import ROOK
from rookery.engine.card_sets import lowest
from rookery.engine.kernel import kernel
from rookery.engine.score import end_hand, side_of, tricks_of
from rookery.engine.state import PLAY, Hidden, State
from rookery.rules.order import BLACK_2, SUITS, TRUMP
from rookery.rules.table import BONUS_FIRST_TO_SIX, MUST_BEAT, RuleTable

ROOK_AND_BLACK_2 = 1 << ROOK | 1 << BLACK_2
UNBEATABLE = 1 << 20


# The next four functions say what may be played, to the engine and to the solver. The solver has
# card numbers of its own, so they know cards only by the sets that they are given.


@kernel
def may_lead(table: RuleTable, hand: int, trumps: int, broken: int) -> int:
    """Return the cards of a hand that may be led.

    Args:
        table: the rules.
        hand: a set of cards.
        trumps: the set of all trumps.
        broken: 1 if a trump has been played in this hand.
    """
    if table.trump_when_broken and not broken:
        plain = hand & ~trumps
        if plain:
            return plain
    return hand


@kernel
def may_follow(
    table: RuleTable, hand: int, suit: int, trumps: int, any_time: int, better: int
) -> int:
    """Return the cards of a hand that may be played to a trick that somebody has led.

    Args:
        table: the rules.
        hand: a set of cards.
        suit: all cards of the effective suit led.
        trumps: all trumps.
        any_time: cards that need not follow.
        better: those of the suit and the trumps that would win the trick as it lies; asked for only
            where `ranked_cards` gives any.
    """
    same = hand & suit
    if same:
        return same | (hand & any_time)
    if table.void_duty:
        ruffs = hand & trumps
        if ruffs:
            if table.void_duty == MUST_BEAT and ruffs & better:
                return ruffs & better
            return ruffs
    return hand


@kernel
def ranked_cards(table: RuleTable, cards: int, trumps: int) -> int:
    """Return those of some cards whose rank, not only their suit, decides what may be played."""
    return cards & trumps if table.void_duty == MUST_BEAT else 0


@kernel
def meeting(better: int, hand: int, trick: int, rook: int, black_2: int) -> int:
    """Return the cards of a hand that beat a trick where the black 2 beats the Rook [S3].

    Args:
        better: those that do by their rank.
        hand: a set of cards.
        trick: the cards of the trick.
        rook: the Rook, as a set.
        black_2: the black 2, as a set.
    """
    if trick & rook:
        better |= hand & black_2
    return better & ~rook if trick & black_2 else better


@kernel
def following(table: RuleTable, s: State, hand: int) -> int:
    """Return the cards of a hand that may be played to the current trick without a revoke."""
    trumps = table.mask[s.row * SUITS + TRUMP]
    if s.led < 0:
        return may_lead(table, hand, trumps, s.broken)
    suit = table.mask[s.row * SUITS + s.led]
    better = 0
    if ranked_cards(table, hand, trumps):
        better = beating(table, s, hand & (suit | trumps))
        if table.black_2_beats_rook:
            better = meeting(better, hand, s.trick_cards, 1 << ROOK, 1 << BLACK_2)
    return may_follow(table, hand, suit, trumps, table.any_time[s.row], better)


@kernel
def beating(table: RuleTable, s: State, cards: int) -> int:
    """Return those of some cards, trumps or of the led suit, that beat the trick as it lies."""
    if table.natural and s.led >= 0:
        best = s.trick[s.best_place]
        suit = table.suit[s.row * 57 + best]
        higher = cards & table.mask[s.row * SUITS + suit] & -(2 << best)
        return higher if suit == TRUMP else higher | cards & table.mask[s.row * SUITS + TRUMP]
    better = 0
    while cards:
        if table.strength[s.row * 57 + lowest(cards)] > s.best:
            better |= cards & -cards
        cards &= cards - 1
    return better


@kernel
def playable(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the cards that the place on turn may play; all where revokes are penalised."""
    hand = h.hand[s.turn]
    return hand if table.penalised else following(table, s, hand)


@kernel
def play(table: RuleTable, s: State, h: Hidden, card: int) -> None:
    """Play a card for the place on turn, and then those of a blind hand whose turn it is."""
    play_card(table, s, h, card)
    if table.blind:
        while s.phase == PLAY and s.turn == table.seats:
            top = h.blind[h.blind_at]
            h.blind_at += 1
            play_card(table, s, h, top)


@kernel
def play_card(table: RuleTable, s: State, h: Hidden, card: int) -> None:
    """Put one card on the trick, and complete the trick if it was the last."""
    place = s.turn
    bit = 1 << card
    suit = table.suit[s.row * 57 + card]
    if table.penalised and place < table.seats and not following(table, s, h.hand[place]) & bit:
        h.revoked |= 1 << place
    if s.led < 0:
        s.led = suit
    if suit != s.led and not table.any_time[s.row] & bit and place < table.seats:
        s.void[place] |= 1 << s.led
    h.hand[place] &= ~bit
    s.played_by[place] |= bit
    s.trick[place] = card
    s.trick_cards |= bit
    s.trick_size += 1
    strength = table.strength[s.row * 57 + card] if suit == s.led or suit == TRUMP else -1
    better = strength > s.best
    s.best_place = place if better else s.best_place
    s.best = strength if better else s.best
    if table.trump_when_broken and suit == TRUMP:
        s.broken = 1
    if table.black_2_beats_rook and s.trick_cards & ROOK_AND_BLACK_2 == ROOK_AND_BLACK_2:
        for other in range(table.seats + table.blind):
            if s.trick[other] == BLACK_2:  # it wins the trick that it shares with the Rook [S3]
                s.best = UNBEATABLE
                s.best_place = other
    if table.called:
        reveal(s, place, card)
    if table.dummy and s.dummy >= 0:
        s.exposed = h.hand[s.dummy]  # open from the first lead on
    if s.trick_size == table.seats + table.blind:
        complete_trick(table, s, h)
    else:
        s.turn = next_place(table, s, place)


@kernel
def next_place(table: RuleTable, s: State, place: int) -> int:
    """Return the place that plays after `place`; a blind hand sits to the dealer's right [X23]."""
    if table.blind:
        if place == table.seats:
            return s.dealer
        if (place + 1) % table.seats == s.dealer:
            return table.seats
    return (place + 1) % table.seats


@kernel
def reveal(s: State, place: int, card: int) -> None:
    """Note that a place is on the declarer's side, if it has played a called card."""
    for i in range(s.called_count):
        if s.called[i] == card:
            s.allies |= 1 << place
            s.called_shown += 1
            if s.called_shown == s.called_count:
                s.sides_known = 1


@kernel
def complete_trick(table: RuleTable, s: State, h: Hidden) -> None:
    """Give the trick to its winner, who leads next; score the hand after the last trick."""
    winner = s.best_place
    s.captured[winner] |= s.trick_cards
    s.won[winner] += 1
    s.winner[s.tricks] = winner
    s.tricks += 1
    if not (table.blind and winner == table.seats):
        s.leader = winner
    s.turn = s.leader
    s.trick_cards = 0
    s.trick_size = 0
    s.led = -1
    s.best = -1
    if table.bonus == BONUS_FIRST_TO_SIX and s.first_to_six < 0 and winner < table.seats:
        ours = tricks_of(table, s, side_of(table, h, winner))
        s.first_to_six = winner if ours >= 6 else -1
    if s.tricks == table.hand_size:
        end_hand(table, s, h, winner)
