"""The nest exchange (`rules.md` B.4, options P20 to P22): which cards may be discarded.

Cards are discarded one at a time. What may go depends on what has gone before, so that the whole
new nest is legal in the end.
"""

from __future__ import annotations

from rookery.cards import ROOK
from rookery.engine.card_sets import count
from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import EXCHANGE_UP_TO, RuleTable


@kernel
def take_nest(s: State, h: Hidden) -> None:
    """Add the nest to the declarer's hand."""
    h.pickup = h.nest
    h.hand[s.declarer] |= h.nest
    h.nest = 0


@kernel
def allowed_discards(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the declarer's cards that no ban keeps out of the nest, enough or not."""
    allowed = h.hand[s.declarer]
    if table.ban_counters:
        allowed &= ~table.counters
    if table.ban_rook:
        allowed &= ~(1 << ROOK)
    if table.ban_trumps and s.row >= 0:
        allowed &= ~table.mask[s.row * SUITS + TRUMP]
    return allowed


@kernel
def forced_discards(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the cards that have to go because too few others are left to fill the nest."""
    if not table.ban_forced:
        return 0
    allowed = allowed_discards(table, s, h)
    need = table.nest_size - s.discarded
    forced = allowed & ~table.counters
    if count(forced) >= need:
        return 0
    if s.row >= 0:
        trumps = allowed & table.counters & table.mask[s.row * SUITS + TRUMP]
        if count(forced | trumps) < need:
            forced |= trumps
    return forced


@kernel
def free_discards(table: RuleTable, s: State, h: Hidden) -> int:
    """Return all cards that may be in the new nest, the forced ones among them."""
    allowed = allowed_discards(table, s, h)
    if not table.ban_forced:
        return allowed
    need = table.nest_size - s.discarded
    plain = allowed & ~table.counters
    if count(plain) >= need:
        return plain
    if s.row >= 0:
        plain |= allowed & table.mask[s.row * SUITS + TRUMP]
        if count(plain) >= need:
            return plain
    return allowed


@kernel
def may_change(table: RuleTable, s: State, h: Hidden, changed: int) -> bool:
    """Return whether exactly `changed` cards of the new nest can come from outside the old one."""
    if table.exchange == EXCHANGE_UP_TO:
        if changed > table.exchange_count:
            return False
    elif changed != 0 and changed != table.exchange_count:
        return False
    allowed = allowed_discards(table, s, h)
    so_far = count(h.nest & ~h.pickup)
    kept = s.discarded - so_far
    new = changed - so_far
    old = table.nest_size - changed - kept
    return 0 <= new <= count(allowed & ~h.pickup) and 0 <= old <= count(allowed & h.pickup)


@kernel
def next_discards(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the cards of which the declarer may discard one now; forced ones come first."""
    if table.exchange:
        allowed = allowed_discards(table, s, h)
        so_far = count(h.nest & ~h.pickup)
        kept = s.discarded - so_far
        legal = 0
        for changed in range(table.nest_size + 1):
            if may_change(table, s, h, changed):
                if changed > so_far:
                    legal |= allowed & ~h.pickup
                if table.nest_size - changed > kept:
                    legal |= allowed & h.pickup
        return legal
    forced = forced_discards(table, s, h)
    return forced if forced else free_discards(table, s, h)


@kernel
def possible_discards(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the cards that some legal new nest holds, without those already discarded."""
    return next_discards(table, s, h) if table.exchange else free_discards(table, s, h)


@kernel
def required_discards(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the cards that every legal new nest holds, without those already discarded."""
    pool = possible_discards(table, s, h)
    if count(pool) == table.nest_size - s.discarded:
        return pool
    if not table.exchange:
        return forced_discards(table, s, h)
    so_far = count(h.nest & ~h.pickup)
    kept = s.discarded - so_far
    for changed in range(table.nest_size + 1):
        if may_change(table, s, h, changed):
            if changed - so_far < count(pool & ~h.pickup):
                pool &= h.pickup
            if table.nest_size - changed - kept < count(pool & h.pickup):
                pool &= ~h.pickup
    return pool
