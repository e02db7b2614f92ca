"""The search: does the declarer's side reach so many units from here?

It walks over cards, not by recursion but over stacks in `Ending`, so that it allocates nothing, can
be inlined and can pause. Every answer comes with the cards whose rank it rested on.
"""

from __future__ import annotations

from typing import Final

from rookery.engine.card_sets import lowest
from rookery.engine.kernel import kernel
from rookery.engine.trick import ranked_cards
from rookery.rules.table import PLACES, RuleTable
from rookery.solver.bounds import certain_tricks, last_trick
from rookery.solver.ending import ROOM, Ending
from rookery.solver.move import choices, make, unmake
from rookery.solver.ordering import equivalent_cards, list_choices
from rookery.solver.transpositions import describe, look_up, store

ENTER, NEXT, SETTLE, BACK = 0, 1, 2, 3
OPEN: Final = -1
PLENTY: Final = 1 << 40


@kernel
def search(table: RuleTable, w: Ending, memory: list[int]) -> int:
    """Return 1 if the side can take ``w.need`` units from ``w.root`` on, 0 if not, OPEN if paused.

    A paused search is taken up again by the next call. ``w.move`` is the card that decided at the
    root, -1 where none did.
    """
    ply = w.root
    if w.paused:
        ply = w.ply
        w.paused = 0
    stage = ENTER
    result = OPEN
    relevant = 0
    slack = 0
    while True:
        if stage == ENTER:
            if w.nodes >= w.limit:
                w.ply = ply
                w.paused = 1
                return OPEN
            result = OPEN
            w.move = -1
            if w.trick_size[ply] == 0:
                result = settled_early(table, w, memory, ply)
                relevant = w.relevant
                slack = w.slack
            if result == OPEN:
                list_choices(table, w, ply, choices(table, w, ply), w.move)
                w.next_choice[ply] = 0
                w.relevant_so_far[ply] = 0
                w.useless[ply] = 0
                w.least_slack[ply] = PLENTY
                stage = NEXT
            else:
                stage = BACK
        elif stage == NEXT:
            at = w.next_choice[ply]
            if at < w.count[ply]:
                w.next_choice[ply] = at + 1
                if w.useless[ply] >> w.choice[ply * ROOM + at] & 1:
                    continue
                w.nodes += 1
                make(table, w, ply, w.choice[ply * ROOM + at])
                ply += 1
                stage = ENTER
            else:
                result = 1 - w.team[w.turn[ply]]
                relevant = w.relevant_so_far[ply]
                slack = w.least_slack[ply]
                w.move = -1
                stage = SETTLE
        elif stage == SETTLE:
            if w.trick_size[ply] == 0:
                depth = w.depth[ply]
                ranked = ranked_cards(table, w.alive[depth], w.trumps)
                if ranked:
                    relevant |= 1 << lowest(ranked)
                if w.has_words[depth]:
                    store(w, memory, depth, w.turn[ply], w.need[depth], result, relevant, slack)
            stage = BACK
        else:
            if ply == w.root:
                w.slack = slack
                return result
            ply -= 1
            unmake(w, ply)
            if w.trick_size[ply + 1] == 0:
                relevant |= w.decisive[ply]
            if result == w.team[w.turn[ply]]:
                w.move = w.played[ply]
                if w.trick_size[ply] == 0:
                    w.killer[w.depth[ply] * PLACES + w.turn[ply]] = w.move
                stage = SETTLE
            else:
                card = w.played[ply]
                if relevant >> card & 1:
                    # It won by rank, and so would those that it was tried for.
                    relevant |= equivalent_cards(w, ply, card)
                elif not ranked_cards(table, w.alive[w.depth[ply]], w.trumps):
                    w.useless[ply] |= useless_cards(w, card, relevant)
                w.relevant_so_far[ply] |= relevant
                w.least_slack[ply] = min(w.least_slack[ply], slack)
                stage = NEXT


@kernel
def useless_cards(w: Ending, card: int, relevant: int) -> int:
    """Return the cards that fail as `card` did, where that depended on these relevant cards.

    They are of its kind and suit, and their ranks were of no importance, nor was its own.
    """
    same = w.mask[w.suit[card]]
    higher = relevant & same
    if higher:
        low = higher & -higher
        return w.of_kind[w.kind[card]] & same & (low - 1) if 1 << card < low else 0
    return w.of_kind[w.kind[card]] & same


@kernel
def settled_early(table: RuleTable, w: Ending, memory: list[int], ply: int) -> int:
    """Return 1 or 0 if a trick's start needs no search, else OPEN and a card in ``w.move``."""
    depth = w.depth[ply]
    need = w.need[depth]
    w.relevant = 0
    if need <= 0:
        w.slack = -need
        return 1
    if need > w.left[depth]:
        w.slack = need - 1 - w.left[depth]
        return 0
    if depth + 1 == w.tricks:
        return last_trick(table, w, ply)
    result = certain_tricks(table, w, ply)
    if result == OPEN:
        if ply > w.root:
            describe(w, ply)
        if w.has_words[depth]:
            result = look_up(w, memory, depth, w.turn[ply], need)
    return result
