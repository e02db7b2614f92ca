"""What a set of cards is worth."""

from __future__ import annotations

from rookery.engine.bits import count
from rookery.engine.kernel import kernel
from rookery.rules.table import RuleTable


@kernel
def points_of(table: RuleTable, cards: int) -> int:
    """Return the points of the counters in a set of cards."""
    points = 0
    for group in range(table.groups):
        points += table.group_value[group] * count(cards & table.group_mask[group])
    return points
