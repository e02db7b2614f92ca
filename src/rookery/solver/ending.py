"""A position of the play phase, renumbered for the solver, and the stacks of its search.

The live cards get new numbers, suit by suit and rising in strength, trumps last, so that "beats"
is a comparison of numbers and a suit is a run of bits. Values are in *units*: the largest number
of points that divides everything still to be won. *Side* is the declarer's side, *rest* everybody
else, a blind hand among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rookery.rules.fields import cells
from rookery.rules.table import HAND_MAX, PLACES

PLIES: Final = 58  # cards of a deck, and one place behind them
DEPTHS: Final = HAND_MAX + 1
ROOM: Final = 32  # choices at one ply
SUITS: Final = 6
CROWNED: Final = 60  # stands for a black 2 that has met the Rook: no card beats it


@dataclass(slots=True)
class Ending:
    """What the search reads and changes; sets of cards are masks of the solver's own numbers.

    Lists "by ply" have a number for each card of the rest of the hand, lists "by trick" one for the
    start of each trick.
    """

    places: int = 0
    cards: int = 0
    tricks: int = 0  # tricks still to be completed, the current one among them
    suits: int = 0
    trump: int = -1  # suit of the trumps, -1 where none is left
    trumps: int = 0
    any_time: int = 0
    counters: int = 0  # the cards that are worth something
    black_2: int = -1  # these two where the rule about them still counts
    rook: int = -1
    classes: int = 0
    bits: int = 0  # of a field in a word
    most: int = 0  # fields that fit in a word
    unit: int = 1  # points
    base: int = 0  # points the side has, whatever comes
    each: int = 0  # units a trick brings by itself
    last: int = 0  # units the last trick brings
    prize: int = 0  # units of a bonus not yet decided
    sides: int = 0
    root: int = 0  # the ply to move
    nodes: int = 0  # cards played in the search
    limit: int = 0  # nodes after which the search pauses
    ply: int = 0  # where it paused
    paused: int = 0
    epoch: int = 0  # one number a position, so that the table need not be cleared
    relevant: int = 0
    slack: int = 0  # units by which an answer is better than was asked
    move: int = -1
    run_tricks: int = 0  # tricks that the leader can take one after another
    run_units: int = 0  # units of the cards in them
    slots: int = 0  # a mask: chains of the table, less one
    clock: int = 0  # where the next entry is written
    in_hands: int = 0  # the cards in all hands
    ours: int = 0  # mask of the places of the side
    hand: list[int] = cells(PLACES)
    team: list[int] = cells(PLACES)  # 1 for the declarer's side
    side: list[int] = cells(PLACES)  # side of each place by number, the declarer's 0
    after: list[int] = cells(PLACES)
    history_key: list[int] = cells(2 * PLACES)  # part of the key for who leads and what is broken
    engine_card: list[int] = cells(PLIES)  # the engine's number of a card
    solver_card: list[int] = cells(PLIES)  # the solver's number of an engine's card, -1 where gone
    suit: list[int] = cells(CROWNED + 1)
    value: list[int] = cells(CROWNED + 1)
    kind: list[int] = cells(PLIES)  # cards of one kind differ in rank alone
    of_kind: list[int] = cells(PLIES)  # the cards of a kind
    code: list[int] = cells(PLIES)  # who was dealt it, and its kind
    mask: list[int] = cells(SUITS)
    key_of: list[int] = cells(PLIES)
    blind: list[int] = cells(DEPTHS)  # card of the blind hand at each trick
    # By ply.
    trick_size: list[int] = cells(PLIES)  # place in the trick
    depth: list[int] = cells(PLIES)  # number of the trick
    turn: list[int] = cells(PLIES)
    led: list[int] = cells(PLIES)
    best: list[int] = cells(PLIES)
    best_place: list[int] = cells(PLIES)
    trick_units: list[int] = cells(PLIES)
    played: list[int] = cells(PLIES)
    decisive: list[int] = cells(PLIES)
    relevant_so_far: list[int] = cells(PLIES)  # relevant cards so far
    useless: list[int] = cells(PLIES)  # cards that are as useless as one that was tried
    least_slack: list[int] = cells(PLIES)  # the least slack so far
    count: list[int] = cells(PLIES)
    next_choice: list[int] = cells(PLIES)
    choice: list[int] = cells(PLIES * ROOM)
    score: list[int] = cells(PLIES * ROOM)
    # By trick.
    alive: list[int] = cells(DEPTHS)
    key: list[int] = cells(DEPTHS)
    need: list[int] = cells(DEPTHS)
    left: list[int] = cells(DEPTHS)
    won: list[int] = cells(DEPTHS)  # tricks of each side, five bits a side
    open: list[int] = cells(DEPTHS)  # 1 while the prize is undecided
    broken: list[int] = cells(DEPTHS)
    word: list[int] = cells(DEPTHS * SUITS)
    has_words: list[int] = cells(DEPTHS)  # 1 where every suit has its word
    killer: list[int] = cells(DEPTHS * PLACES, -1)
    # What is asked at the root, and what is known of it: all in units from the first ply on.
    options: int = 0  # cards worth trying at the root
    job: int = 0  # 0: the position; i: the i-th of those cards
    job_open: int = 0  # whether the job has begun
    floor: int = 0
    ceiling: int = 0
    guess: int = 0
    value_low: int = 0
    value_high: int = 0
    units_before: list[int] = cells(
        DEPTHS
    )  # units the side has at the start of a trick, up to the root
    option: list[int] = cells(ROOM)
    equivalent: list[int] = cells(ROOM)  # the engine's cards that an option stands for
    low: list[int] = cells(ROOM)
    high: list[int] = cells(ROOM)
