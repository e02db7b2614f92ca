"""Where a hand stands: what was dealt and done, who plays what, and who took what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from rookery.cards import Card, Seat, by_suit, card_name, unpack
from rookery.engine.actions import actor
from rookery.engine.auction import may_redeal
from rookery.engine.deal import deal as lay_out
from rookery.engine.records import copy_of
from rookery.engine.score import side_of, trick_bonus
from rookery.engine.state import DONE, PHASES, PLAY, Hidden, State
from rookery.engine.trick import next_place
from rookery.game.action import Action, Verb, call_words
from rookery.rules import Rules
from rookery.rules.table import BONUS_PER_TRICK, STATEMENT, compile_rules

Bid: TypeAlias = int | Literal["sun"] | None


class Trick(NamedTuple):
    """A complete trick.

    Attributes:
        leader: the seat that led.
        cards: in the order played.
        winner: who won it; as many as there are seats for a blind hand.
        points: the worth of its counters, game points.
    """

    leader: Seat
    cards: tuple[Card, ...]
    winner: int
    points: int


class Source(NamedTuple):
    """Where a side's points of a hand came from; together they are what it took, game points.

    Attributes:
        tricks: the counters in its tricks, and what the tricks themselves count.
        nest: the counters in the nest, for the side that got it.
        bonus: for the last trick, for most tricks, or for six, whichever the rules give.
    """

    tricks: int
    nest: int
    bonus: int


class Position:
    """A hand at one moment, with all cards open; `Hand` adds what may be done next.

    Attributes:
        rules: the rules it is played by.
        seed: the seed it was dealt from, None where the cards were named.
        dealt: the cards as they were dealt, seat by seat, a blind hand last.
        nest_dealt: the nest as it was dealt.
        actions: what has been done, in order.
        tricks: the complete tricks.
        trick: the cards of the current trick, in the order played.
        table: the rules as the engine reads them.
        begun: what lay face up before the first lead; None before play has begun.
    """

    def __init__(self, rules: Rules, dealer: Seat, order: Sequence[Card], seed: int | None) -> None:
        """Lay out a deal that has been checked: the cards of each seat, then the nest."""
        self.rules = rules
        self.seed = seed
        size = rules.hand_size
        self.dealt = tuple(
            tuple(order[at : at + size]) for at in range(0, rules.hands * size, size)
        )
        self.nest_dealt = tuple(order[rules.hands * size :])
        self.actions: tuple[Action, ...] = ()
        self.tricks: tuple[Trick, ...] = ()
        self.trick: tuple[Card, ...] = ()
        self.table = compile_rules(rules)
        self._state = State()
        self._hidden = Hidden()
        # The sides as they were found last, with what they hang on beside the rules.
        self._sides: tuple[tuple[int, int], tuple[tuple[Seat, ...], ...]] = ((-2, 0), ())
        self._group: tuple[Card, ...] = ()  # cards of a discard or call that is not yet whole
        lay_out(self.table, self._state, self._hidden, list(order), dealer)
        self.begun = copy_of(self._state) if self._state.phase == PLAY else None

    @property
    def phase(self) -> str:
        """The phase: ``auction nest trump rook call leader circus play done redealt``."""
        return PHASES[self._state.phase]

    @property
    def over(self) -> bool:
        """Whether no further action is possible."""
        return self._state.phase >= DONE

    @property
    def to_act(self) -> Seat | None:
        """The seat whose decision is due, the declarer for a dummy; None when the hand is over."""
        seat = actor(self._state)
        return None if seat < 0 else seat

    @property
    def turn(self) -> Seat | None:
        """The seat that an action names: as `to_act`, but the dummy for its own card."""
        return None if self.over else self._state.turn

    def may_redeal(self, seat: Seat) -> bool:
        """Return whether `seat` may demand a redeal now, on its turn or off it."""
        return may_redeal(self.table, self._state, self._hidden, seat)

    @property
    def dealer(self) -> Seat:
        """The seat that dealt."""
        return self._state.dealer

    @property
    def declarer(self) -> Seat | None:
        """The winner of the auction, once it is over."""
        return None if self._state.declarer < 0 else self._state.declarer

    @property
    def bid(self) -> Bid:
        """The contract in points, or ``"sun"``; None before the auction is over and without one."""
        if self.declarer is None:
            return None
        return "sun" if self._state.sun else self._state.contract

    @property
    def call(self) -> str | None:
        """The final trump call, such as ``yellow``; None before it."""
        return None if self._state.call < 0 else call_words(self.rules.pack)[self._state.call]

    @property
    def rook_low(self) -> bool:
        """Whether the declarer has ranked the Rook below the other trumps."""
        return bool(self._state.rook_low)

    @property
    def called(self) -> tuple[Card, ...]:
        """The partner cards that the declarer has called."""
        return tuple(self._state.called[: self._state.called_count])

    @property
    def dummy(self) -> Seat | None:
        """The seat whose cards the declarer plays, from the first lead on."""
        return None if self._state.dummy < 0 else self._state.dummy

    @property
    def nest_statement(self) -> str | int | None:
        """What is said of the new nest: ``points`` or ``none``, or a number; None before it."""
        said = self._state.statement
        if said < 0:
            return None
        if STATEMENT[self.table.statement] == "amount":
            return said
        return "points" if said else "none"

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...] | None:
        """Who plays with whom, the declarer's side first, once everybody knows; else None.

        The others follow clockwise; without a contract all do, from the dealer's left.
        """
        s, h, seats = self._state, self._hidden, self.rules.seats
        if not s.sides_known:
            return None
        if self._sides[0] != (s.declarer, h.allies):
            first = s.declarer if s.declarer >= 0 else (s.dealer + 1) % seats
            sides = (side_of(self.table, h, (first + i) % seats) for i in range(seats))
            found = tuple(tuple(unpack(side)) for side in dict.fromkeys(sides))
            self._sides = (s.declarer, h.allies), found
        return self._sides[1]

    @property
    def leader(self) -> Seat | None:
        """Who leads or has led to the current trick; None outside the play."""
        return self._state.leader if self._state.phase == PLAY else None

    def order_from(self, leader: Seat) -> list[int]:
        """Return who plays to a trick that `leader` leads; a blind hand has the number of seats."""
        places = [leader]
        for _ in range(self.rules.hands - 1):
            places.append(next_place(self.table, self._state, places[-1]))
        return places

    @property
    def cards_held(self) -> list[list[Card]]:
        """The cards in each hand now, sorted; a blind hand last, in the order in which it plays."""
        h, seats = self._hidden, self.rules.seats
        held = [by_suit(hand) for hand in h.hand[:seats]]
        if self.rules.blind:
            held.append(h.blind[h.blind_at : self.rules.hand_size])
        return held

    @property
    def points(self) -> list[int] | None:
        """What each side took, game points, in the order of `sides`; None until it is done."""
        if self._state.phase != DONE or self.sides is None:
            return None
        return [self._state.points[side[0]] for side in self.sides]

    @property
    def taken(self) -> list[int]:
        """What each place has won in complete tricks so far, game points: everybody saw them.

        That is the counters in them, and what a trick itself counts. The nest is not in it.
        """
        table, taken = self.table, [0] * self.rules.hands
        each = table.bonus_value if table.bonus == BONUS_PER_TRICK else 0
        for trick in self.tricks:
            taken[trick.winner] += trick.points + each
        return taken

    @property
    def sources(self) -> list[Source] | None:
        """Where the points of each side came from, in the order of `sides`; None until it is done.

        After a revoke a side has the counters in its tricks, and nothing else.
        """
        total = self.points
        if total is None or (sides := self.sides) is None:
            return None
        if self.revoked:
            return [Source(points, 0, 0) for points in total]
        taken, last = self.taken, self.tricks[-1].winner
        sources = []
        for side, points in zip(sides, total, strict=True):
            tricks, bonus = sum(taken[seat] for seat in side), 0
            if self.table.bonus != BONUS_PER_TRICK:
                members = side_of(self.table, self._hidden, side[0])
                bonus = trick_bonus(self.table, self._state, self._hidden, members, last)
            sources.append(Source(tricks, points - tricks - bonus, bonus))
        return sources

    @property
    def made(self) -> bool | None:
        """Whether the contract was made; None until the hand is done, without one, or revoked."""
        if self._state.phase != DONE or self.declarer is None or self.revoked:
            return None
        return bool(self._state.made)

    @property
    def revoked(self) -> bool:
        """Whether a revoke has ended the hand."""
        return bool(self.actions) and self.actions[-1].verb is Verb.CHALLENGE

    @property
    def score(self) -> list[int] | None:
        """What each seat scores, game points; None until the hand is done, and after a redeal."""
        return list(self._state.score[: self.rules.seats]) if self._state.phase == DONE else None

    # Everything on the table, for those who may look.

    @property
    def played(self) -> list[Card]:
        """The cards played so far, in order, with those that a blind hand turned."""
        return [card for trick in self.tricks for card in trick.cards] + list(self.trick)

    @property
    def records(self) -> tuple[State, Hidden]:
        """What lies face up and face down, not copied as below: it must not be changed."""
        return self._state, self._hidden

    @property
    def state(self) -> State:
        """A copy of what lies face up."""
        return copy_of(self._state)

    @property
    def hidden(self) -> Hidden:
        """A copy of what lies face down."""
        return copy_of(self._hidden)

    def names(self, cards: Iterable[Card]) -> list[str]:
        """Return the names of some cards, as this game's pack has them."""
        return [card_name(card, self.rules.pack) for card in cards]
