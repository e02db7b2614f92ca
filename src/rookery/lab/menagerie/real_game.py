"""The paper's four characters at the game of its title: whole games, from deal to target."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.seat_info import SeatInfo
from rookery.engine.kernel import kernel
from rookery.engine.match import add_scores, winners
from rookery.engine.rng import WORD, below, seeded
from rookery.engine.state import Hidden, State
from rookery.lab.menagerie.tally import HANDS, Tally, close_game, note_trick, open_game
from rookery.lab.run.streams import play_deal
from rookery.rules.table import RuleTable


@kernel
def open_real_game(
    table: RuleTable, h: Hidden, mine: Sequence[SeatInfo], t: Tally, seed: int, game: int
) -> None:
    """Draw the seats of a game, and every seat's dice, from the game's own seed."""
    h.rng = seeded(seed, game)
    open_game(h, t)
    for seat in range(table.seats):
        mine[seat].rng = seeded(below(h, WORD >> 1), seat)


@kernel
def book_hand(table: RuleTable, s: State, t: Tally) -> int:
    """Add a finished hand's scores; return the mask of the seats that have won the game, or 0."""
    for trick in range(table.hand_size):
        note_trick(t, trick * 3 // table.hand_size, s.winner[trick])
    add_scores(table, s, t.total)
    t.row[HANDS] += 1
    return winners(table, s, t.total)


@kernel
def real_games(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    t: Tally,
    seed: int,
    first: int,
    games: int,
) -> None:
    """Play games `first` to ``first + games - 1`` by the rules in `table`, each from its own seed.

    The seats are drawn for each game. Seat 0 deals first and the deal moves left. An unscored deal
    is dealt again by the same dealer and does not count as a hand.
    """
    for game in range(first, first + games):
        open_real_game(table, h, mine, t, seed, game)
        won = 0
        dealer = 0
        while not won:
            play_deal(table, s, h, mine, t.cast, t.order, dealer)
            won = book_hand(table, s, t)
            dealer = (dealer + 1) % table.seats
        close_game(t, won)
