"""Worlds: hidden hands that agree with all that a seat has seen, each with the same chance.

The unseen cards fall into kinds: cards that may lie in the same places. How many ways there are to
spread the kinds over the places that cannot hold every card is counted first, from the last kind to
the first; then a world is drawn kind by kind, each split with the chance that the counts give it.
Places that can hold anything share what is left, in any order. What cannot be said card by card (a
nest said to be worth 20 points, a redeal that would have been made) is left to drawing again.

Where counters may be laid away only if nothing else is left, what may lie in the nest depends on
all that the declarer had. There all ways to deal have the same chance, and of each all legal nests.
"""

from __future__ import annotations

from math import factorial
from typing import Final

from rookery.bots.seat_info import SeatInfo
from rookery.engine.card_sets import count, lowest, points_of
from rookery.engine.declaration import gifts
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import CIRCUS_PASS, Hidden, State
from rookery.rules.table import REDEAL_AUTO, RuleTable
from rookery.solver.constraints import (
    IN_NEST,
    LOCATIONS,
    Constraints,
    find_constraints,
    gifts_have_moved,
    group_cards,
    may_go_next,
    nest_is_taken,
    relax,
)

ROOM: Final = 1 << 16  # numbers in the table of ways
ATTEMPTS: Final = 64  # draws for what cannot be said card by card
FINE: Final = 1 << 31
FACTORIAL: Final = tuple(float(factorial(n)) for n in range(58))


@kernel
def count_worlds(k: Constraints, ways: list[float]) -> bool:
    """Group the unseen cards and fill `ways`; return whether there is any world.

    Where there are too many ways to count, it says so in ``k.exact``, and there is.

    ``ways[kind * states + i]`` is in how many ways the kinds from `kind` on can be spread so that
    the restricted places take what the digits of `i` say.
    """
    group_cards(k)
    states = k.states
    if states * (k.kinds + 1) > min(ROOM, len(ways)):
        k.exact = 0
        return True
    for i in range(states):
        ways[k.kinds * states + i] = 0.0
    ways[k.kinds * states] = 1.0
    for kind in range(k.kinds - 1, -1, -1):
        for i in range(states):
            _open(k, i)
            total = 0.0
            more = True
            while more:
                total += _ways_of_split(k, kind, i, ways)
                more = _next_split(k, kind)
            ways[kind * states + i] = total
    return ways[states - 1] > 0.0


@kernel
def _open(k: Constraints, i: int) -> None:
    """Set the room of each restricted place to its digit of `i`, and the split to nothing."""
    for t in range(k.restricted):
        k.room[t] = i // k.stride[t] % (k.unseen_in[k.restricted_at[t]] + 1)
        k.split[t] = 0


@kernel
def _next_split(k: Constraints, kind: int) -> bool:
    """Move to the next split of a kind's cards over restricted places; False after the last."""
    total = 0
    for t in range(k.restricted):
        total += k.split[t]
    size = count(k.cards_of[kind])
    for t in range(k.restricted):
        if k.places_of[kind] >> k.restricted_at[t] & 1 and k.split[t] < k.room[t] and total < size:
            k.split[t] += 1
            return True
        total -= k.split[t]
        k.split[t] = 0
    return False


@kernel
def _ways_of_split(k: Constraints, kind: int, i: int, ways: list[float]) -> float:
    """Return in how many ways the kinds from `kind` on fill `i`, this one split as it stands."""
    size = count(k.cards_of[kind])
    left = size
    after = i
    chance = FACTORIAL[size]
    for t in range(k.restricted):
        left -= k.split[t]
        after -= k.split[t] * k.stride[t]
        chance /= FACTORIAL[k.split[t]]
    if left and not k.places_of[kind] & k.unrestricted:
        return 0.0
    return chance / FACTORIAL[left] * ways[(kind + 1) * k.states + after]


@kernel
def draw_cards(h: Hidden, cards: int, n: int) -> int:
    """Return `n` of some cards, all choices equally likely, drawn with ``h.rng``."""
    if 2 * n > count(cards):
        return cards & ~_draw_few(h, cards, count(cards) - n)
    return _draw_few(h, cards, n)


@kernel
def _draw_few(h: Hidden, cards: int, n: int) -> int:
    taken = 0
    left = count(cards)
    for _ in range(n):
        rest = cards
        for _ in range(below(h, left)):
            rest &= rest - 1
        taken |= rest & -rest
        cards &= ~(rest & -rest)
        left -= 1
    return taken


@kernel
def draw_exactly(k: Constraints, h: Hidden, ways: list[float]) -> None:
    """Draw into ``k.drawn`` one way to spread the unseen cards, all equally likely."""
    for place in range(LOCATIONS):
        k.drawn[place] = 0
    pool = 0
    i = k.states - 1
    for kind in range(k.kinds):
        cards = k.cards_of[kind]
        if k.restricted:
            pick = below(h, FINE) / FINE * ways[kind * k.states + i]
            _open(k, i)
            more = True
            while more:
                pick -= _ways_of_split(k, kind, i, ways)
                more = pick >= 0.0 and _next_split(k, kind)
            for t in range(k.restricted):
                if k.split[t]:
                    part = draw_cards(h, cards, k.split[t])
                    cards &= ~part
                    k.drawn[k.restricted_at[t]] |= part
                    i -= k.split[t] * k.stride[t]
        pool |= cards
    for place in range(LOCATIONS):
        if k.unrestricted >> place & 1:
            part = draw_cards(h, pool, min(k.unseen_in[place], count(pool)))
            pool &= ~part
            k.drawn[place] |= part


@kernel
def draw_roughly(k: Constraints, h: Hidden) -> None:
    """Draw into ``k.drawn`` some way to spread the unseen cards, where ways cannot be counted.

    The scarcest cards go first, to a place chosen by its room; not all worlds have the same chance.
    """
    for place in range(LOCATIONS):
        k.room[place] = k.unseen_in[place]
        k.drawn[place] = 0
    done = 0
    for _ in range(k.kinds):
        least = LOCATIONS + 1
        kind = 0
        for other in range(k.kinds):
            if not done >> other & 1 and count(k.places_of[other]) < least:
                least = count(k.places_of[other])
                kind = other
        done |= 1 << kind
        cards = k.cards_of[kind]
        while cards:
            bit = _draw_few(h, cards, 1)
            cards &= ~bit
            total = 0
            for place in range(LOCATIONS):
                if k.places_of[kind] >> place & 1:
                    total += k.room[place]
            stuck = total == 0
            if stuck:
                for place in range(LOCATIONS):
                    total += k.room[place]
            at = below(h, max(1, total))
            for place in range(LOCATIONS):
                if k.places_of[kind] >> place & 1 or stuck:
                    if 0 <= at < k.room[place]:
                        k.drawn[place] |= bit
                        k.room[place] -= 1
                        at = -1
                    elif at >= 0:
                        at -= k.room[place]


@kernel
def agrees(table: RuleTable, s: State, k: Constraints) -> bool:
    """Return whether the world drawn agrees with what was said, shown and not asked for.

    These are the nest statement, partners shown as soon as they were called, and no redeal.
    """
    if table.statement and s.statement > 0 and k.unseen_in[IN_NEST]:
        worth = points_of(table, k.drawn[IN_NEST] | k.known[IN_NEST])
        if worth != s.statement if table.statement == 2 else not worth:
            return False
    if s.sides_known and s.called_shown < s.called_count:
        holders = 1 << s.declarer
        for i in range(s.called_count):
            for seat in range(table.seats):
                if (k.drawn[seat] | k.known[seat] | s.played_by[seat]) >> s.called[i] & 1:
                    holders |= 1 << seat
        if holders != s.allies:
            return False
    if table.redeal == REDEAL_AUTO and not gifts_have_moved(s):
        for seat in range(table.seats):
            cards = k.drawn[seat] | k.known[seat] | s.played_by[seat]
            if k.unseen_in[seat] and seat != s.declarer and not cards & table.counters:
                return False
    return True


@kernel
def lay_away(table: RuleTable, s: State, k: Constraints, h: Hidden) -> bool:
    """Let the declarer of the world drawn lay the new nest away by chance, as the rules allow.

    Returns:
        Whether they can, with what is known of hand and nest.
    """
    left = k.unseen_in[IN_NEST]
    if not s.discarded or not left:
        return True
    seat = s.declarer
    free = k.drawn[seat] | k.drawn[IN_NEST]
    must = free & ~k.possible[seat]
    hand = free | k.known[seat] | s.played_by[seat]
    nest = 0
    for _ in range(left):
        cards = may_go_next(table, s, h, hand, nest) & free & k.possible[IN_NEST]
        if cards & must:
            cards &= must
        if not cards:
            return False
        card = _draw_few(h, cards, 1)
        hand &= ~card
        nest |= card
    k.drawn[seat] = free & ~nest
    k.drawn[IN_NEST] = nest
    return must & ~nest == 0


@kernel
def draw_world(table: RuleTable, s: State, k: Constraints, h: Hidden, ways: list[float]) -> None:
    """Write into `h` a world that the seat holds possible, drawn with ``h.rng``.

    `k` has been seen, sorted out and counted.
    """
    for _ in range(ATTEMPTS):
        if k.exact:
            draw_exactly(k, h, ways)
        else:
            draw_roughly(k, h)
        if (not table.ban_forced or lay_away(table, s, k, h)) and agrees(table, s, k):
            break
    write_world(table, s, k, h)


@kernel
def write_world(table: RuleTable, s: State, k: Constraints, h: Hidden) -> None:
    """Write the world drawn into `h`, in all the fields that the engine keeps of closed cards."""
    for place in range(table.seats + table.blind):
        h.hand[place] = k.known[place] | k.drawn[place]
        h.gift[place] = -1
    h.nest = k.known[IN_NEST] | k.drawn[IN_NEST]
    # The engine asks whether the declarer has taken it, and which cards may be called.
    h.pickup = 0
    if nest_is_taken(table, s):
        h.pickup = k.pickup if k.pickup else h.nest
    h.revoked = 0
    h.allies = s.allies
    if s.declarer >= 0:
        h.allies |= 1 << s.declarer if table.called else table.partners[s.declarer]
        for i in range(s.called_count):
            for seat in range(table.seats):
                if (h.hand[seat] | s.played_by[seat]) >> s.called[i] & 1:
                    h.allies |= 1 << seat
    if table.blind:
        h.blind_at = count(s.played_by[table.seats])
        cards = h.hand[table.seats]
        for i in range(h.blind_at, table.hand_size):
            bit = _draw_few(h, cards, 1)
            cards &= ~bit
            h.blind[i] = lowest(bit)
    if s.phase == CIRCUS_PASS:
        turn = s.turn
        seat = (s.declarer + 1) % table.seats
        while seat != turn:
            s.turn = seat
            h.gift[seat] = lowest(gifts(table, s, h))
            seat = (seat + 1) % table.seats
        s.turn = turn


@kernel
def prepare_worlds(
    table: RuleTable, s: State, m: SeatInfo, k: Constraints, ways: list[float]
) -> None:
    """Find what a seat knows and count the worlds that agree with it.

    If there are none, only the numbers of cards are kept, see `relax`.
    """
    find_constraints(table, s, m, k)
    if not count_worlds(k, ways):
        relax(k)
        count_worlds(k, ways)
