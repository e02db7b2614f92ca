"""The paper's four characters at the game of its title: whole games, from deal to target."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.decide import decide, decide_card
from rookery.bots.mine import Mine, forget, look, look_at_trick
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.match import book, winners
from rookery.engine.rng import WORD, below, seeded
from rookery.engine.state import DONE, PLAY, Hidden, State
from rookery.engine.step import actor, apply
from rookery.engine.trick import play
from rookery.lab.tally import HANDS, Tally, close_game, note_trick, open_game
from rookery.rules.table import RuleTable


@kernel
def play_noting(
    table: RuleTable, s: State, h: Hidden, mine: Sequence[Mine], t: Tally, dealer: int
) -> None:
    """Deal a hand and play it to its end, noting who wins each trick."""
    shuffle(table, h, t.order)
    deal(table, s, h, t.order, dealer)
    for seat in range(table.seats):
        forget(mine[seat])
    while s.phase < PLAY:
        m = mine[s.turn]
        look(table, s, h, m)
        apply(table, s, h, decide(table, s, m, t.cast[s.turn]))
    while s.phase == PLAY:
        trick = s.tricks
        seat = actor(s) if table.dummy else s.turn
        m = mine[seat]
        look_at_trick(table, s, h, m)
        play(table, s, h, decide_card(table, s, m, t.cast[seat]))
        if s.tricks > trick:
            note_trick(t, trick * 3 // table.hand_size, s.leader)


@kernel
def real_games(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[Mine],
    t: Tally,
    seed: int,
    first: int,
    games: int,
) -> None:
    """Play games `first` to ``first + games - 1`` by the rules in `table`, each from its own seed.

    The seats are drawn for each game, seat 0 deals first and the deal moves left. A deal that ends
    unscored is dealt again by the same dealer and is no hand.
    """
    for game in range(first, first + games):
        h.rng = seeded(seed, game)
        open_game(h, t)
        for seat in range(table.seats):
            mine[seat].rng = seeded(below(h, WORD >> 1), seat)
        won = 0
        dealer = 0
        while not won:
            play_noting(table, s, h, mine, t, dealer)
            if s.phase == DONE:
                book(table, s, t.total)
                won = winners(table, s, t.total)
                dealer = (dealer + 1) % table.seats
                t.row[HANDS] += 1
        close_game(t, won)
