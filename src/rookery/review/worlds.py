"""The hands that a seat could not tell from the true one, drawn as the search draws them.

They agree with all that the seat has seen, each is as likely as the calls make it, and in each the
declarer has chosen what he laid away. Without the last, what is drawn lays good trumps into the
nest, and everybody seems to know that they are not there.
"""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.club.counting import OWN
from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.engine.kernel import kernel
from rookery.engine.records import copy_of
from rookery.engine.state import Hidden, State, copy_hidden
from rookery.game import Hand
from rookery.rules.table import RuleTable
from rookery.search.desk import Desk
from rookery.search.mover import calls_of
from rookery.search.recall import draw_laid_away
from rookery.search.thought import Thought
from rookery.solver.constraints import Constraints
from rookery.solver.sample import prepare_worlds


@kernel
def draw_worlds(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    k: Constraints,
    world: Hidden,
    cast: Sequence[SeatInfo],
    t: Thought,
    ways: list[float],
    drawn: Sequence[Hidden],
) -> None:
    """Fill `drawn` with worlds that the seat of `m` holds possible, drawn with ``m.rng``."""
    prepare_worlds(table, s, m, k, ways)
    world.rng = m.rng
    for i in range(len(drawn)):
        draw_laid_away(table, s, m.seat, k, world, cast, t, ways)
        copy_hidden(table, world, drawn[i])


class Worlds(Desk):
    """A desk where worlds are drawn and nothing is tried out.

    It draws uncompiled: what is asked of it takes some milliseconds, the compiler half a minute.
    """

    def __init__(self, table: RuleTable) -> None:
        """Lay out the scratch paper."""
        super().__init__(table, "python")
        self.temper(anew=True)

    def draw(self, hand: Hand, many: int, dice: int) -> list[Hidden]:
        """Return so many hands of closed cards, each one that the seat to act may face.

        The seat is shown the open table and its own cards, never the hand as a whole.

        Args:
            hand: in its play.
            many: how many to draw.
            dice: a state of the generator, 0 to 2^63 - 1.
        """
        mine = SeatInfo(rng=dice)
        observe_trick(self._table, hand.state, hand.hidden, mine)
        mine.memo[OWN] = hand.hidden.hand[mine.seat]
        self.hear(calls_of(hand))
        drawn = [Hidden() for _ in range(many)]
        draw_worlds(
            self._table, copy_of(hand.state), mine, self._known, self._world, self._cast,
            self.thought, self._ways, drawn,
        )  # fmt: skip
        return drawn
