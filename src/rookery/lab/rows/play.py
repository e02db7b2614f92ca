"""Hands played with every decision recorded: the same hands as those of a match.

A kernel fills three flat tables of whole numbers, one row after the other.
`rookery.lab.rows.frames` makes frames of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.dispatch import decide, decide_card
from rookery.bots.random_bot import random_action
from rookery.bots.seat_info import SeatInfo, observe, observe_trick
from rookery.cards import CARDS
from rookery.engine.actions import BID_LEVELS, actor, among, apply, legal, permitted
from rookery.engine.card_sets import lowest, points_of
from rookery.engine.kernel import kernel
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.trick import next_place, play
from rookery.lab.duplicate.boards import begin_room, draw_board
from rookery.rules.table import PLACES, RuleTable

# Columns of a hand.
BOARD, ROOM, DEALER, PHASE, DECLARER, CONTRACT, SUN_BID, CALL, ROOK_LOW, MADE = range(10)
CALLED: Final = 10  # two cards
SIDE: Final = 12  # mask of the declarer's side
PICKUP: Final = 13  # the nest as the declarer found it; 0 where nobody took it up
DISCARDS: Final = 14  # the nest after that
POINTS: Final = 15
SCORE: Final = POINTS + PLACES
SITTING: Final = SCORE + PLACES  # the bots; SEATED is a word of `rookery.bots.dispatch`
DEALT: Final = SITTING + PLACES  # the deck in the order dealt
HAND: Final = DEALT + CARDS

# Columns of a trick; the cards are in the order played.
TRICK_HAND, NUMBER, LEADER, WINNER, WORTH, LAID = range(6)
TRICK: Final = LAID + PLACES

# Columns of a decision.
OF_HAND, STEP, SEAT, PLACE, IN_PHASE, ACTION, CHOICES = range(7)
DECISION: Final = 7

# In a hand, at most: between two bids everybody else passes; then come discards and plays.
MOST_DECISIONS: Final = PLACES * (BID_LEVELS + 2) + 3 * CARDS

HANDS_USED, TRICKS_USED, DECISIONS_USED = range(3)  # places in the counts of rows


@kernel
def note_decision(
    s: State,
    seat: int,
    action: int,
    choices: int,
    step: int,
    used: list[int],
    decisions: list[int],
) -> None:
    """Record the decision that `seat` is about to carry out, one of so many choices."""
    at = used[DECISIONS_USED] * DECISION
    decisions[at + OF_HAND] = used[HANDS_USED]
    decisions[at + STEP] = step
    decisions[at + SEAT] = seat
    decisions[at + PLACE] = s.turn
    decisions[at + IN_PHASE] = s.phase
    decisions[at + ACTION] = action
    decisions[at + CHOICES] = choices
    used[DECISIONS_USED] += 1


@kernel
def note_trick(table: RuleTable, s: State, leader: int, used: list[int], tricks: list[int]) -> None:
    """Record the trick that has just been completed."""
    at = used[TRICKS_USED] * TRICK
    tricks[at + TRICK_HAND] = used[HANDS_USED]
    tricks[at + NUMBER] = s.tricks - 1
    tricks[at + LEADER] = leader
    tricks[at + WINNER] = s.winner[s.tricks - 1]
    heap = 0
    place = leader
    for i in range(table.seats + table.blind):
        tricks[at + LAID + i] = s.trick[place]
        heap |= 1 << s.trick[place]
        place = next_place(table, s, place)
    tricks[at + WORTH] = points_of(table, heap)
    used[TRICKS_USED] += 1


@kernel
def note_hand(
    table: RuleTable,
    s: State,
    h: Hidden,
    kinds: list[int],
    order: list[int],
    board: int,
    number: int,
    used: list[int],
    hands: list[int],
) -> None:
    """Record a finished hand; rows that follow belong to the next hand."""
    at = used[HANDS_USED] * HAND
    hands[at + BOARD] = board
    hands[at + ROOM] = number
    hands[at + DEALER] = s.dealer
    hands[at + PHASE] = s.phase
    hands[at + DECLARER] = s.declarer
    hands[at + CONTRACT] = s.contract
    hands[at + SUN_BID] = s.sun
    hands[at + CALL] = s.call
    hands[at + ROOK_LOW] = s.rook_low
    hands[at + MADE] = s.made
    hands[at + CALLED] = s.called[0]
    hands[at + CALLED + 1] = s.called[1]
    hands[at + SIDE] = h.allies
    hands[at + PICKUP] = h.pickup
    hands[at + DISCARDS] = h.nest
    for seat in range(table.seats):
        hands[at + POINTS + seat] = s.points[seat]
        hands[at + SCORE + seat] = s.score[seat]
        hands[at + SITTING + seat] = kinds[seat]
    for i in range(table.cards):
        hands[at + DEALT + i] = order[i]
    used[HANDS_USED] += 1


@kernel
def play_noted(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    room: list[int],
    used: list[int],
    decisions: list[int],
    tricks: list[int],
) -> None:
    """Play the dealt hand to its end as a match does, and record every decision and trick."""
    step = 0
    while s.phase < PLAY:
        seat = s.turn
        m = mine[seat]
        observe(table, s, h, m)
        cards = m.cards
        action = decide(table, s, m, kinds[seat])
        if not permitted(table, s, h, cards, action):
            m.cards = cards
            action = random_action(table, s, m)
        note_decision(s, seat, action, legal(table, s, h, room), step, used, decisions)
        apply(table, s, h, action)
        step += 1
    while s.phase == PLAY:
        seat = actor(s)
        m = mine[seat]
        observe_trick(table, s, h, m)
        cards = m.cards
        card = decide_card(table, s, m, kinds[seat])
        if not among(cards, card):
            card = lowest(cards)
        note_decision(s, seat, card, legal(table, s, h, room), step, used, decisions)
        leader = s.leader
        complete = s.tricks
        play(table, s, h, card)
        if s.tricks > complete:
            note_trick(table, s, leader, used, tricks)
        step += 1


@kernel
def play_boards_noted(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    lineup: list[int],
    kinds: list[int],
    dice: list[int],
    order: list[int],
    rooms: int,
    seed: int,
    first: int,
    boards: int,
    used: list[int],
    hands: list[int],
    tricks: list[int],
    decisions: list[int],
    room: list[int],
    capacity: int,
) -> int:
    """Play and record boards as `rookery.lab.duplicate.boards.play_boards` does.

    Returns how many were played: fewer than `boards` where `decisions` may be too small for more.
    The arguments up to `boards` are those of `play_boards`. Then come the rows written so far of
    each table, the tables themselves (rows of `HAND`, `TRICK` and `DECISION` numbers), room for
    `legal` to write in, shape (ACTIONS,), and for how many decisions there is room.
    """
    for board in range(first, first + boards):
        if used[DECISIONS_USED] + rooms * MOST_DECISIONS > capacity:
            return board - first
        draw_board(table, s, h, dice, order, seed, board)
        for number in range(rooms):
            begin_room(table, s, h, mine, lineup, kinds, dice, order, board, number)
            play_noted(table, s, h, mine, kinds, room, used, decisions, tricks)
            note_hand(table, s, h, kinds, order, board, number, used, hands)
    return boards
