"""How the network plays a card, and how it plays on to the end of a hand."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.club_card import club_card
from rookery.bots.mine import Mine, look_at_trick
from rookery.engine.kernel import kernel
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.step import actor
from rookery.engine.trick import play
from rookery.learn.net import Net, Paper, score_cards
from rookery.learn.sight import describe, list_cards, place_of
from rookery.rules.table import RuleTable
from rookery.search.thought import Thought


@kernel
def weigh_cards(
    table: RuleTable, s: State, m: Mine, t: Thought, script: int, net: Net, paper: Paper
) -> int:
    """Score the listed cards on the paper; return the place of the best. `script` is a card."""
    place = place_of(table, s, m, t, script)
    describe(table, s, m, t, place, paper.table, paper.cards, 0, 0)
    return score_cards(net, paper, t.count)


@kernel
def taught_card(
    table: RuleTable, s: State, m: Mine, t: Thought, net: Net, paper: Paper, learned: bool
) -> int:
    """Return the card that the network plays if it has `learned`, else what the script plays."""
    card = club_card(table, s, m)
    if learned and m.cards & (m.cards - 1):
        list_cards(table, s, m, t)
        if t.count > 1:
            card = t.action[weigh_cards(table, s, m, t, card, net, paper)]
    return card


@kernel
def play_on(
    table: RuleTable,
    s: State,
    h: Hidden,
    cast: Sequence[Mine],
    net: Net,
    paper: Paper,
    t: Thought,
    learned: int,
) -> None:
    """Play a hand's tricks to the end: the seats of `learned` by the network, others by script."""
    while s.phase == PLAY:
        seat = actor(s) if table.dummy else s.turn
        m = cast[seat]
        look_at_trick(table, s, h, m)
        knows = learned >> seat & 1 == 1
        play(table, s, h, taught_card(table, s, m, t, net, paper, knows))
