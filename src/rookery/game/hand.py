"""One hand, friendly and unchanging: every action gives a new one.

>>> from rookery.rules import load
>>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
>>> hand.phase, hand.to_act
('auction', 1)
>>> hand.act("1 bid 75").actions
('1 bid 75',)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Any, Literal, NamedTuple, TypeAlias, overload

from rookery.cards import Card, Seat, by_suit, card_name, pack_cards, unpack
from rookery.engine.auction import may_redeal
from rookery.engine.deal import deal as lay_out
from rookery.engine.score import side_of
from rookery.engine.state import DONE, PHASES, PLAY, Hidden, State, twin
from rookery.engine.step import actor, apply
from rookery.engine.trick import after
from rookery.engine.worth import points_of
from rookery.game import shown
from rookery.game.choices import Legal, every_action, legal_of, redeal_words
from rookery.game.dealing import check_dealer, checked_deal, drawn_deal
from rookery.game.errors import IllegalAction
from rookery.game.legality import legal_numbers, numbers_for
from rookery.game.notation import action_text, call_words, parse_action
from rookery.game.numbers import action_of
from rookery.rules import Rules
from rookery.rules.table import STATEMENT, RuleTable, compile_rules

__all__ = ["Hand", "Legal", "Trick"]

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


class Hand:
    """A hand from the deal to its score, with all cards open; a `View` is what one seat may know.

    Attributes:
        rules: the rules it is played by.
        seed: the seed it was dealt from, None where the cards were named.
        dealt: the cards as they were dealt, seat by seat, a blind hand last.
        nest_dealt: the nest as it was dealt.
        actions: what has been done, as a record writes it.
        tricks: the complete tricks.
        trick: the cards of the current trick, in the order played.
    """

    def __init__(self, rules: Rules, dealer: Seat, order: Sequence[Card], seed: int | None) -> None:
        """Lay out a deal that has been checked; `deal` and `shuffled` are the ways to one."""
        self.rules = rules
        self.seed = seed
        size = rules.hand_size
        self.dealt = tuple(
            tuple(order[at : at + size]) for at in range(0, rules.hands * size, size)
        )
        self.nest_dealt = tuple(order[rules.hands * size :])
        self.actions: tuple[str, ...] = ()
        self.tricks: tuple[Trick, ...] = ()
        self.trick: tuple[Card, ...] = ()
        self._table = compile_rules(rules)
        self._state = State()
        self._hidden = Hidden()
        self._group: tuple[Card, ...] = ()  # cards of a discard or call that is not yet whole
        lay_out(self._table, self._state, self._hidden, list(order), dealer)
        self._begun = twin(self._state) if self._state.phase == PLAY else None

    @classmethod
    def deal(
        cls, rules: Rules, dealer: Seat, deal: Sequence[Sequence[str]], nest: Sequence[str] = ()
    ) -> Hand:
        """Return a hand with these cards, by name: a hand a seat, then a blind one, and the nest.

        Raises:
            BadDeal: they are no deal of this game; codes ``bad-deal`` and ``unknown-card``.
        """
        return cls(rules, dealer, checked_deal(rules, dealer, deal, nest), None)

    @classmethod
    def shuffled(cls, rules: Rules, dealer: Seat, seed: int) -> Hand:
        """Return the hand that `seed` (0 to 2^63 - 1) of the generator `rookery-rng-1` deals.

        Raises:
            BadDeal: no such dealer or seed; code ``bad-deal``.
        """
        check_dealer(rules, dealer)
        return cls(rules, dealer, drawn_deal(rules, compile_rules(rules), seed), seed)

    # What is done.

    @overload
    def act(self, action: str, /) -> Hand: ...
    @overload
    def act(self, seat: Seat, action: str, /) -> Hand: ...
    def act(self, first: str | Seat, second: str | None = None, /) -> Hand:
        """Return the hand after an action, ``"1 play G5"`` or ``1, "play G5"``.

        Raises:
            IllegalAction: the rules do not allow it now; see there for the codes.
            BadAction: the text is no action; codes ``bad-action`` and ``unknown-card``.
        """
        text = str(first) if second is None else f"{first} {second}"
        action = parse_action(text, self.rules.pack, self.rules.seats)
        numbers = numbers_for(self._table, self._state, self._hidden, action, self.rules.pack)
        return self._after(action.seat, numbers)

    def do(self, number: int) -> Hand:
        """Return the hand after one of the engine's own actions, by its number, as bots choose it.

        A discard and a call of partner cards are several of these; what lies between the first
        and the last of them is a position that no record shows.

        Raises:
            IllegalAction: it is not legal for the seat to act; code ``not-now``.
        """
        if number not in legal_numbers(self._table, self._state, self._hidden):
            raise IllegalAction("not-now", f"the engine's action {number} is not legal here")
        return self._after(self._state.turn, [number])

    def _after(self, seat: Seat, numbers: Sequence[int]) -> Hand:
        hand = copy(self)
        hand._state = twin(self._state)
        hand._hidden = twin(self._hidden)
        for number in numbers:
            hand._apply(seat, number)
        return hand

    def _apply(self, seat: Seat, number: int) -> None:
        s, h = self._state, self._hidden
        step, leader, tricks, turned = s.step, s.leader, s.tricks, h.blind_at
        action = action_of(self._table, s.phase, seat, number)
        apply(self._table, s, h, number)
        if s.phase == PLAY and self._begun is None:
            self._begun = twin(s)
        if action.verb in ("discard", "call"):
            self._group += action.cards
            if s.step == step:
                return
            cards = self._group
            if action.verb == "discard":
                cards = tuple(by_suit(pack_cards(cards)))
            action = action._replace(cards=cards)
            self._group = ()
        self.actions += (action_text(action, self.rules.pack),)
        if action.verb == "play":
            self.trick += (*action.cards, *h.blind[turned : h.blind_at])
            if s.tricks > tricks:
                worth = points_of(self._table, pack_cards(self.trick))
                self.tricks += (Trick(leader, self.trick, s.best_place, worth),)
                self.trick = ()

    # What is to be done.

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

    def legal(self, seat: Seat | None = None) -> Legal:
        """Return what `seat`, or else the seat to act, may do, in the shape of ``replay --json``.

        That is a list of actions without the seat; for a discard ``{"discard", "from", "must"}``,
        with ``"swap"`` where part of the nest is exchanged; for partner cards
        ``{"call": {"min", "max", "from"}}``. A seat that is not to act may at most demand a redeal.
        """
        if seat is None or seat == self.to_act:
            return legal_of(self._table, self._state, self._hidden, self.rules.pack)
        return redeal_words(self._table, self._state, self._hidden, seat)

    def legal_texts(self) -> Iterator[str]:
        """Yield every legal action of the seat to act, as a record writes it; discards are many."""
        return every_action(self._table, self._state, self._hidden, self.rules.pack)

    def may_redeal(self, seat: Seat) -> bool:
        """Return whether `seat` may demand a redeal now, on its turn or off it."""
        return may_redeal(self._table, self._state, self._hidden, seat)

    # What is known of it.

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
        if STATEMENT[self._table.statement] == "amount":
            return said
        return "points" if said else "none"

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...] | None:
        """Who plays with whom, the declarer's side first, once everybody knows; else None.

        The others follow clockwise; without a contract all do, from the dealer's left.
        """
        s = self._state
        if not s.sides_known:
            return None
        seats = self.rules.seats
        first = s.declarer if s.declarer >= 0 else (s.dealer + 1) % seats
        sides: list[tuple[Seat, ...]] = []
        for i in range(seats):
            side = tuple(unpack(side_of(self._table, self._hidden, (first + i) % seats)))
            if side not in sides:
                sides.append(side)
        return tuple(sides)

    @property
    def leader(self) -> Seat | None:
        """Who leads or has led to the current trick; None outside the play."""
        return self._state.leader if self._state.phase == PLAY else None

    def order_from(self, leader: Seat) -> list[int]:
        """Return who plays to a trick that `leader` leads; a blind hand has the number of seats."""
        places = [leader]
        while len(places) < self.rules.hands:
            places.append(after(self._table, self._state, places[-1]))
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
    def score(self) -> list[int] | None:
        """What each seat scores, game points; None until the hand is done, and after a redeal."""
        return list(self._state.score[: self.rules.seats]) if self._state.phase == DONE else None

    # Everything on the table, for those who may look.

    @property
    def table(self) -> RuleTable:
        """The rules as the engine reads them."""
        return self._table

    @property
    def begun(self) -> State | None:
        """What lay face up before the first lead; None before play has begun."""
        return self._begun

    @property
    def played(self) -> list[Card]:
        """The cards played so far, in order, with those that a blind hand turned."""
        return [card for trick in self.tricks for card in trick.cards] + list(self.trick)

    @property
    def state(self) -> State:
        """A copy of what lies face up."""
        return twin(self._state)

    @property
    def hidden(self) -> Hidden:
        """A copy of what lies face down."""
        return twin(self._hidden)

    def status(self) -> dict[str, Any]:
        """Return the hand as ``replay --json`` shows it, ready for JSON."""
        names = self.names
        status: dict[str, Any] = {
            "phase": self.phase,
            "to_act": self.to_act,
            "legal": [] if self.over else self.legal(),
            "declarer": self.declarer,
            "bid": self.bid,
            "call": self.call,
            "sides": None if self.sides is None else [list(side) for side in self.sides],
            "tricks": [{**trick._asdict(), "cards": names(trick.cards)} for trick in self.tricks],
            "points": self.points,
            "score": self.score,
        }
        if self._table.statement:
            status["nest_statement"] = self.nest_statement
        return status

    def __repr__(self) -> str:
        what = f"{shown.game_name(self.rules)}, {shown.from_seed(self.seed)}"
        return f"<Hand of {what}: {shown.hand_line(self)}>"

    def __str__(self) -> str:
        return f"{self!r}\n{shown.hand_lines(self)}"

    def _repr_svg_(self) -> str:
        """Return the hand as a picture, all cards open, for a notebook."""
        return shown.hand_picture(self)

    def names(self, cards: Iterable[Card]) -> list[str]:
        """Return the names of some cards, as this game's pack has them."""
        return [card_name(card, self.rules.pack) for card in cards]
