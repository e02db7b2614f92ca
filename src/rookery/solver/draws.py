"""Many worlds one after the other, to measure how fast they are drawn."""

from __future__ import annotations

from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.rules.table import RuleTable
from rookery.solver.known import Known
from rookery.solver.sample import draw


@kernel
def draw_many(
    table: RuleTable, s: State, k: Known, h: Hidden, ways: list[float], worlds: int
) -> None:
    """Draw some worlds; the last one stays in `h`."""
    for _ in range(worlds):
        draw(table, s, k, h, ways)
