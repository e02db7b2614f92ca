"""One hand, one action at a time: the kernels under tools that keep every position by itself.

What they find out for the caller stands in `found`, words of which the first is the seat that
decides (`OVER` when the hand is over), the second the number of its legal actions, and the rest
those actions, ascending, four to a word, the lowest 16 bits first.
"""

from __future__ import annotations

from typing import Final

from rookery.bots.seat_info import SeatInfo, clear_notes
from rookery.engine.actions import BID_LEVELS, actor, apply, legal
from rookery.engine.card_sets import lowest
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.rng import seeded
from rookery.engine.state import DONE, REDEALT, Hidden, State
from rookery.envs.observations.compact import look, write_observation
from rookery.rules.table import REDEAL_AUTO, RuleTable
from rookery.solver.constraints import Constraints, note_own
from rookery.solver.sample import draw_world, prepare_worlds

OVER: Final = -4  # in place of a seat: nobody acts any more
_IN_WORD: Final = 4
# Nobody has more choices than an auction has bids, the Sun, a pass and a redeal.
FOUND: Final = 2 + (BID_LEVELS + 3) // _IN_WORD + 1


@kernel
def list_actions(
    table: RuleTable, s: State, h: Hidden, numbers: list[int], found: list[int]
) -> None:
    """Write who decides and what may be done into `found`; `numbers` has shape (`ACTIONS`,)."""
    n = legal(table, s, h, numbers)
    found[0] = OVER if s.phase >= DONE else actor(s)
    found[1] = n
    for i in range(2, FOUND):
        found[i] = 0
    for i in range(n):
        found[2 + i // _IN_WORD] |= numbers[i] << 16 * (i % _IN_WORD)


@kernel
def lay_out(
    table: RuleTable,
    s: State,
    h: Hidden,
    order: list[int],
    numbers: list[int],
    found: list[int],
    dealer: int,
) -> None:
    """Deal the cards of `order`, shape (57,), and list what may be done; see the module."""
    deal(table, s, h, order, dealer)
    h.rng = 1  # whoever looks into a position finds no dice
    list_actions(table, s, h, numbers, found)


@kernel
def deal_seed(
    table: RuleTable,
    s: State,
    h: Hidden,
    order: list[int],
    numbers: list[int],
    found: list[int],
    dealer: int,
    seed: int,
) -> None:
    """Deal as `rookery.game.Hand.shuffled` does from a seed, and list what may be done.

    A deal that the rules cancel by themselves is dealt again.
    """
    h.rng = seeded(seed, 0)
    shuffle(table, h, order)
    if table.redeal == REDEAL_AUTO:
        deal(table, s, h, order, dealer)
        while s.phase == REDEALT:
            shuffle(table, h, order)
            deal(table, s, h, order, dealer)
    lay_out(table, s, h, order, numbers, found, dealer)


@kernel
def act(
    table: RuleTable, s: State, h: Hidden, numbers: list[int], found: list[int], asked: list[int]
) -> bool:
    """Do the action ``asked[0]`` and list what may be done next.

    Returns:
        Whether the action was among those listed in `found`; where it was not, nothing is done.
    """
    action = asked[0]
    known = False
    for i in range(found[1]):
        known = known or found[2 + i // _IN_WORD] >> 16 * (i % _IN_WORD) & 0xFFFF == action
    if known:
        apply(table, s, h, action)
        list_actions(table, s, h, numbers, found)
    return known


@kernel
def list_seen(
    table: RuleTable,
    s: State,
    h: Hidden,
    m: SeatInfo,
    row: list[int],
    words: int,
    ones: list[int],
    others: list[int],
    seat: int,
) -> int:
    """Write what a seat sees into `row`, which has so many words, and list what is not 0 in it.

    `ones` gets the place of each 1, `others` those of larger numbers: place + number << 16.

    Returns:
        How many there are: those of `ones` + those of `others` << 16.
    """
    look(s, h, m, seat)
    write_observation(table, s, m, row, 0)
    n = more = 0
    for i in range(words):
        word = row[i]
        while word:
            at = lowest(word) >> 3
            number = word >> 8 * at & 0xFF
            word -= number << 8 * at
            if number == 1:
                ones[n] = 8 * i + at
                n += 1
            else:
                others[more] = 8 * i + at + (number << 16)
                more += 1
    return n + (more << 16)


@kernel
def draw_closed(
    table: RuleTable,
    s: State,
    h: Hidden,
    m: SeatInfo,
    k: Constraints,
    world: Hidden,
    ways: list[float],
    asked: list[int],
) -> None:
    """Write into `world` closed cards as they may lie for all that the seat ``asked[0]`` knows.

    They are drawn with the seed ``asked[1]``; `ways` has shape (`ROOM`,).
    """
    seat = asked[0]
    look(s, h, m, seat)
    clear_notes(m)
    note_own(h, m)
    if s.turn == s.dummy:
        m.hand = h.hand[s.dummy]  # it lies open
    prepare_worlds(table, s, m, k, ways)
    world.rng = seeded(asked[1], 0)
    draw_world(table, s, k, world, ways)
    world.rng = 1
