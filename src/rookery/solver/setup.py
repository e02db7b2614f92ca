"""Turn a position of the engine into one of the solver."""

from __future__ import annotations

from typing import Final

from rookery.cards import ROOK
from rookery.engine.actions import actor
from rookery.engine.card_sets import lowest, points_of
from rookery.engine.kernel import kernel
from rookery.engine.score import captured_by, side_of, tricks_of
from rookery.engine.state import Hidden, State
from rookery.engine.trick import next_place
from rookery.rules.order import BLACK_2, TRUMP
from rookery.rules.order import SUITS as COLOURS
from rookery.rules.table import (
    BONUS_FIRST_TO_SIX,
    BONUS_LAST_TRICK,
    BONUS_MAJORITY,
    BONUS_PER_TRICK,
    NEST_TO_DECLARER,
    NEST_TO_LAST_TRICK,
    PLACES,
    RuleTable,
)
from rookery.solver.ending import DEPTHS, Ending
from rookery.solver.move import make, settled
from rookery.solver.transpositions import hashed, write_words

FIELD: Final = 62  # bits of a word


@kernel
def set_up(table: RuleTable, s: State, h: Hidden, w: Ending) -> None:
    """Set `w` to the position of a hand in its play phase."""
    w.places = table.seats + table.blind
    w.tricks = table.hand_size - s.tricks
    seat_sides(table, s, h, w)
    number_cards(table, s, h, w)
    value_cards(table, s, h, w)
    sort_kinds(table, w)
    w.alive[0] = w.in_hands
    w.broken[0] = s.broken
    w.turn[0] = s.leader
    w.root = s.trick_size
    w.paused = 0
    w.nodes = 0
    for i in range(DEPTHS * PLACES):
        w.killer[i] = -1
    for ply in range(w.cards + 1):
        w.depth[ply] = ply // w.places
        w.trick_size[ply] = ply % w.places
    for i in range(2 * w.places):
        w.history_key[i] = hashed(i + 4096)
    write_words(w, 0)
    place = s.leader
    for ply in range(s.trick_size):
        make(table, w, ply, w.solver_card[s.trick[place]])
        place = w.after[place]


@kernel
def side_solved(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the seats whose points are counted: the declarer's side.

    Without a contract it is the side of the seat to act.
    """
    return side_of(table, h, s.declarer if s.declarer >= 0 else actor(s))


@kernel
def seat_sides(table: RuleTable, s: State, h: Hidden, w: Ending) -> None:
    """Number the sides, the declarer's first; a blind hand belongs to none."""
    w.ours = side_solved(table, s, h)
    known = w.ours
    w.sides = 1
    for place in range(w.places):
        w.after[place] = next_place(table, s, place)
        w.team[place] = 1 if w.ours >> place & 1 else 0
        if place == table.seats:
            w.side[place] = -1
        elif w.team[place]:
            w.side[place] = 0
        elif not known >> place & 1:
            side = side_of(table, h, place)
            for seat in range(place, table.seats):
                if side >> seat & 1:
                    w.side[seat] = w.sides
            known |= side
            w.sides += 1


@kernel
def number_cards(table: RuleTable, s: State, h: Hidden, w: Ending) -> None:
    """Give the live cards, those of the current trick among them, numbers by suit and strength."""
    everything = s.trick_cards
    for place in range(w.places):
        everything |= h.hand[place]
        w.hand[place] = 0
    for card in range(57):
        w.solver_card[card] = -1
    w.suits = 0
    w.cards = 0
    w.trump = -1
    w.trumps = 0
    w.any_time = 0
    for turn in range(COLOURS):
        effective = turn if turn < TRUMP else COLOURS - 1 if turn == TRUMP else TRUMP
        cards = everything & table.mask[s.row * COLOURS + effective]
        if cards:
            first = w.cards
            while cards:
                weakest = lowest(cards)
                rest = cards & (cards - 1)
                while rest:
                    card = lowest(rest)
                    if table.strength[s.row * 57 + card] < table.strength[s.row * 57 + weakest]:
                        weakest = card
                    rest &= rest - 1
                w.engine_card[w.cards] = weakest
                w.solver_card[weakest] = w.cards
                w.suit[w.cards] = w.suits
                if table.any_time[s.row] >> weakest & 1:
                    w.any_time |= 1 << w.cards
                w.cards += 1
                cards &= ~(1 << weakest)
            w.mask[w.suits] = (1 << w.cards) - (1 << first)
            if effective == TRUMP:
                w.trump = w.suits
                w.trumps = w.mask[w.suits]
            w.suits += 1
    w.in_hands = (1 << w.cards) - 1
    for i in range(w.cards):
        for place in range(w.places):
            if h.hand[place] >> w.engine_card[i] & 1:
                w.hand[place] |= 1 << i
    place = s.leader
    for _ in range(s.trick_size):
        w.hand[place] |= 1 << w.solver_card[s.trick[place]]
        place = w.after[place]
    if table.blind:
        for depth in range(w.tricks):
            w.blind[depth] = w.solver_card[h.blind[s.tricks + depth]]


@kernel
def greatest(a: int, b: int) -> int:
    """Return the greatest common divisor of two numbers that are not negative."""
    while b:
        rest = a % b
        a = b
        b = rest
    return a


@kernel
def value_cards(table: RuleTable, s: State, h: Hidden, w: Ending) -> None:
    """Find what is still to be won, and the unit it is counted in."""
    nest = points_of(table, h.nest)
    base = points_of(table, captured_by(table, s, w.ours))
    last = 0
    if table.nest_to == NEST_TO_LAST_TRICK:
        last += nest
    elif table.nest_to == NEST_TO_DECLARER and s.declarer >= 0 and w.ours >> s.declarer & 1:
        base += nest
    each = 0
    if table.bonus == BONUS_LAST_TRICK:
        last += table.bonus_value
    elif table.bonus == BONUS_PER_TRICK:
        each = table.bonus_value
        base += each * tricks_of(table, s, w.ours)
    unit = greatest(last, each)
    for i in range(w.cards):
        unit = greatest(unit, table.value[w.engine_card[i]])
    prize = 0
    w.won[0] = 0
    for seat in range(table.seats):
        w.won[0] += s.won[seat] << 5 * w.side[seat]
    w.open[0] = 0
    if table.bonus == BONUS_MAJORITY or table.bonus == BONUS_FIRST_TO_SIX:
        prize = table.bonus_value
        w.open[0] = 1
        if table.bonus == BONUS_FIRST_TO_SIX and s.first_to_six >= 0:
            w.open[0] = 0
            if w.ours >> s.first_to_six & 1:
                base += prize
    if w.open[0]:
        unit = greatest(unit, prize)
        if table.split_tie:
            for level in range(2, w.sides + 1):
                unit = greatest(unit, prize // level)
    w.unit = unit if unit else 1
    w.prize = prize // w.unit
    w.each = each // w.unit
    w.last = last // w.unit
    left = w.last + w.each * w.tricks
    w.counters = 0
    for i in range(w.cards):
        w.value[i] = table.value[w.engine_card[i]] // w.unit
        if w.value[i]:
            w.counters |= 1 << i
        left += w.value[i]
    w.need[0] = 0
    if w.open[0]:
        share = settled(table, w, w.won[0], w.tricks)
        if share >= 0:
            w.open[0] = 0
            base += share * w.unit
        else:
            left += w.prize
    w.left[0] = left
    w.base = base


@kernel
def sort_kinds(table: RuleTable, w: Ending) -> None:
    """Give cards that differ only in rank the same kind, and each kind in each hand a code."""
    w.black_2 = w.rook = -1
    if table.black_2_beats_rook and min(w.solver_card[BLACK_2], w.solver_card[ROOK]) >= 0:
        w.black_2 = w.solver_card[BLACK_2]
        w.rook = w.solver_card[ROOK]
    w.classes = 0
    for i in range(w.cards):
        w.kind[i] = -1
        special = w.any_time >> i & 1 or i == w.black_2 or i == w.rook
        if not special:
            for j in range(i):
                other = w.any_time >> j & 1 or j == w.black_2 or j == w.rook
                if not other and w.value[j] == w.value[i]:
                    w.kind[i] = w.kind[j]
        if w.kind[i] < 0:
            w.kind[i] = w.classes
            w.of_kind[w.classes] = 0
            w.classes += 1
        w.of_kind[w.kind[i]] |= 1 << i
    codes = w.places * w.classes
    w.bits = 1
    while 1 << w.bits < codes:
        w.bits += 1
    w.most = FIELD // w.bits
    for place in range(w.places):
        cards = w.hand[place]
        while cards:
            i = lowest(cards)
            cards &= cards - 1
            w.code[i] = place * w.classes + w.kind[i]
            w.key_of[i] = hashed(w.code[i] * 8 + w.suit[i])
