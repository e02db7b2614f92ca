"""Many tables at once: the kernels that do one action at each and play on to the next decision.

Some seats are agents, the others bots. A table waits for an agent, or its hand is over. A hand that
the rules cancel is dealt again and nobody is told. One that ends before an agent has decided
anything in the episode is nobody's doing: it counts for nothing, and the next is dealt.
"""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.dispatch import decide, decide_card
from rookery.bots.seat_info import SeatInfo, clear_notes, observe, observe_trick
from rookery.engine.actions import actor, apply
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.match import add_scores, winners
from rookery.engine.rng import below, seeded
from rookery.engine.state import DONE, PLAY, REDEALT, Hidden, State
from rookery.envs.observations.compact import look, write_mask
from rookery.envs.observations.history import act_and_tell, tell_deal
from rookery.envs.observations.masks import Dice, may
from rookery.envs.observations.rows import MATCHES, TELLS, clear_totals, keep_last, write_rows
from rookery.lab.duplicate.boards import margin
from rookery.lab.run.streams import SHARE
from rookery.rules.table import PLACES, RuleTable


@kernel
def first_of(table: RuleTable, i: int) -> int:
    """Return where what table `i` knows begins: a record a seat, then an agent's look, with dice.

    There is no room for seats that a game lacks: many tables are more memory than a cache holds.
    """
    return i * (table.seats + 1)


@kernel
def to_agent(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    first: int,
    i: int,
    agents: int,
    told: list[int],
    notes: list[int],
) -> int:
    """Let bots act until an agent has to, and return its seat; -1 when the hand is over.

    Those of table `i` begin at `first` in `mine` and `kinds`, see `first_of`; for the rest see
    `step_tables`.
    """
    while s.phase < DONE:
        seat = actor(s)
        if agents >> seat & 1:
            return seat
        m = mine[first + seat]
        if s.phase < PLAY:
            observe(table, s, h, m)
            action = decide(table, s, m, kinds[first + seat])
        else:
            observe_trick(table, s, h, m)
            action = decide_card(table, s, m, kinds[first + seat])
        act_at(table, s, h, i, action, agents, told, notes)
    return -1


@kernel
def act_at(
    table: RuleTable,
    s: State,
    h: Hidden,
    i: int,
    action: int,
    agents: int,
    told: list[int],
    notes: list[int],
) -> None:
    """Do an action at table `i`, and tell the agents of it where they are told anything."""
    if TELLS and len(told):
        act_and_tell(table, s, h, action, told, notes, i * table.seats, agents)
    else:
        apply(table, s, h, action)


@kernel
def deal_next(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    first: int,
    i: int,
    pool: list[int],
    room: list[int],
    agents: int,
    told: list[int],
    notes: list[int],
) -> int:
    """Deal at table `i` and let bots act; return the agent's seat, -1 when the hand is over.

    The next seat deals, and after a hand that was cancelled the same one; bots are drawn from the
    pool for each hand.
    """
    dealer = s.dealer
    if s.phase != REDEALT:
        dealer = (dealer + 1) % table.seats
        for other in range(table.seats):
            kinds[first + other] = pool[below(mine[first + table.seats], len(pool))]
    shuffle(table, h, room)
    deal(table, s, h, room, dealer)
    for other in range(table.seats):
        clear_notes(mine[first + other])
    if TELLS and len(told):
        tell_deal(table, s, h, told, notes, i * table.seats, agents)
    return to_agent(table, s, h, mine, kinds, first, i, agents, told, notes)


@kernel
def add_up(table: RuleTable, s: State, totals: list[int], at: int, room: list[int]) -> int:
    """Add a finished hand to the totals of a match, from ``totals[at]`` on.

    Returns:
        The set of the seats that have won the match; 0 while it goes on.
    """
    for seat in range(table.seats):
        room[seat] = totals[at + seat]
    add_scores(table, s, room)
    for seat in range(table.seats):
        totals[at + seat] = room[seat]
    return winners(table, s, room)


@kernel
def begin_table(
    table: RuleTable,
    i: int,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    first: int,
    pool: list[int],
    room: list[int],
    agents: int,
    seats: list[int],
    observations: list[int],
    masks: list[int],
    choices: list[int],
    oracles: list[int],
    told: list[int],
    notes: list[int],
    totals: list[int],
    asked: list[int],
    dice: Sequence[Dice],
) -> None:
    """Deal a first hand at table `i`, and write what its agent sees; see `step_tables`.

    ``asked[0]`` is the seed of all that follows; ``asked[1]`` deals at the first table, the next
    seat at the next one. `dice` are what actions are drawn with.
    """
    seed = asked[0]
    m = mine[first + table.seats]
    h.rng = seeded(seed, i * SHARE)
    for other in range(table.seats):
        mine[first + other].rng = seeded(seed, i * SHARE + 1 + other)
    m.rng = seeded(seed, i * SHARE + 1 + PLACES)
    dice[i].rng = seeded(seed, i * SHARE + 2 + PLACES)
    s.dealer = (asked[1] + i + table.seats - 1) % table.seats  # deal_next takes the next
    s.phase = DONE
    if MATCHES and len(totals):
        clear_totals(table, totals, i * table.seats)
    seats[i] = -1
    while seats[i] < 0:
        seats[i] = deal_next(table, s, h, mine, kinds, first, i, pool, room, agents, told, notes)
    look(s, h, m, seats[i])
    write_rows(table, s, h, m, i, observations, oracles)
    write_mask(table, s, h, room, masks, choices, i)


@kernel
def begin_tables(
    table: RuleTable,
    states: Sequence[State],
    hiddens: Sequence[Hidden],
    mine: Sequence[SeatInfo],
    kinds: list[int],
    pool: list[int],
    room: list[int],
    agents: int,
    seats: list[int],
    observations: list[int],
    masks: list[int],
    choices: list[int],
    oracles: list[int],
    told: list[int],
    notes: list[int],
    totals: list[int],
    asked: list[int],
    dice: Sequence[Dice],
) -> None:
    """Deal a first hand at each table; see `begin_table`."""
    for i in range(len(seats)):
        begin_table(
            table, i, states[i], hiddens[i], mine, kinds, first_of(table, i), pool, room, agents,
            seats, observations, masks, choices, oracles, told, notes, totals, asked, dice,
        )  # fmt: skip


@kernel
def step_table(
    table: RuleTable,
    i: int,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    first: int,
    pool: list[int],
    room: list[int],
    agents: int,
    seats: list[int],
    observations: list[int],
    masks: list[int],
    choices: list[int],
    oracles: list[int],
    told: list[int],
    notes: list[int],
    totals: list[int],
    again: int,
    actions: list[int],
    rewards: list[int],
    ended: list[int],
) -> None:
    """Do the legal action of table `i`, and write what its agent sees next; see `step_tables`."""
    for other in range(table.seats):
        rewards[i * table.seats + other] = 0
    ended[i] = 0
    if seats[i] < 0:
        return
    m = mine[first + table.seats]
    act_at(table, s, h, i, actions[i], agents, told, notes)
    seat = to_agent(table, s, h, mine, kinds, first, i, agents, told, notes)
    counts = 1  # whether a hand that is over does
    while seat < 0:
        if counts and (s.phase == DONE or again < 0):
            for other in range(table.seats):
                rewards[i * table.seats + other] += margin(table, s, other)
            ended[i] = 1
            if MATCHES and len(totals):
                ended[i] = add_up(table, s, totals, i * table.seats, room)
            if ended[i]:
                look(s, h, m, seats[i])
                if again != 1:
                    break
                write_rows(table, s, h, m, i, observations, oracles)
                keep_last(table, i, len(seats), observations, oracles, told, totals)
        if ended[i] or not (MATCHES and len(totals)):
            counts = 0  # an agent has to decide something first
        seat = deal_next(table, s, h, mine, kinds, first, i, pool, room, agents, told, notes)
    if seat >= 0:
        look(s, h, m, seat)
    seats[i] = seat
    write_rows(table, s, h, m, i, observations, oracles)
    write_mask(table, s, h, room, masks, choices, i)


@kernel
def step_tables(
    table: RuleTable,
    states: Sequence[State],
    hiddens: Sequence[Hidden],
    mine: Sequence[SeatInfo],
    kinds: list[int],
    pool: list[int],
    room: list[int],
    agents: int,
    seats: list[int],
    observations: list[int],
    masks: list[int],
    choices: list[int],
    oracles: list[int],
    told: list[int],
    notes: list[int],
    totals: list[int],
    again: int,
    actions: list[int],
    rewards: list[int],
    ended: list[int],
) -> int:
    """Do one action at each table, and write what its agent sees next.

    Args:
        table: the rules.
        states: the open cards of each table.
        hiddens: the closed cards of each.
        mine: what each seat knows, see `first_of`.
        kinds: each seat's bot, likewise.
        pool: the bots that they are drawn from.
        room: for the deck, and for numbers of actions, shape (`ACTIONS`,).
        agents: set of the seats that are agents.
        seats: which seat the agent of each table is; gets the next one, and -1 where an episode
            is over.
        observations: gets what each agent sees, and then once more for each table what it saw at
            the end where `again` begins the next; where that is over, what whoever acted sees.
        masks: gets what each agent may do, `MASK_WORDS` each.
        choices: gets `CHOICES` numbers beside each mask, see `write_mask`.
        oracles: gets what nobody may see, likewise twice; empty where nobody asks for it.
        told: gets what each seat was told, likewise twice; empty where nobody asks for it.
        notes: how much each seat of each table was told, tokens.
        totals: those of each table's match, and then once more those at the end of the last one;
            empty where an episode is a hand.
        again: 1 to begin the next episode at once where one has ended; -1 to deal nothing, not even
            after a hand that was cancelled, which then has ended.
        actions: what each table's agent does; nothing where its episode is over.
        rewards: gets what hands that ended were worth to each seat, their `margin` (points), or 0.
        ended: gets 1 where an episode ended, of a match the set of the seats that won it; else 0.

    Returns:
        The first table whose action its agent may not do, and then nothing was done anywhere; -1
        where all are legal.
    """
    for i in range(len(seats)):
        if seats[i] >= 0 and not may(choices, i, actions[i]):
            return i
    for i in range(len(seats)):
        step_table(
            table, i, states[i], hiddens[i], mine, kinds, first_of(table, i), pool, room, agents,
            seats, observations, masks, choices, oracles, told, notes, totals, again, actions,
            rewards, ended,
        )  # fmt: skip
    return -1
