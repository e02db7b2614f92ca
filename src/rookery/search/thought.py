"""The scratch paper of a searching bot, and which actions it weighs."""

from __future__ import annotations

from dataclasses import dataclass

from rookery.bots.mine import Mine
from rookery.engine.actions import ACTIONS, BID, ENOUGH, PASS
from rookery.engine.bits import lowest
from rookery.engine.kernel import kernel
from rookery.engine.state import AUCTION, CALL, CIRCUS_PASS, NEST, PLAY, Hidden, State
from rookery.engine.step import legal
from rookery.rules.fields import cells
from rookery.rules.order import SUITS
from rookery.rules.table import PLACES, RuleTable


@dataclass(slots=True)
class Thought:
    """What is being weighed. The first `alive` of the `count` actions are still in the running."""

    count: int = 0
    alive: int = 0
    action: list[int] = cells(ACTIONS)
    tried: list[int] = cells(ACTIONS)  # in how many worlds
    total: list[int] = cells(ACTIONS)  # sum of margins over the worlds
    made: list[int] = cells(ACTIONS)  # in how many of them the contract was made
    kinds: list[int] = cells(PLACES)  # who plays the worlds to their ends


@kernel
def consider(table: RuleTable, s: State, m: Mine, world: Hidden, t: Thought, rest: int) -> None:
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
    t.alive = t.count


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
def consider_cards(table: RuleTable, s: State, m: Mine, t: Thought, rest: int) -> None:
    """List the cards to play, one of each run of equals.

    Two cards of a suit are equal if they are worth the same and no card that somebody else may yet
    play, or has played to this trick, stands between them.
    """
    others = (rest | s.heap) & ~m.hand
    cards = m.cards
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        base = s.row * 57
        same = table.mask[s.row * SUITS + table.suit[base + card]]
        equal = False
        for i in range(t.count):
            twin = t.action[i]
            if same >> twin & 1 and table.value[twin] == table.value[card] and not equal:
                low = min(table.strength[base + twin], table.strength[base + card])
                high = max(table.strength[base + twin], table.strength[base + card])
                equal = True
                between = others & same
                while between:
                    strength = table.strength[base + lowest(between)]
                    if low < strength < high:
                        equal = False
                    between &= between - 1
        if not equal:
            t.action[t.count] = card
            t.count += 1
