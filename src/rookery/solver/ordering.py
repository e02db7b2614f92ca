"""Which cards are worth trying, and in what order.

Cards of one kind that lie next to each other among the live cards are as good as one another, so
only the highest of them is tried. The order is a guess: who would win the trick if everybody after
this card beat what they can.
"""

from __future__ import annotations

from rookery.engine.card_sets import count, highest, lowest
from rookery.engine.kernel import kernel
from rookery.engine.trick import may_follow
from rookery.rules.table import PLACES, RuleTable
from rookery.solver.ending import ROOM, Ending

FOLLOWS, DISCARDS = 60, 110  # what each card that another party may answer a lead with costs it


@kernel
def list_choices(table: RuleTable, w: Ending, ply: int, cards: int, first: int) -> None:
    """Write the choices at `ply` among some legal cards, the most promising first.

    `first` is a card to try before all others, if it is among them; -1 for none.
    """
    base = ply * ROOM
    if not cards & (cards - 1):
        w.choice[base] = lowest(cards)
        w.count[ply] = 1
        return
    others = rivals_of(w, ply)
    n = 0
    before = -1
    tried = 0
    while cards:
        card = highest(cards)
        cards ^= 1 << card
        if before < 0 or w.suit[card] != w.suit[before] or others & ((1 << before) - (1 << card)):
            tried = 0
        before = card
        kind = 1 << w.kind[card]
        if tried & kind == 0:
            tried |= kind
            w.choice[base + n] = card
            n += 1
    w.count[ply] = n
    if n > 1:  # the estimates take a large part of the time
        for at in range(base, base + n):
            card = w.choice[at]
            worth = 1 << 40 if card == first else estimate(table, w, ply, card)
            i = at
            while i > base and w.score[i - 1] < worth:
                w.score[i] = w.score[i - 1]
                w.choice[i] = w.choice[i - 1]
                i -= 1
            w.score[i] = worth
            w.choice[i] = card


@kernel
def rivals_of(w: Ending, ply: int) -> int:
    """Return the cards that can rank between two cards of the place on turn."""
    others = w.in_hands & ~w.hand[w.turn[ply]]
    return others | 1 << w.best[ply] if w.trick_size[ply] else others


@kernel
def equivalent_cards(w: Ending, ply: int, card: int) -> int:
    """Return the cards that are as good as `card`, a choice at `ply`, itself among them."""
    others = rivals_of(w, ply)
    cards = w.hand[w.turn[ply]] & w.mask[w.suit[card]] & ((1 << card) - 1)
    same = 1 << card
    while cards:
        lower = highest(cards)
        cards ^= 1 << lower
        if others & ((1 << card) - (1 << lower)):
            break
        if w.kind[lower] == w.kind[card]:
            same |= 1 << lower
    return same


@kernel
def estimate(table: RuleTable, w: Ending, ply: int, card: int) -> int:
    """Return how good a card looks for the place that plays it; more is better.

    A lead is good where the others have few cards to choose from, since all of them have to be
    tried. The numbers were found by trying, in the tournament game, the bridge game and others.
    """
    place = w.turn[ply]
    ours = w.team[place]
    suit = w.suit[card]
    spot = w.trick_size[ply]
    led = suit
    best = card
    winning = ours
    won = w.value[card]  # what the trick brings to its winner, if we are the winner and if not
    lost = won
    if spot:
        led = w.led[ply]
        won += w.trick_units[ply]
        lost += w.trick_units[ply]
        if card < w.best[ply] or (suit != w.trump and suit != w.suit[w.best[ply]]):
            best = w.best[ply]
            winning = w.team[w.best_place[ply]]
    leads = best == card
    answers = 0
    other = place
    for _ in range(w.places - 1 - spot):
        other = w.after[other]
        if spot == 0:
            cards = w.hand[other] & w.mask[led]
            weight = FOLLOWS
            if not cards:
                cards = w.hand[other]
                weight = DISCARDS
            most = richest(w, cards)
            least = 0 if cards & ~w.counters else 1
            if w.team[other] == ours:
                won += most
                lost += least
            else:
                won += least
                lost += most
                answers += weight * count(cards)
        if w.team[other] != winning:
            above = winning_cards(table, w, w.hand[other], led, best)
            if above:
                best = highest(above)
                winning = w.team[other]
    rank = card - lowest(w.mask[suit])
    score = 125 + 25 * won if winning == ours else -25 * lost
    if winning == ours and not leads:
        score += 10
    if spot == 0:
        score -= answers
        if winning == ours:
            score -= 2 * rank
        if suit == w.trump:
            score -= 10
        top = highest(w.in_hands & w.mask[suit])
        if top != card and w.hand[place] >> top & 1:
            score -= 20
        if card == w.killer[w.depth[ply] * PLACES + place]:
            score += 100
        return score
    score -= rank
    if winning != ours and leads:
        score += 15
    if led != suit:
        score += -50 if suit == w.trump else count(w.hand[place] & w.mask[suit])
    return score


@kernel
def winning_cards(table: RuleTable, w: Ending, hand: int, led: int, best: int) -> int:
    """Return the cards of a hand that may be played to a trick and would win it as it lies."""
    above = hand & -(2 << best)
    if not above:
        return 0
    suit = w.mask[led]
    return may_follow(table, hand, suit, w.trumps, w.any_time, above) & above & (suit | w.trumps)


@kernel
def richest(w: Ending, cards: int) -> int:
    """Return what the most valuable of some cards is worth, units; 0 for none."""
    most = 0
    rich = cards & w.counters
    while rich:
        most = max(most, w.value[lowest(rich)])
        rich &= rich - 1
    return most
