"""The scratch paper of a searching bot, and which actions it weighs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.engine.actions import ACTIONS, BID, ENOUGH, PASS, legal
from rookery.engine.card_sets import lowest
from rookery.engine.kernel import kernel
from rookery.engine.state import AUCTION, CALL, CIRCUS_PASS, NEST, PLAY, Hidden, State
from rookery.rules.fields import cells
from rookery.rules.order import SUITS
from rookery.rules.table import PLACES, RuleTable
from rookery.solver.constraints import Constraints, find_constraints


@dataclass(slots=True)
class Thought:
    """What is being weighed. The first `alive` of the `count` actions are still in the running."""

    count: int = 0
    alive: int = 0
    action: list[int] = cells(ACTIONS)
    tried: list[int] = cells(ACTIONS)  # in how many worlds
    total: list[int] = cells(ACTIONS)  # what these were worth together
    square: list[int] = cells(ACTIONS)  # and the squares of what each was worth
    stood: list[int] = cells(ACTIONS)  # in how many of them the contract stood that is meant
    made: list[int] = cells(ACTIONS)  # in how many of these it was made
    worths: list[int] = cells(ACTIONS)  # of the tries made last, action by action in each world
    kinds: list[int] = cells(PLACES)  # who plays the worlds to their ends
    match: int = 0  # 1: what counts is to win the match
    standing: list[int] = cells(PLACES)  # the totals before this hand
    after: list[int] = cells(PLACES)  # scratch: the totals after it
    bid_at: list[int] = cells(PLACES)  # the last bid of each seat, points; 0 where it made none
    bid_price: list[int] = cells(PLACES)  # the highest bid before it
    bid_mate: list[int] = cells(PLACES)  # 1 where that was its partner's
    pass_at: list[int] = cells(PLACES)  # the lowest bid that a seat passed by, 0 where it did not
    pass_price: list[int] = cells(PLACES)
    pass_mate: list[int] = cells(PLACES)
    heed: int = 1  # 1: what was called tells which worlds are likely
    scatter: int = 25  # how far others may hope beside the script, hundredths of a hand's points
    doubt: int = 4  # what defenders take beyond the script's, hundredths of a hand's points
    anew: int = 0  # 1: in every world the declarer has chosen what he laid away
    heard: int = 0  # 1: somebody has called in the auction
    recall: int = 1024  # what a card that the script would not have played leaves, 1024ths
    played: int = 0  # cards played so far, in `card`; 0 where they are not to tell anything
    card: list[int] = cells(CARDS)
    open: int = 0  # 1: the true world is given, none is drawn


@kernel
def consider(table: RuleTable, s: State, m: SeatInfo, world: Hidden, t: Thought, rest: int) -> None:
    """List the actions worth weighing: of a ladder of bids a few, of equal cards one.

    `world` is any that the seat holds possible; `rest` are the cards of others.
    """
    t.count = 0
    if s.phase == PLAY:
        consider_cards(table, s, m, t, rest)
    elif s.phase == NEST or s.phase == CALL or s.phase == CIRCUS_PASS:
        cards = m.cards
        while cards:
            t.action[t.count] = lowest(cards)
            t.count += 1
            cards &= cards - 1
        if s.phase == CALL and s.called_count:
            t.action[t.count] = ENOUGH
            t.count += 1
    else:
        t.count = legal(table, s, world, t.action)
        if s.phase == AUCTION:
            thin_out_bids(t)


@kernel
def thin_out_bids(t: Thought) -> None:
    """Keep the lowest bids and ever fewer of the higher ones, and whatever is no bid."""
    kept = 0
    seen = 0
    one = 2
    two = 3
    for i in range(t.count):
        action = t.action[i]
        if BID <= action < PASS:
            seen += 1
            if seen > 2 and seen != two:
                continue
            if seen == two:
                two += one
                one = two - one
        t.action[kept] = action
        kept += 1
    t.count = kept


@kernel
def consider_cards(table: RuleTable, s: State, m: SeatInfo, t: Thought, rest: int) -> None:
    """List the cards to play, one of each run of equals."""
    others = (rest | s.trick_cards) & ~m.hand
    cards = m.cards
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        known = False
        for i in range(t.count):
            if not known:
                known = equal(table, s.row, card, t.action[i], others)
        if not known:
            t.action[t.count] = card
            t.count += 1


@kernel
def equal(table: RuleTable, row: int, card: int, twin: int, others: int) -> bool:
    """Return whether it makes no difference which of two cards of a hand is played.

    Two cards of a suit are equal if they are worth the same and no card that somebody else may yet
    play, or has played to this trick, stands between them.
    """
    base = row * 57
    if table.suit[base + card] != table.suit[base + twin] or table.value[twin] != table.value[card]:
        return False
    low = min(table.strength[base + twin], table.strength[base + card])
    high = max(table.strength[base + twin], table.strength[base + card])
    between = others & table.mask[row * SUITS + table.suit[base + card]]
    while between:
        strength = table.strength[base + lowest(between)]
        if low < strength < high:
            return False
        between &= between - 1
    return True


def standing_for(
    table: RuleTable, s: State, m: SeatInfo, action: int, among: Sequence[int]
) -> int | None:
    """Return which of some actions makes the same as `action`: itself, or an equal card; else None.

    The seat of `m` is to act; of its notes the one on its own cards is brought up to date.
    """
    if action in among or s.phase != PLAY:
        return action if action in among else None
    known = Constraints()
    find_constraints(table, s, m, known)
    others = (known.unseen | known.own | s.exposed | s.trick_cards) & ~m.hand
    return next((one for one in among if equal(table, s.row, action, one, others)), None)


@kernel
def begin_tries(t: Thought) -> None:
    """Put all listed actions in the running, none of them tried yet."""
    t.alive = t.count
    for i in range(t.count):
        t.tried[i] = 0
        t.total[i] = 0
        t.square[i] = 0
        t.stood[i] = 0
        t.made[i] = 0


@kernel
def put_first(
    table: RuleTable, s: State, m: SeatInfo, t: Thought, rest: int, favourite: int
) -> None:
    """Put `favourite` before the other actions, in the place of its equal where it has one.

    With it all that is equally good gives way to it, and it stands where time runs out.
    """
    at = -1
    for i in range(t.count):
        if t.action[i] == favourite:
            at = i
    if at < 0 and s.phase == PLAY:
        others = (rest | s.trick_cards) & ~m.hand
        for i in range(t.count):
            if at < 0 and equal(table, s.row, favourite, t.action[i], others):
                at = i
    if at < 0:
        at = t.count
        t.count += 1
    while at > 0:
        t.action[at] = t.action[at - 1]
        at -= 1
    t.action[0] = favourite
