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

_EACH: Final = "table.seats + table.blind"  # one for each place


@dataclass(slots=True)
class State:
    """Everything that lies open: what all seats can see."""

    phase: int = 0  # a place in `PHASES`
    turn: int = 0  # the place whose call or card is due
    dealer: int = 0
    # The auction.
    calls: int = 0  # how many calls were made
    passes_in_a_row: int = 0  # passes since the last bid
    passed: int = 0  # set of the seats that are out of the auction
    high: int = 0  # highest bid, points
    bidder: int = -1  # who made it
    sun: int = 0  # 1 if it is the Sun
    # The declaration.
    declarer: int = -1
    contract: int = 0  # points
    step: int = 0  # how many steps of the declaration are done
    discarded: int = 0  # how many cards of the new nest are chosen
    statement: int = -1  # points said to be in the new nest; or 1 for some, 0 for none
    face_up: int = 0  # nest cards that everybody has seen
    circus: int = 0  # 1 after a circus call
    call: int = -1  # the trump call, 0 to 9
    caller: int = -1  # who made the final trump call
    rook_low: int = 0  # 1 if the declarer has ranked the Rook low
    row: int = -1  # row of the tables over trump calls, see `RuleTable`
    called: list[int] = cells(2, -1)  # the partner cards called
    called_count: int = 0
    called_shown: int = 0  # how many called cards have been played
    allies: int = 0  # seats that everybody knows to be on the declarer's side
    sides_known: int = 0  # 1 once everybody knows who plays with whom
    # The play.
    dummy: int = -1  # seat of an open dummy
    exposed: int = 0  # cards of the dummy that lie open
    leader: int = 0
    led: int = -1  # effective suit led
    trick_size: int = 0  # how many cards the current trick has
    trick_cards: int = 0  # and which
    best: int = -1  # strength of the card that is winning it
    best_place: int = 0  # and who played that
    broken: int = 0  # 1 if a trump has been played, where that matters
    tricks: int = 0  # complete tricks
    first_to_six: int = -1  # place whose side was the first with six tricks
    trick: list[int] = cells(PLACES, -1, used=_EACH)  # card of each place in the latest trick
    played_by: list[int] = cells(PLACES, used=_EACH)  # cards that each place has played
    void: list[int] = cells(PLACES, used=_EACH)  # bit k: the place has shown to lack suit k
    winner: list[int] = cells(HAND_MAX, -1, used="table.hand_size")  # who won each trick
    won: list[int] = cells(PLACES, used=_EACH)  # how many tricks each place has won
    captured: list[int] = cells(PLACES, used=_EACH)  # the cards of those tricks
    # The score, when the hand is done.
    made: int = 0  # 1 if the contract was made
    points: list[int] = cells(PLACES, used=_EACH)  # what the side of each seat took
    score: list[int] = cells(PLACES, used=_EACH)  # what each seat scores


@dataclass(slots=True)
class Hidden:
    """Everything that lies face down: what some seat cannot see."""

    rng: int = 1  # state of the generator that deals, see `rookery.engine.rng`
    nest: int = 0  # the nest, later the discards
    pickup: int = 0  # the nest as the declarer found it
    allies: int = 0  # the declarer's side
    revoked: int = 0  # seats that failed to follow although able
    blind_at: int = 0  # how many cards the blind hand has turned
    hand: list[int] = cells(PLACES, used=_EACH)  # the cards that each place holds
    gift: list[int] = cells(PLACES, -1, used=_EACH)  # the card that each seat passes in a circus
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
