"""Many tables at once: the kernels that do one action at each and play on to the next decision.

Some seats are agents, the others bots. A table waits for an agent, or its hand is over. A hand that
the rules cancel is dealt again and nobody is told. One that ends before an agent has decided
anything is nobody's doing: it counts for nothing, and the next is dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.dispatch import decide, decide_card
from rookery.bots.seat_info import SeatInfo, clear_notes, observe, observe_trick
from rookery.engine.actions import ACTIONS, actor, apply
from rookery.engine.card_sets import count, lowest
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.rng import below, seeded
from rookery.engine.state import DONE, PLAY, REDEALT, Hidden, State
from rookery.engine.trick import play
from rookery.envs.observation import MASK_WORDS, look, write_mask, write_observation
from rookery.lab.duplicate.boards import margin
from rookery.lab.run.streams import SHARE
from rookery.rules.table import PLACES, RuleTable

EACH: Final = PLACES + 1  # what each seat of a table knows, and last an agent's look and the dice


@kernel
def to_agent(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    first: int,
    kinds: list[int],
    agents: int,
) -> int:
    """Let bots act until an agent has to, and return its seat; -1 when the hand is over.

    Args:
        table: the rules.
        s: the open cards.
        h: the closed cards.
        mine: what each seat knows, from ``mine[first]`` on.
        first: where this table's seats begin, there and in `kinds`.
        kinds: each seat's bot.
        agents: set of the seats that are none.
    """
    while s.phase < DONE:
        seat = actor(s)
        if agents >> seat & 1:
            return seat
        m = mine[first + seat]
        if s.phase < PLAY:
            observe(table, s, h, m)
            apply(table, s, h, decide(table, s, m, kinds[first + seat]))
        else:
            observe_trick(table, s, h, m)
            play(table, s, h, decide_card(table, s, m, kinds[first + seat]))
    return -1


@kernel
def deal_on(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    first: int,
    kinds: list[int],
    pool: list[int],
    order: list[int],
    agents: int,
) -> int:
    """Deal until an agent has to act, and return its seat.

    The next seat deals, and after a hand that was cancelled the same one; bots are drawn from the
    pool for each hand.
    """
    seat = -1
    while seat < 0:
        dealer = s.dealer
        if s.phase != REDEALT:
            dealer = (dealer + 1) % table.seats
            for other in range(table.seats):
                kinds[first + other] = pool[below(mine[first + PLACES], len(pool))]
        shuffle(table, h, order)
        deal(table, s, h, order, dealer)
        for other in range(table.seats):
            clear_notes(mine[first + other])
        seat = to_agent(table, s, h, mine, first, kinds, agents)
    return seat


@kernel
def begin_tables(
    table: RuleTable,
    states: Sequence[State],
    hiddens: Sequence[Hidden],
    mine: Sequence[SeatInfo],
    kinds: list[int],
    pool: list[int],
    order: list[int],
    numbers: list[int],
    agents: int,
    width: int,
    seed: int,
    dealer: int,
    seats: list[int],
    observations: list[int],
    masks: list[int],
) -> None:
    """Deal a first hand at each table, and write what its agent sees; see `step_tables`.

    `dealer` deals at the first table, the next seat at the next one.
    """
    for i in range(len(seats)):
        s = states[i]
        h = hiddens[i]
        first = i * EACH
        h.rng = seeded(seed, i * SHARE)
        for other in range(EACH):
            mine[first + other].rng = seeded(seed, i * SHARE + 1 + other)
        s.dealer = (dealer + i + table.seats - 1) % table.seats  # deal_on takes the next
        s.phase = DONE
        seats[i] = deal_on(table, s, h, mine, first, kinds, pool, order, agents)
        look(s, h, mine[first + PLACES], seats[i])
        write_observation(table, s, mine[first + PLACES], observations, i * width)
        write_mask(table, s, h, numbers, masks, i * MASK_WORDS)


@kernel
def may(masks: list[int], i: int, action: int) -> bool:
    """Return whether an action is legal for the agent of table `i`."""
    inside = 0 <= action < ACTIONS
    return inside and masks[i * MASK_WORDS + (action >> 3)] >> 8 * (action & 7) & 1 == 1


@kernel
def step_tables(
    table: RuleTable,
    states: Sequence[State],
    hiddens: Sequence[Hidden],
    mine: Sequence[SeatInfo],
    kinds: list[int],
    pool: list[int],
    order: list[int],
    numbers: list[int],
    agents: int,
    width: int,
    again: int,
    actions: list[int],
    seats: list[int],
    rewards: list[int],
    ended: list[int],
    observations: list[int],
    last: list[int],
    masks: list[int],
) -> int:
    """Do one action at each table, and write what its agent sees next.

    Args:
        table: the rules.
        states: the open cards of each table.
        hiddens: the closed cards of each.
        mine: what each seat knows, `EACH` for each table.
        kinds: each seat's bot, likewise.
        pool: the bots that they are drawn from.
        order: room for the deck.
        numbers: room for numbers of actions, shape (`ACTIONS`,).
        agents: set of the seats that are agents.
        width: words of an observation.
        again: 1 to deal the next hand at once where one has ended; -1 to deal nothing, not even
            after a hand that was cancelled, which then has ended.
        actions: what each table's agent does; nothing where its hand is over.
        seats: which seat that is; gets the next one, and -1 where a hand is over.
        rewards: gets what a hand that ended was worth to each seat, its `margin` in points, else 0.
        ended: gets 1 where a hand ended, else 0.
        observations: gets what each agent sees; where a hand is over, what whoever acted sees.
        last: gets that too where `again` deals the next.
        masks: gets what each agent may do, `MASK_WORDS` each.

    Returns:
        The first table whose action its agent may not do, and then nothing was done anywhere; -1
        where all are legal.
    """
    for i in range(len(seats)):
        if seats[i] >= 0 and not may(masks, i, actions[i]):
            return i
    for i in range(len(seats)):
        for other in range(table.seats):
            rewards[i * table.seats + other] = 0
        ended[i] = 0
        if seats[i] < 0:
            continue
        s = states[i]
        h = hiddens[i]
        first = i * EACH
        m = mine[first + PLACES]
        apply(table, s, h, actions[i])
        seat = to_agent(table, s, h, mine, first, kinds, agents)
        if s.phase == REDEALT and again >= 0:
            seat = deal_on(table, s, h, mine, first, kinds, pool, order, agents)
        if seat < 0:
            ended[i] = 1
            for other in range(table.seats):
                rewards[i * table.seats + other] = margin(table, s, other)
            look(s, h, m, seats[i])
            if again == 1:
                write_observation(table, s, m, last, i * width)
                seat = deal_on(table, s, h, mine, first, kinds, pool, order, agents)
        if seat >= 0:
            look(s, h, m, seat)
        seats[i] = seat
        write_observation(table, s, m, observations, i * width)
        write_mask(table, s, h, numbers, masks, i * MASK_WORDS)
    return -1


@kernel
def draw_actions(dice: Sequence[SeatInfo], masks: list[int], actions: list[int]) -> None:
    """Draw a legal action for each table, each equally likely, with the dice ``dice[0].rng``.

    Where nothing is legal the action is 0.
    """
    m = dice[0]
    for i in range(len(actions)):
        at = i * MASK_WORDS
        n = 0
        for k in range(MASK_WORDS):
            n += count(masks[at + k])
        actions[i] = 0
        if n:
            n = below(m, n)
            k = 0
            while n >= count(masks[at + k]):
                n -= count(masks[at + k])
                k += 1
            rest = masks[at + k]
            for _ in range(n):
                rest &= rest - 1
            actions[i] = 8 * k + (lowest(rest) >> 3)
