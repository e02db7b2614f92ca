"""The program behind the Menagerie paper [X10], with its own deal, auction and scoring.

It does not play Rook: nobody names trump, only 10s and 14s count, one auction serves a whole game
and the Rook is a fifth suit of one card. This file keeps all of that, because the paper's figures
come from it. The engine plays the tricks, at no trump, with a Rook that may be played at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.menagerie import COLOUR, HOG, KARAPET, LOW, MIDDLE, PAPA, RABBIT, ROOK_BIT
from rookery.bots.seat_info import SeatInfo
from rookery.cards import ROOK, card_at
from rookery.engine.card_sets import count, highest, lowest, with_rank_of
from rookery.engine.deal import clear, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.rng import HasRng, below, seeded
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.trick import play
from rookery.lab.menagerie.tally import (
    BOOKED,
    HANDS,
    Tally,
    close_game,
    note_trick,
    open_game,
    pair_of,
)
from rookery.rules.order import NOTRUMP, SUITS
from rookery.rules.table import RuleTable

TENS: Final = 0b1111 << card_at(0, 10) | 0b1111 << card_at(0, 14)  # the only cards worth points
KEPT: Final = TENS | ROOK_BIT  # what the strategies treat as counters: no fives
BASE: Final = 25
OPENING: Final = 70  # everybody's first call
CEILING: Final = 120
STEP: Final = 5
TARGET: Final = 300
SEATS: Final = 4
LAST_SEAT: Final = 3


@kernel
def drawn(owner: HasRng, cards: int) -> int:
    """Return one card of a non-empty set, each equally likely."""
    several = count(cards)
    if several > 1:
        for _ in range(below(owner, several)):
            cards &= cards - 1
    return lowest(cards)


@kernel
def low_card(table: RuleTable, h: Hidden, cards: int) -> int:
    """Return the lowest-ranking card of a non-empty set, any one of equals."""
    return drawn(h, with_rank_of(cards, lowest(cards)))


@kernel
def high_card(table: RuleTable, h: Hidden, cards: int) -> int:
    """Return the highest-ranking card of a non-empty set, any one of equals."""
    return drawn(h, with_rank_of(cards, highest(cards)))


@kernel
def longest_colour(h: Hidden, hand: int) -> int:
    """Return the colour with the largest sum of ranks, any one of equals."""
    best = -1
    level = 0
    colour = 0
    for one in range(4):
        cards = hand & ~ROOK_BIT & COLOUR << one
        total = 0
        while cards:
            total += (lowest(cards) >> 2) + 1
            cards &= cards - 1
        if total > best:
            best = total
            level = 1
            colour = one
        elif total == best:
            level += 1
            if below(h, level) == 0:
                colour = one
    return colour


@kernel
def private_maximum(h: Hidden, kind: int, hand: int, colour: int) -> int:
    """Return a character's highest call, points; the paper's partner term never adds to it."""
    limit = BASE + 10 * count(hand & TENS) + 5 * count(hand & MIDDLE) + 20 * (hand >> ROOK)
    low = count(hand & LOW & COLOUR << colour)
    if kind == HOG:
        for _ in range(low):
            limit += 5 * below(h, 2)
    elif kind == RABBIT:
        limit += 5 * below(h, 6)
    else:
        limit += 5 * (low // 2)
    return limit


@kernel
def auction(s: State, h: Hidden, t: Tally) -> int:
    """Set declarer and contract for the whole game; return the declarer's preferred colour.

    All players raise in turn. So the seat with the highest maximum wins, the first among equals,
    one step above the second highest.
    """
    second = OPENING
    s.contract = 0
    preferred = 0
    for seat in range(SEATS):
        colour = longest_colour(h, h.hand[seat])
        limit = private_maximum(h, t.cast[seat], h.hand[seat], colour)
        cap = min(max(limit, OPENING), CEILING)
        if cap > s.contract:
            if s.contract:
                second = s.contract
            s.contract = cap
            s.declarer = seat
            preferred = colour
        elif cap > second:
            second = cap
    s.contract = min(s.contract, second + STEP)
    return preferred


@kernel
def lay_away(table: RuleTable, s: State, h: Hidden, kind: int, colour: int) -> None:
    """Let the declarer take the nest and put five cards away, the preferred colour last."""
    hand = h.hand[s.declarer] | h.nest
    h.nest = 0
    for _ in range(table.nest_size):
        others = hand & ~(COLOUR << colour)
        rest = others if others else hand
        card = drawn(h, hand) if kind == RABBIT else low_card(table, h, rest)
        hand &= ~(1 << card)
        h.nest |= 1 << card
    h.hand[s.declarer] = hand


@kernel
def card_to_play(table: RuleTable, s: State, h: Hidden, kind: int) -> int:
    """Return the card that a character plays now."""
    hand = h.hand[s.turn]
    safe = hand & ~KEPT
    if s.led < 0:
        if kind == RABBIT:
            return drawn(h, hand)
        if kind == KARAPET:
            return low_card(table, h, safe if safe else hand)
        return high_card(table, h, hand)
    if kind == RABBIT:
        kind = below(h, 3)
    colour = table.mask[s.row * SUITS + s.led] & ~ROOK_BIT
    suited = hand & colour
    if kind == HOG and hand & ROOK_BIT:
        return ROOK
    if suited:
        if kind == HOG:
            return highest(suited)
        if kind == KARAPET:
            return lowest(suited & safe if suited & safe else suited)
        above = suited >> highest(s.trick_cards & colour) << highest(s.trick_cards & colour)
        return lowest(above if above else suited)
    if kind == PAPA and hand & ROOK_BIT:
        return ROOK
    return low_card(table, h, safe if safe else hand)


@kernel
def play_hand(table: RuleTable, s: State, h: Hidden, t: Tally, game: int) -> None:
    """Play the nine tricks and count their winners."""
    for trick in range(table.hand_size):
        for _ in range(SEATS):
            play(table, s, h, card_to_play(table, s, h, t.cast[s.turn]))
        winner = s.leader
        note_trick(t, trick // 3, winner)
        # After the first game the program books each trick to the winner and the last seat.
        partner = winner ^ 2 if game == 0 else LAST_SEAT
        if partner != winner:
            t.row[BOOKED + pair_of(t.cast[winner], t.cast[partner])] += 1


@kernel
def side_points(s: State, h: Hidden, seat: int) -> int:
    """Return the points of a seat and its partner; the nest goes with the last trick."""
    partner = seat ^ 2
    cards = s.captured[seat] | s.captured[partner]
    if s.leader == seat or s.leader == partner:
        cards |= h.nest
    return 10 * count(cards & TENS)


@kernel
def book(s: State, h: Hidden, t: Tally, declarer: int, contract: int) -> int:
    """Add a hand's points to the totals; return the winners' mask."""
    won = 0
    for seat in range(SEATS):
        points = side_points(s, h, seat)
        if (seat == declarer or seat ^ 2 == declarer) and points < contract:
            points = -contract
        t.total[seat] += points
        if t.total[seat] >= TARGET:
            won |= 1 << seat
    return won


@kernel
def deal_cards(table: RuleTable, s: State, h: Hidden, t: Tally) -> None:
    """Shuffle and deal a hand to each seat, and the nest."""
    shuffle(table, h, t.order)
    clear(table, s, h, 0)
    for seat in range(SEATS):
        for i in range(seat * table.hand_size, (seat + 1) * table.hand_size):
            h.hand[seat] |= 1 << t.order[i]
    for i in range(SEATS * table.hand_size, table.cards):
        h.nest |= 1 << t.order[i]


@kernel
def begin_tricks(table: RuleTable, s: State, h: Hidden, t: Tally, colour: int) -> None:
    """Let the declarer lay away; the first seat is to lead."""
    lay_away(table, s, h, t.cast[s.declarer], colour)
    s.declarer = -1  # the engine's own scoring is not used
    s.row = NOTRUMP
    s.phase = PLAY
    s.turn = 0


@kernel
def play_game(table: RuleTable, s: State, h: Hidden, t: Tally, game: int) -> int:
    """Play one game; return the mask of the seats that win it."""
    declarer = -1
    contract = 0
    colour = 0
    won = 0
    while not won:
        deal_cards(table, s, h, t)
        if declarer < 0:
            colour = auction(s, h, t)
            declarer = s.declarer
            contract = s.contract
        s.declarer = declarer
        begin_tricks(table, s, h, t, colour)
        play_hand(table, s, h, t, game)
        won = book(s, h, t, declarer, contract)
        t.row[HANDS] += 1
    return won


@kernel
def published_games(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    t: Tally,
    seed: int,
    first: int,
    games: int,
) -> None:
    """Play games `first` to ``first + games - 1`` as the program does, each from its own seed."""
    for game in range(first, first + games):
        h.rng = seeded(seed, game)
        open_game(h, t)
        close_game(t, play_game(table, s, h, t, game))
