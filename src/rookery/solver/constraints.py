"""What a seat can work out about the closed cards: how many lie where, and which can lie there.

Everything here follows from the open table and the seat's own cards: suits shown to be lacking, the
discards that were possible, cards seen on their way into the declarer's hand, the called card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rookery.bots.club.counting import GIVEN, OWN
from rookery.bots.seat_info import SeatInfo
from rookery.cards import ROOK
from rookery.engine.card_sets import count, whole_deck
from rookery.engine.kernel import kernel
from rookery.engine.nest import next_discards
from rookery.engine.state import LEADER, NEST, PLAY, Hidden, State
from rookery.rules.fields import cells
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import (
    CALLABLE_NO_TRUMPS,
    CALLABLE_UNHELD,
    PLACES,
    STEP_DISCARD,
    STEP_TRUMP,
    RuleTable,
)

IN_NEST: Final = PLACES  # the nest's number among the places where closed cards lie
LOCATIONS: Final = PLACES + 1
KINDS: Final = 32  # kinds of unseen cards: those that may lie in the same places are of one kind


@dataclass(slots=True)
class Constraints:
    """The closed cards as one seat knows them. Index `IN_NEST` of the lists is the nest."""

    unseen: int = 0  # the unseen cards
    own: int = 0  # the seat's own hand
    pickup: int = 0  # the nest as it was found, where the seat is the declarer
    unseen_in: list[int] = cells(LOCATIONS)  # unseen cards that lie in each place
    possible: list[int] = cells(LOCATIONS)  # unseen cards that can lie there
    known: list[int] = cells(LOCATIONS)  # cards known to lie there
    kinds: int = 0
    cards_of: list[int] = cells(KINDS)  # the cards of a kind
    places_of: list[int] = cells(KINDS)  # the places where they may lie, a bit each
    restricted: int = 0  # how many places cannot hold every unseen card
    restricted_at: list[int] = cells(LOCATIONS)  # which
    stride: list[int] = cells(LOCATIONS)  # of each of them in the table of ways
    states: int = 0
    unrestricted: int = 0  # the other places, a bit each
    split: list[int] = cells(LOCATIONS)  # scratch: cards of a kind for each restricted place
    room: list[int] = cells(LOCATIONS)  # scratch: cards that a place still takes
    drawn: list[int] = cells(LOCATIONS)  # the world drawn last: the unseen cards in each place
    exact: int = 0  # 1 if worlds are drawn with equal chances


@kernel
def note_own(h: Hidden, m: SeatInfo) -> None:
    """Note a seat's own cards and the one that it gave in a circus, for `find_constraints`."""
    m.memo[OWN] = h.hand[m.seat]
    given = h.gift[m.seat]
    m.memo[GIVEN] = 1 << given if given >= 0 else 0


@kernel
def nest_is_taken(table: RuleTable, s: State) -> bool:
    """Return whether the declarer has taken up the nest."""
    if s.declarer < 0 or not table.nest_size:
        return False
    if not table.exchange or s.discarded > 0 or s.phase == NEST or s.phase == PLAY:
        return True
    laid = False
    for step in range(s.step):
        laid = laid or table.step[step] == STEP_DISCARD
    return laid


@kernel
def trump_was_named_first(table: RuleTable) -> bool:
    """Return whether the trump call comes before the discard."""
    for step in range(table.steps):
        if table.step[step] == STEP_TRUMP:
            return True
        if table.step[step] == STEP_DISCARD:
            return False
    return False


@kernel
def may_go_next(table: RuleTable, s: State, h: Hidden, hand: int, nest: int) -> int:
    """Return which cards of `hand` the declarer might have laid away next, after those in `nest`.

    `hand` is the declarer's without `nest`, cards played since included. `h` is scratch.
    """
    held, discarded, row = h.hand[s.declarer], s.discarded, s.row
    h.hand[s.declarer] = hand
    s.discarded = count(nest)
    if not trump_was_named_first(table):
        s.row = -1
    cards = next_discards(table, s, h)
    h.hand[s.declarer], s.discarded, s.row = held, discarded, row
    return cards


@kernel
def gifts_have_moved(s: State) -> bool:
    """Return whether cards have gone to the left in a circus."""
    return s.circus == 1 and (s.phase == LEADER or s.phase >= PLAY)


@kernel
def find_constraints(table: RuleTable, s: State, m: SeatInfo, k: Constraints) -> None:
    """Fill `k` with what the seat of `m`, which is to act, knows of the closed cards."""
    me = m.seat
    up = nest_is_taken(table, s)
    if s.turn == me:
        m.memo[OWN] = m.hand
    k.own = m.memo[OWN] & ~s.played_by[me]
    k.pickup = m.pickup
    seen = k.own | m.nest
    for place in range(LOCATIONS):
        k.unseen_in[place] = 0
        k.known[place] = 0
        k.possible[place] = 0
    k.known[me] = k.own
    for place in range(table.seats + table.blind):
        seen |= s.played_by[place]
        if place != me:
            k.unseen_in[place] = table.hand_size - count(s.played_by[place])
            if up and place == s.declarer:
                k.unseen_in[place] += table.nest_size - s.discarded
    if s.dummy >= 0 and s.dummy != me:
        open_hand = m.hand if s.turn == s.dummy else s.exposed & ~s.played_by[s.dummy]
        if open_hand:
            k.known[s.dummy] = open_hand
            k.unseen_in[s.dummy] = 0
            seen |= open_hand
    if up and me == s.declarer:
        k.known[IN_NEST] = m.nest
    else:
        k.unseen_in[IN_NEST] = s.discarded if up else table.nest_size
        if not up:
            k.known[IN_NEST] = s.face_up & ~seen
            k.unseen_in[IN_NEST] -= count(k.known[IN_NEST])
            seen |= s.face_up
    k.unseen = whole_deck(table) & ~seen
    for place in range(LOCATIONS):
        if k.unseen_in[place]:
            k.possible[place] = k.unseen
    _apply_voids(table, s, k)
    _apply_nest(table, s, k, up)
    if s.called_count:
        _apply_call(table, s, k)
    if s.circus:
        for place in range(LOCATIONS):
            if place != (me + 1) % table.seats:
                k.possible[place] &= ~m.memo[GIVEN]


@kernel
def _apply_voids(table: RuleTable, s: State, k: Constraints) -> None:
    if s.row < 0:
        return
    for place in range(table.seats):
        lacks = 0
        for suit in range(SUITS):
            if s.void[place] >> suit & 1:
                lacks |= table.mask[s.row * SUITS + suit]
        k.possible[place] &= ~lacks


@kernel
def _apply_nest(table: RuleTable, s: State, k: Constraints, up: bool) -> None:
    if not up:
        return
    if s.face_up:
        # Seen on its way: the declarer has it still, has laid it away, has played it or gave it.
        left = (s.declarer + 1) % table.seats if gifts_have_moved(s) else s.declarer
        for place in range(table.seats + table.blind):
            if place != s.declarer and place != left:
                k.possible[place] &= ~s.face_up
    if table.statement and s.statement == 0:
        k.possible[IN_NEST] &= ~table.counters
    if table.exchange or not k.unseen_in[IN_NEST]:
        return  # what was not exchanged was never chosen
    if table.ban_counters:
        k.possible[IN_NEST] &= ~table.counters
    if table.ban_rook:
        k.possible[IN_NEST] &= ~(1 << ROOK)
    if table.ban_trumps and s.row >= 0 and trump_was_named_first(table):
        k.possible[IN_NEST] &= ~table.mask[s.row * SUITS + TRUMP]


@kernel
def _apply_call(table: RuleTable, s: State, k: Constraints) -> None:
    called = 0
    for i in range(s.called_count):
        called |= 1 << s.called[i]
    if table.callable == CALLABLE_UNHELD or table.callable == CALLABLE_NO_TRUMPS:
        k.possible[IN_NEST] &= ~called
        k.possible[s.declarer] &= ~called
    if s.sides_known:
        partners = s.allies & ~(1 << s.declarer)
        holders = partners  # where each called card has brought one, nobody else has any
        if count(partners) < s.called_count:
            holders = s.allies | 1 << table.seats | 1 << IN_NEST
        for place in range(LOCATIONS):
            if not holders >> place & 1:
                k.possible[place] &= ~called


@kernel
def relax(k: Constraints) -> None:
    """Let every unseen card lie anywhere, but keep the counts.

    A table where somebody has broken the rules needs that.
    """
    for place in range(LOCATIONS):
        k.possible[place] = k.unseen if k.unseen_in[place] else 0


@kernel
def group_cards(k: Constraints) -> None:
    """Group the unseen cards by where they can lie, and the places by what they can hold."""
    k.kinds = 0
    k.restricted = 0
    k.unrestricted = 0
    k.states = 1
    for place in range(LOCATIONS):
        if k.unseen_in[place]:
            if k.unseen & ~k.possible[place]:
                k.restricted_at[k.restricted] = place
                k.restricted += 1
            else:
                k.unrestricted |= 1 << place
    if k.restricted and not k.unrestricted:
        # Whatever the others leave falls to the last: let it be the one with most cards.
        most = 0
        for i in range(k.restricted):
            if k.unseen_in[k.restricted_at[i]] > k.unseen_in[k.restricted_at[most]]:
                most = i
        last = k.restricted_at[most]
        k.restricted -= 1
        k.restricted_at[most] = k.restricted_at[k.restricted]
        k.unrestricted = 1 << last
    for i in range(k.restricted):
        k.stride[i] = k.states
        k.states *= k.unseen_in[k.restricted_at[i]] + 1
    rest = k.unseen
    while rest:
        bit = rest & -rest
        rest &= rest - 1
        places = 0
        for place in range(LOCATIONS):
            if k.unseen_in[place] and k.possible[place] & bit:
                places |= 1 << place
        kind = 0
        while kind < k.kinds and k.places_of[kind] != places:
            kind += 1
        if kind == k.kinds:
            k.kinds += 1
            k.places_of[kind] = places
            k.cards_of[kind] = 0
        k.cards_of[kind] |= bit
    k.exact = 1
