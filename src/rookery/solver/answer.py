"""Questions about a position, answered by zero-window searches.

`solve_ending` is for a kernel that wants an answer at once. `begin`, `proceed` and `advance` are
its parts, for a caller that has to look at the clock or walk along a line of play.
"""

from __future__ import annotations

from typing import Final

from rookery.engine.card_sets import lowest
from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.rules.table import RuleTable
from rookery.solver.ending import ROOM, Ending
from rookery.solver.move import choices, make, unmake
from rookery.solver.ordering import equivalent_cards, list_choices
from rookery.solver.search import OPEN, search
from rookery.solver.setup import set_up
from rookery.solver.transpositions import describe, new_epoch

VALUE, FIRST, BEST, EVERY = 0, 1, 2, 3
BEGIN, PROCEED, ASK_AGAIN, STEP, ABANDON, STOP = range(6)
UNLIMITED: Final = 1 << 60


@kernel
def begin(table: RuleTable, s: State, h: Hidden, w: Ending, memory: list[int]) -> None:
    """Set `w` to a position of the play phase and get ready to ask about it.

    `memory` is the transposition table, int64 of shape (entries * `ENTRY`,), all 0 at first. Later
    positions, of other hands and other rules too, may use it again.
    """
    set_up(table, s, h, w)
    new_epoch(w, memory)
    w.limit = UNLIMITED
    w.units_before[0] = 0
    ask_again(table, w, 0, w.left[0])


@kernel
def ask_again(table: RuleTable, w: Ending, low: int, high: int) -> None:
    """Get ready to ask about the position at ``w.root``, whose value is `low` to `high` units."""
    w.job = 0
    w.job_open = 0
    w.paused = 0
    w.value_low = low
    w.value_high = high
    w.options = 0
    if w.root < w.cards:
        list_choices(table, w, w.root, choices(table, w, w.root), -1)
        w.options = w.count[w.root]
    for i in range(w.options):
        w.option[i] = w.choice[w.root * ROOM + i]
        same = equivalent_cards(w, w.root, w.option[i])
        w.equivalent[i] = 0
        while same:
            w.equivalent[i] |= 1 << w.engine_card[lowest(same)]
            same &= same - 1
        w.low[i] = 0
        w.high[i] = w.left[0]


@kernel
def proceed(table: RuleTable, w: Ending, memory: list[int], want: int) -> int:
    """Work on the question; return 1 when it is answered, 0 where ``w.limit`` nodes came first.

    The value of the position goes into ``w.value_low`` and ``w.value_high``, those of the cards
    into ``w.low`` and ``w.high`` beside ``w.option``; a value is known where the two agree.

    Args:
        table: the rules.
        w: the position, after `begin` or `review`.
        memory: as `begin` had it.
        want: VALUE the position alone; FIRST also one best card; BEST also which cards are best;
            EVERY also the value of every card.
    """
    while True:
        if not w.job_open:
            if w.job > w.options or (w.job and want == VALUE):
                return 1
            open_job(table, w)
        depth = w.depth[w.root]
        while w.floor < w.ceiling:
            target = min(max(w.guess, w.floor + 1), w.ceiling)
            w.need[depth] = target - w.units_before[depth]
            result = search(table, w, memory)
            if result == OPEN:
                return 0
            if result:
                w.floor = target + w.slack
                w.guess = w.floor + 1
            else:
                w.ceiling = target - 1 - w.slack
                w.guess = w.ceiling
            if w.job and want != EVERY:
                break
            if w.job == 0:
                w.value_low = w.floor
                w.value_high = w.ceiling
        close_job(w)
        if want == FIRST and w.job > 1:
            at = w.job - 2
            best = w.team[w.turn[w.root]]
            if (best and w.low[at] >= w.value_high) or (not best and w.high[at] <= w.value_low):
                return 1


@kernel
def open_job(table: RuleTable, w: Ending) -> None:
    """Start the next job: the value of the position, or of one card, which is played first."""
    w.job_open = 1
    if w.job == 0:
        w.floor = w.value_low
        w.ceiling = w.value_high
        w.guess = first_guess(table, w) if w.floor < w.ceiling else 0
        return
    best = w.team[w.turn[w.root]]
    step(table, w, w.option[w.job - 1])
    depth = w.depth[w.root]
    w.floor = w.units_before[depth]
    w.ceiling = w.units_before[depth] + w.left[depth]
    if best:
        w.ceiling = min(w.ceiling, w.value_high)
        w.guess = w.value_high
    else:
        w.floor = max(w.floor, w.value_low)
        w.guess = w.value_low + 1


@kernel
def close_job(w: Ending) -> None:
    """Write down the bounds found by a job, and take back the card that it valued."""
    w.job_open = 0
    if w.job:
        w.low[w.job - 1] = w.floor
        w.high[w.job - 1] = w.ceiling
        w.root -= 1
        unmake(w, w.root)
    w.job += 1


@kernel
def step(table: RuleTable, w: Ending, card: int) -> None:
    """Play a card at the root, which moves on by one ply."""
    before = w.depth[w.root]
    make(table, w, w.root, card)
    w.root += 1
    depth = w.depth[w.root]
    if depth > before:
        describe(w, w.root)
        w.units_before[depth] = w.units_before[before] + w.need[before] - w.need[depth]


@kernel
def abandon(w: Ending) -> None:
    """Give up a search that paused; the transposition table and the bounds stay."""
    if w.paused:
        while w.ply > w.root:
            w.ply -= 1
            unmake(w, w.ply)
        w.paused = 0


@kernel
def solve_ending(
    table: RuleTable, s: State, h: Hidden, w: Ending, memory: list[int], want: int
) -> int:
    """Return the points of the declarer's side when everybody plays best with open hands.

    `want` says what else goes into `w`: VALUE nothing; FIRST one best card; BEST which cards are
    best; EVERY the value of every card. They stand in ``w.option``, with ``w.equivalent`` the cards
    that are as good, and with bounds of their units in ``w.low`` and ``w.high``.

    `memory` has shape (entries * `ENTRY`,), all 0 before its first use. Later positions, of other
    hands and other rules too, may use it again.
    """
    begin(table, s, h, w, memory)
    proceed(table, w, memory, want)
    return w.base + w.unit * w.value_low


@kernel
def best_cards(w: Ending) -> int:
    """Return the engine's cards that are known to be best, after FIRST, BEST or EVERY."""
    cards = 0
    for i in range(w.options):
        reached = w.low[i] >= w.value_high
        if not w.team[w.turn[w.root]]:
            reached = w.high[i] <= w.value_low
        if reached:
            cards |= w.equivalent[i]
    return cards


@kernel
def respond(
    table: RuleTable,
    s: State,
    h: Hidden,
    w: Ending,
    memory: list[int],
    order: int,
    first: int,
    second: int,
) -> int:
    """Run one of the parts by its number, so that they are compiled together.

    STOP gives up the search and goes back to the position that is asked about.
    `first` and `second` are its further arguments. PROCEED returns 1 when the question is answered,
    0 where ``w.limit`` nodes came first. `memory` is that of `solve_ending`.
    """
    if order == PROCEED:
        return proceed(table, w, memory, first)
    if order == BEGIN:
        begin(table, s, h, w, memory)
    elif order == ASK_AGAIN:
        ask_again(table, w, first, second)
    elif order == STEP:
        step(table, w, first)
    else:
        abandon(w)
        if order == STOP and w.job_open and w.job:
            close_job(w)
    return 1


@kernel
def first_guess(table: RuleTable, w: Ending) -> int:
    """Return the units of the side if everybody plays the first choice from ``w.root`` on."""
    ply = w.root
    depth = w.depth[ply]
    before = w.need[depth]
    w.need[depth] = -w.units_before[depth]
    while ply < w.cards:
        list_choices(table, w, ply, choices(table, w, ply), -1)
        make(table, w, ply, w.choice[ply * ROOM])
        ply += 1
    units = -w.need[w.tricks]
    while ply > w.root:
        ply -= 1
        unmake(w, ply)
    w.need[depth] = before
    return units
