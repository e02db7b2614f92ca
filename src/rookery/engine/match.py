"""From hand to hand: totals, and when the match is over (`rules.md` B.8 P52 to P56)."""

from __future__ import annotations

from rookery.engine.kernel import kernel
from rookery.engine.state import State
from rookery.rules.table import OWN_CAPPED, OWN_ONLY, TIE_DECLARER, TIE_SHARED, RuleTable


@kernel
def book(table: RuleTable, s: State, total: list[int]) -> None:
    """Add a finished hand's score to the totals, a number a seat.

    Under a cap a seat that scores without a contract of its own is held there, or where it was
    already [X9].
    """
    for seat in range(table.seats):
        before = total[seat]
        after = before + s.score[seat]
        own = s.declarer >= 0 and s.made and s.allies >> seat & 1
        if table.own_contract == OWN_CAPPED and not own and after > table.cap and after > before:
            after = max(before, table.cap)
        total[seat] = after


@kernel
def winners(table: RuleTable, s: State, total: list[int]) -> int:
    """Return the seats that win the match with the hand just booked, 0 while it goes on."""
    running = 0
    for seat in range(table.seats):
        if total[seat] >= table.target:
            own = s.declarer >= 0 and s.made and s.allies >> seat & 1
            if table.own_contract != OWN_ONLY or own:
                running |= 1 << seat
    if not running and table.ends_negative:
        for seat in range(table.seats):
            if total[seat] <= table.negative_end:
                running = (1 << table.seats) - 1
    return best_of(table, s, total, running) if running else 0


@kernel
def best_of(table: RuleTable, s: State, total: list[int], running: int) -> int:
    """Return the highest among some seats; 0 where a tie of sides is played off."""
    top = 0
    leaders = 0
    for seat in range(table.seats):
        if running >> seat & 1:
            if not leaders or total[seat] > top:
                top = total[seat]
                leaders = 1 << seat
            elif total[seat] == top:
                leaders |= 1 << seat
    for seat in range(table.seats):
        if leaders >> seat & 1 and not leaders & ~table.partners[seat]:
            return leaders
    if table.tie == TIE_SHARED:
        return leaders
    return leaders & s.allies if table.tie == TIE_DECLARER and s.declarer >= 0 else 0
