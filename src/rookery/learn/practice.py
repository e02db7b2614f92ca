"""Lessons: decisions from whole hands, and what each card turned out to be worth.

Hands are dealt, bid and declared by the script, whose hopes are stirred a little so that contracts
differ. At each decision of the play every card is tried out: in some worlds drawn from what the
seat knows, as the search does, or once in the true hands. The second is noisier and far cheaper,
and over many hands it knows what no drawn world does: how likely the cards are after all that was
bid and played. What is learned is an average over hands that look the same to the seat, so it
cannot come to depend on what the seat does not see.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rookery.bots.club_card import club_card
from rookery.bots.club_hand import all_points
from rookery.bots.decide import CLUB, decide
from rookery.bots.mine import Mine, forget, look, look_at_trick
from rookery.engine.bits import count
from rookery.engine.copies import copy_hidden
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.step import actor, apply
from rookery.engine.trick import play
from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS
from rookery.learn.net import MOST_CARDS, Floats, Ints, Net, Paper, score_cards
from rookery.learn.rehearse import try_cards
from rookery.learn.sight import describe, list_cards, place_of
from rookery.rules.table import RuleTable
from rookery.search.playout import temper
from rookery.search.thought import Thought, begin_tries
from rookery.solver.known import Known
from rookery.solver.sample import survey


class Lessons(NamedTuple):
    """Decisions, the cards of each in a row.

    Attributes:
        table: inputs of the table, float32, shape (decisions, `TABLE_INPUTS`).
        cards: inputs of the cards, float32, shape (cards, `CARD_INPUTS`).
        worth: what each card was worth to the seat's side above the others, parts of all points,
            float32, shape (cards,).
        script: the place of the script's card among those of its decision, shape (decisions,).
        start: the first card of each decision, and one more: shape (decisions + 1,).
    """

    table: Floats
    cards: Floats
    worth: Floats
    script: Ints
    start: Ints

    @property
    def owner(self) -> Ints:
        """The decision that each card belongs to, shape (cards,)."""
        return np.repeat(np.arange(len(self.table)), np.diff(self.start))


def blank(decisions: int) -> Lessons:
    """Return room for so many decisions, six cards each on average and a hand more."""
    cards = 6 * decisions + MOST_CARDS
    return Lessons(
        np.zeros((decisions, len(TABLE_INPUTS)), np.float32),
        np.zeros((cards, len(CARD_INPUTS)), np.float32),
        np.zeros(cards, np.float32),
        np.zeros(decisions, np.int64),
        np.zeros(decisions + 1, np.int64),
    )


@kernel
def begin_hand(
    table: RuleTable, s: State, h: Hidden, mine: Sequence[Mine], order: list[int], dealer: int,
    scatter: int,
) -> None:  # fmt: skip
    """Deal a hand with ``h.rng`` and let the script bid and declare, its hopes stirred by dice."""
    shuffle(table, h, order)
    deal(table, s, h, order, dealer)
    for seat in range(table.seats):
        forget(mine[seat])
        if scatter:
            temper(table, h, h.hand[seat], seat, mine[seat], scatter)
    while s.phase < PLAY:
        m = mine[s.turn]
        look(table, s, h, m)
        apply(table, s, h, decide(table, s, m, CLUB))


@kernel
def copy_inputs(lessons: Lessons, decision: int, cards: int, paper: Paper) -> None:
    """Copy the inputs of a decision of so many cards onto the paper."""
    first = lessons.start[decision]
    for column in range(lessons.table.shape[1]):
        paper.table[0, column] = lessons.table[decision, column]
    for i in range(cards):
        for column in range(lessons.cards.shape[1]):
            paper.cards[i, column] = lessons.cards[first + i, column]


@kernel
def gather(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[Mine],
    order: list[int],
    k: Known,
    world: Hidden,
    trial: State,
    closed: Hidden,
    cast: Sequence[Mine],
    t: Thought,
    inner: Thought,
    ways: list[float],
    net: Net,
    paper: Paper,
    lessons: Lessons,
    begin: int,
    end: int,
    seed: int,
    worlds: int,
    taught: int,
    stray: int,
) -> int:
    """Fill the decisions from `begin` to `end` of `lessons`; return how many hands were played.

    Args:
        table: the rules.
        s: scratch, as are all records to `inner`.
        h: scratch.
        mine: scratch.
        order: scratch.
        k: scratch.
        world: scratch.
        trial: scratch.
        closed: scratch.
        cast: scratch.
        t: scratch.
        inner: scratch.
        ways: scratch, `rookery.solver.sample.ROOM` numbers.
        net: the network.
        paper: its scratch paper.
        lessons: what is filled; ``start[begin]`` says where the cards go on.
        begin: the first decision to fill.
        end: one after the last.
        seed: a generator's state that all dice come from.
        worlds: how many worlds a card is tried in; 0 for once in the true hands.
        taught: how likely a seat plays by the network, in 256ths, tries included.
        stray: how often a card is played at random, in 256ths.
    """
    h.rng = seed
    hands = 0
    n = begin
    whole = 1.0 * all_points(table)
    while n < end:
        hands += 1
        begin_hand(table, s, h, mine, order, below(h, table.seats), 25)
        learned = 0
        for seat in range(table.seats):
            if below(h, 256) < taught:
                learned |= 1 << seat
        playing = (1 << table.seats) - 1 if taught else 0
        while s.phase == PLAY and n < end:
            seat = actor(s) if table.dummy else s.turn
            m = mine[seat]
            look_at_trick(table, s, h, m)
            card = club_card(table, s, m)
            if m.cards & (m.cards - 1):
                list_cards(table, s, m, t)
                if t.count > 1:
                    first = lessons.start[n]
                    script = place_of(table, s, m, t, card)
                    describe(table, s, m, t, script, lessons.table, lessons.cards, n, first)
                    begin_tries(t)
                    if worlds:
                        survey(table, s, m, k, ways)
                        world.rng = h.rng
                    else:
                        copy_hidden(table, h, world)
                    t.open = 0 if worlds else 1
                    try_cards(
                        table, s, m, k, world, trial, closed, cast, t, ways, max(1, worlds),
                        inner, net, paper, playing,
                    )  # fmt: skip
                    if worlds:
                        h.rng = world.rng
                    side = count(table.partners[m.seat])
                    scale = whole * side * (table.seats - side)
                    for i in range(t.count):
                        lessons.worth[first + i] = t.total[i] / (scale * t.tried[i])
                    lessons.script[n] = script
                    lessons.start[n + 1] = first + t.count
                    if learned >> seat & 1:
                        copy_inputs(lessons, n, t.count, paper)
                        card = t.action[score_cards(net, paper, t.count)]
                    n += 1
                    if below(h, 256) < stray:
                        card = t.action[below(h, t.count)]
            play(table, s, h, card)
    return hands
