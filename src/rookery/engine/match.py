"""From hand to hand: totals, and when the match is over (`rules.md` B.8 P52 to P56)."""

from __future__ import annotations

from rookery.engine.kernel import kernel
from rookery.engine.state import State
from rookery.rules.table import OWN_CAPPED, OWN_ONLY, TIE_DECLARER, TIE_SHARED, RuleTable


@kernel
def add_scores(table: RuleTable, s: State, total: list[int]) -> None:
    """Add the score of a finished hand to `total`, game points by seat, shape (seats,) or longer.

    Where the rules cap totals, a seat that scores without a contract of its own does not rise above
    the cap. A total that was above it already stays [X9].
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
    """Return the seats that win the match after a hand, 0 while it goes on.

    `total` has the scores of that hand in it already, game points by seat.
    """
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
    return highest_of(table, s, total, running) if running else 0


@kernel
def highest_of(table: RuleTable, s: State, total: list[int], running: int) -> int:
    """Return those of the seats in `running` with the highest total.

    It returns 0 where sides are tied and another hand has to decide.
    """
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
