"""The two records that the engine plays on: what everybody sees, and what somebody does not.

`State` holds what every seat can see, `Hidden` what some seat cannot. A bot is given the first and
never the second. *Places* are the seats in clockwise order and, at index ``seats``, a blind hand
where the rules have one. Points are game points, sets of cards 57-bit masks, sets of seats bit
masks, "nobody" and "none" -1.

A new field is written once, here: the kernels that clear and copy a record are made from its
fields, and so are the records of compiled code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rookery.engine.kernel import generated_kernel
from rookery.engine.records import clearing_source, copying_source
from rookery.rules.fields import cells
from rookery.rules.table import HAND_MAX, PLACES, RuleTable

PHASES: Final = (
    "auction", "nest", "trump", "rook", "call", "leader", "circus", "play", "done", "redealt",
)  # fmt: skip
AUCTION, NEST, TRUMP_CALL, ROOK_RANK, CALL, LEADER, CIRCUS_PASS, PLAY, DONE, REDEALT = range(
    len(PHASES)
)

_EACH: Final = "table.seats + table.blind"  # how many places the rules have


@dataclass(slots=True)
class State:
    """Everything that lies open."""

    phase: int = 0
    turn: int = 0  # the place whose call or card is due
    dealer: int = 0
    calls: int = 0  # calls made in the auction
    silent: int = 0  # passes since the last bid
    passed: int = 0  # seats out of the auction
    high: int = 0  # highest bid, points
    bidder: int = -1
    sun: int = 0
    declarer: int = -1
    contract: int = 0  # points
    step: int = 0  # steps of the declaration that are behind us
    placed: int = 0  # cards of the new nest already laid
    statement: int = -1  # points said to be in the new nest, or 1 and 0 for yes and no
    face_up: int = 0  # nest cards that everybody has seen
    circus: int = 0
    call: int = -1
    caller: int = -1  # who made the final trump call
    rook_low: int = 0
    row: int = -1  # of the tables over trump calls
    called: list[int] = cells(2, -1)
    called_count: int = 0
    called_shown: int = 0  # how many called cards have been played
    allies: int = 0  # seats known to all to be on the declarer's side
    sides_known: int = 0
    dummy: int = -1  # seat of an open dummy
    exposed: int = 0  # cards of the dummy that lie open
    leader: int = 0
    led: int = -1  # effective suit led
    played: int = 0  # cards in the current trick
    heap: int = 0  # the cards of the current trick
    best: int = -1  # strength of the card that is winning it
    best_place: int = 0
    broken: int = 0  # a trump has been played
    tricks: int = 0  # complete tricks
    six: int = -1  # place whose side was the first with six tricks
    trick: list[int] = cells(PLACES, -1, used=_EACH)  # card of each place in the current trick
    shown: list[int] = cells(PLACES, used=_EACH)  # cards each place has played
    void: list[int] = cells(
        PLACES, used=_EACH
    )  # suits each place has shown to lack, bit k for suit k
    winner: list[int] = cells(HAND_MAX, -1, used="table.hand_size")  # who won each trick
    won: list[int] = cells(PLACES, used=_EACH)  # tricks won by each place
    taken: list[int] = cells(PLACES, used=_EACH)  # cards captured by each place
    made: int = 0
    points: list[int] = cells(PLACES, used=_EACH)  # each seat's side, this hand
    score: list[int] = cells(PLACES, used=_EACH)  # each seat, this hand


@dataclass(slots=True)
class Hidden:
    """Everything that lies face down."""

    rng: int = 1
    nest: int = 0  # the nest, later the discards
    pickup: int = 0  # the nest as the declarer found it
    allies: int = 0  # the declarer's side
    revoked: int = 0  # seats that failed to follow although able
    blind_at: int = 0
    hand: list[int] = cells(PLACES, used=_EACH)
    gift: list[int] = cells(PLACES, -1, used=_EACH)  # circus cards on their way
    # The blind hand in the order in which it plays.
    blind: list[int] = cells(19, -1, used="table.blind * table.hand_size")


clear_state: Callable[[RuleTable, State], None] = generated_kernel(
    clearing_source("clear_state", State), globals()
)
clear_hidden: Callable[[RuleTable, Hidden], None] = generated_kernel(
    clearing_source("clear_hidden", Hidden, "rng"), globals()
)
copy_state: Callable[[RuleTable, State, State], None] = generated_kernel(
    copying_source("copy_state", State), globals()
)
copy_hidden: Callable[[RuleTable, Hidden, Hidden], None] = generated_kernel(
    copying_source("copy_hidden", Hidden, "rng"), globals()
)
