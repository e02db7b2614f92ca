"""What a bridge solver says of a position of the bridge-like rule set."""

from __future__ import annotations

from endplay.dds import solve_board
from endplay.dds.solve import SolveMode
from endplay.types import Deal, Denom, Player
from tests.solver.positions import Position

from rookery.cards import COLOURS, card_name, colour_of, rank_of, unpack
from rookery.solver.setup import side_solved

RANKS = "?A23456789TJQK"
ORDER = "AKQJT98765432"


def bridge_deal(position: Position) -> Deal:
    """Return the position as endplay has it, the cards of the current trick played."""
    _, s, h = position
    hands = h.hand[:4]
    order = [(s.leader + i) % 4 for i in range(s.trick_size)]
    for seat in order:
        hands[seat] |= 1 << s.trick[seat]
    deal = Deal("N:" + " ".join(map(_written, hands)), first=Player(s.leader), trump=_denom(s.row))
    for seat in order:
        deal.play(card_name(s.trick[seat], "standard").replace("10", "T"))
    return deal


def _written(hand: int) -> str:
    suits = (
        sorted((RANKS[rank_of(c)] for c in unpack(hand) if colour_of(c) == suit), key=ORDER.index)
        for suit in range(COLOURS)
    )
    return ".".join("".join(suit) for suit in suits)


def _denom(row: int) -> Denom:
    return Denom(min(row, 4))


def value_in_tricks(position: Position, deal: Deal) -> int:
    """Return the tricks of the declarer's side, from one call of the bridge solver."""
    table, s, h = position
    _, tricks = next(iter(solve_board(deal, SolveMode.OptimalOne)))
    ours = side_solved(table, s, h)
    won = sum(s.won[seat] for seat in unpack(ours))
    rest = table.hand_size - s.tricks
    return int(won + (tricks if ours >> s.turn & 1 else rest - tricks))


def dds_value(position: Position) -> int:
    """Return the tricks of the declarer's side."""
    return value_in_tricks(position, bridge_deal(position))
