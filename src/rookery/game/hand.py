"""One hand, friendly and unchanging: every action gives a new one. A `Deal` is how it began.

>>> from rookery.rules import load
>>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
>>> hand.phase, hand.to_act
('auction', 1)
>>> hand.act("1 bid 75").actions
(<Action 1 bid 75>,)
>>> Deal.of(hand)
<Deal of kd_tournament, seat 0 deals, seed 7>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Final, overload

from rookery.cards import Card, Seat, UnknownCard, by_suit, card_name, pack_cards, parse_card
from rookery.engine.actions import apply
from rookery.engine.card_sets import points_of
from rookery.engine.deal import shuffle
from rookery.engine.records import copy_of
from rookery.engine.rng import seeded
from rookery.engine.state import CALL, NEST, PLAY, REDEALT, Hidden
from rookery.game import shown
from rookery.game.action import Action, action_for, action_of
from rookery.game.errors import BadDeal, IllegalAction, check_kind, counted, shortened
from rookery.game.legal import Legal, legal_numbers, may_accuse, numbers_for
from rookery.game.position import Position, Trick
from rookery.rules import Rules
from rookery.rules.table import compile_rules

SEEDS: Final = 1 << 63  # seeds go from 0 to one less


class Hand(Position):
    """A hand from the deal to its score, with all cards open; a `View` is what one seat may know.

    It has all the attributes of a `Position`.
    """

    @classmethod
    def deal(
        cls, rules: Rules, dealer: Seat, deal: Sequence[Sequence[str]], nest: Sequence[str] = ()
    ) -> Hand:
        """Return a hand with these cards, by name: a hand a seat, then a blind one, and the nest.

        Raises:
            BadDeal: they are no deal of this game; codes ``bad-deal`` and ``unknown-card``.
        """
        return cls(rules, _dealer(rules, dealer), _checked_deal(rules, deal, nest), None)

    @classmethod
    def shuffled(cls, rules: Rules, dealer: Seat, seed: int) -> Hand:
        """Return the hand that `seed` (0 to 2^63 - 1) of the generator `rookery-rng-1` deals.

        Raises:
            BadDeal: no such dealer or seed; code ``bad-deal``.
        """
        dealer, seed = _dealer(rules, dealer), _seed(seed)
        return cls(rules, dealer, _drawn_deal(rules, seed), seed)

    @overload
    def act(self, action: Action | str, /) -> Hand: ...
    @overload
    def act(self, seat: Seat, action: str, /) -> Hand: ...
    def act(self, first: Action | str | Seat, second: str | None = None, /) -> Hand:
        """Return the hand after an action, an object or a text: ``"1 play G5"``, ``1, "play G5"``.

        Raises:
            IllegalAction: the rules do not allow it now; see there for the codes.
            BadAction: the text is no action; codes ``bad-action`` and ``unknown-card``.
        """
        whole: Any = first if second is None else f"{first} {second}"
        return self.act_all([whole])  # which says of a seat alone that it is no action

    def act_all(self, actions: Iterable[Action | str]) -> Hand:
        """Return the hand after several actions, much sooner than by an `act` for each of them.

        As in records of earlier versions, a side may here challenge itself; in `legal` it may not.

        Raises:
            IllegalAction: the rules do not allow one of them; see there for the codes.
            BadAction: one of them is no action; codes ``bad-action`` and ``unknown-card``.
        """
        hand = self._copy()
        for action in map(self.parse, actions):
            for number in numbers_for(hand.table, *hand.records, action):
                hand._apply(action.seat, number)
        return hand

    def parse(self, action: Action | str) -> Action:
        """Return the action that a text writes down, or an action as it is written at this table.

        Raises:
            BadAction: it makes no sense here; codes ``bad-action`` and ``unknown-card``.
        """
        return action_for(action, self.rules.pack, self.rules.seats)

    # The engine's own actions are numbers. A discard and a call of partner cards are several of
    # them, and between the first and the last lie positions that no record shows.

    def do(self, number: int) -> Hand:
        """Return the hand after one of the engine's own actions, as bots choose it.

        Raises:
            IllegalAction: it is not legal for the seat to act; code ``not-now``.
        """
        if number not in self.legal_numbers():
            raise IllegalAction("not-now", f"the engine's action {number} is not legal here")
        hand = self._copy()
        hand._apply(self._state.turn, number)
        return hand

    def legal_numbers(self) -> list[int]:
        """Return the numbers of what the seat to act may do, ascending."""
        return legal_numbers(self.table, self._state, self._hidden)

    def numbers_of(self, action: Action | str) -> list[int]:
        """Return the numbers that carry an action out, in an order in which they are legal.

        Raises:
            IllegalAction: the rules do not allow it now.
            BadAction: the text is no action.
        """
        return numbers_for(self.table, self._state, self._hidden, self.parse(action))

    def action_of(self, number: int) -> Action:
        """Return what a number means for the seat to act; of a discard or call one card."""
        return action_of(self.table, self._state.phase, self._state.turn, number, self.rules.pack)

    def thrown_in(self) -> Hand:
        """Return the hand as one that nobody plays on: the same dealer deals again.

        No rule of the game asks for it; so played again from its record, it is a hand under way.
        """
        hand = self._copy()
        hand._state.phase, hand._state.declarer, hand._state.call = REDEALT, -1, -1
        return hand

    def _copy(self) -> Hand:
        hand = object.__new__(type(self))  # `copy.copy` takes six times as long
        hand.__dict__.update(self.__dict__)
        hand._state = copy_of(self._state)
        hand._hidden = copy_of(self._hidden)
        return hand

    def _apply(self, seat: Seat, number: int) -> None:
        s, h = self._state, self._hidden
        step, phase, leader, tricks, turned = s.step, s.phase, s.leader, s.tricks, h.blind_at
        action = action_of(self.table, phase, seat, number, self.rules.pack)
        apply(self.table, s, h, number)
        if s.phase == PLAY and self.begun is None:
            self.begun = copy_of(s)
        if phase in (NEST, CALL):
            self._group += action.cards
            if s.step == step:
                return
            cards = self._group
            if phase == NEST:
                cards = tuple(by_suit(pack_cards(cards)))
            action = Action(seat, action.verb, cards, pack=action.pack)
            self._group = ()
        self.actions += (action,)
        if phase == PLAY and action.cards:
            self.trick += (action.card, *h.blind[turned : h.blind_at])
            if s.tricks > tricks:
                worth = points_of(self.table, pack_cards(self.trick))
                self.tricks += (Trick(leader, self.trick, s.best_place, worth),)
                self.trick = ()

    def legal(self, seat: Seat | None = None) -> Legal:
        """Return what `seat`, or else the seat to act, may do now.

        A seat that is not to act may at most demand a redeal or challenge a revoke.

        Raises:
            ValueError: there is no such seat.
        """
        if seat is None:
            seat = self._state.turn if self.to_act is None else self.to_act
        elif seat not in range(self.rules.seats) or isinstance(seat, float):
            raise ValueError(f"there is no seat {seat!r}; expected 0 to {self.rules.seats - 1}")
        return Legal(self.table, self._state, self._hidden, self.rules.pack, seat)

    def may_accuse(self, seat: Seat) -> list[Seat]:
        """Return the seats that `seat` may accuse of a revoke now, guilty or not."""
        if self.phase != "play" or not self.table.penalised:
            return []
        return may_accuse(self.table, *self.records, seat)

    def positions(self) -> Iterator[Hand]:
        """Yield the hand as it was dealt, then after each of its actions."""
        hand = self._as_dealt()
        yield hand
        for action in self.actions:
            hand = hand.act(action)
            yield hand

    def without_last(self) -> Hand:
        """Return the hand before its last action, replayed from its deal."""
        return self._as_dealt().act_all(self.actions[:-1])

    def _as_dealt(self) -> Hand:
        cards = [card for cards in (*self.dealt, self.nest_dealt) for card in cards]
        return Hand(self.rules, self.dealer, cards, self.seed)

    def status(self) -> dict[str, Any]:
        """Return the hand as ``replay --json`` shows it, ready for JSON."""
        names = self.names
        status: dict[str, Any] = {
            "phase": self.phase,
            "to_act": self.to_act,
            "legal": self.legal().as_json(),
            "declarer": self.declarer,
            "bid": self.bid,
            "call": self.call,
            "sides": None if self.sides is None else [list(side) for side in self.sides],
            "tricks": [{**trick._asdict(), "cards": names(trick.cards)} for trick in self.tricks],
            "points": self.points,
            "score": self.score,
        }
        if self.table.statement:
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


@dataclass(frozen=True, repr=False)
class Deal:
    """The cards of one hand as they were dealt.

    Attributes:
        rules: the rules of the game.
        dealer: the seat that deals.
        hands: the cards of each seat, a blind hand last.
        nest: the cards of the nest; empty where the game has none.
        seed: the seed they were dealt from; None where the cards were named.
    """

    rules: Rules
    dealer: Seat
    hands: tuple[tuple[Card, ...], ...]
    nest: tuple[Card, ...] = ()
    seed: int | None = None

    @classmethod
    def shuffled(cls, rules: Rules, seed: int, dealer: Seat = 0) -> Deal:
        """Return the deal that `seed` (0 to 2^63 - 1) of the generator `rookery-rng-1` gives.

        Raises:
            BadDeal: no such dealer or seed; code ``bad-deal``.
        """
        return cls.of(Hand.shuffled(rules, dealer, seed))

    @classmethod
    def named(
        cls,
        rules: Rules,
        hands: Sequence[Sequence[str]],
        nest: Sequence[str] = (),
        dealer: Seat = 0,
    ) -> Deal:
        """Return a deal with these cards, by name: a hand a seat, then a blind one, and the nest.

        Raises:
            BadDeal: they are no deal of this game; codes ``bad-deal`` and ``unknown-card``.
        """
        return cls.of(Hand.deal(rules, dealer, hands, nest))

    @classmethod
    def of(cls, hand: Hand) -> Deal:
        """Return the deal that a hand began with."""
        return cls(hand.rules, hand.dealer, hand.dealt, hand.nest_dealt, hand.seed)

    def hand(self) -> Hand:
        """Return the hand that begins with this deal."""
        if self.seed is not None:
            return Hand.shuffled(self.rules, self.dealer, self.seed)
        names = [[card_name(card, self.rules.pack) for card in cards] for cards in self.hands]
        nest = [card_name(card, self.rules.pack) for card in self.nest]
        return Hand.deal(self.rules, self.dealer, names, nest)

    def __repr__(self) -> str:
        what = f"{shown.game_name(self.rules)}, seat {self.dealer} deals"
        return f"<Deal of {what}, {shown.from_seed(self.seed)}>"

    def __str__(self) -> str:
        return f"{self!r}\n{shown.lines_of(self.rules, self.hands, self.nest)}"

    def _repr_svg_(self) -> str:
        """Return the deal as a picture, for a notebook."""
        return shown.deal_picture(self.rules, self.dealer, self.hands, self.nest, self.seed)


def _checked_deal(rules: Rules, deal: Sequence[Sequence[str]], nest: Sequence[str]) -> list[Card]:
    """Return the cards of a deal one behind the other: the hands from seat 0 on, then the nest."""
    if not _is_list(deal):
        raise _bad(f"{shortened(deal)} is dealt; expected a list of hands")
    if len(deal) != rules.hands:
        with_blind = ", the blind one last" if rules.blind else ""
        raise _bad(f"{len(deal)} hands are dealt; expected {rules.hands}{with_blind}")
    places = [(shown.place_name(rules, i), hand, rules.hand_size) for i, hand in enumerate(deal)]
    order: list[Card] = []
    where: dict[Card, str] = {}
    for place, names, size in [*places, ("the nest", nest, rules.nest_size)]:
        if not _is_list(names):
            raise _bad(f"{place} has {shortened(names)}; expected a list of cards")
        if len(names) != size:
            raise _bad(f"{place} has {counted(len(names), 'card')}; expected {size}")
        for name in names:
            try:
                card = parse_card(name, rules.pack)
            except UnknownCard:
                reason = f"{place}: {shortened(name)} is not a card of this pack"
                raise BadDeal("unknown-card", reason) from None
            if card not in rules.deck:
                raise _bad(f"{place}: {card_name(card, rules.pack)} is not in this game's deck")
            if card in where:
                raise _bad(f"{card_name(card, rules.pack)} is dealt twice: {where[card]}, {place}")
            where[card] = place
            order.append(card)
    return order


def _is_list(value: object) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str)


def _dealer(rules: Rules, dealer: int) -> Seat:
    check_kind("rules", rules, Rules, "Rules, as load_rules returns them")
    if not 0 <= (found := _whole(dealer)) < rules.seats:
        raise _bad(f"there is no dealer {dealer}; expected 0 to {rules.seats - 1}")
    return found


def _seed(seed: int) -> int:
    if not 0 <= (found := _whole(seed)) < SEEDS:
        raise _bad(f"{shortened(seed, 24)} is not a seed; expected 0 to {SEEDS - 1}")
    return found


def _whole(number: int) -> int:
    """Return a whole number of whatever library as Python's own, -1 for what is none."""
    try:
        return int(index(number))
    except TypeError:
        return -1


def _drawn_deal(rules: Rules, seed: int) -> list[Card]:
    """Return the deal that `seed` stands for, as `_checked_deal` does; seats hold theirs sorted."""
    hidden = Hidden(rng=seeded(seed, 0))
    table = compile_rules(rules)
    order = [0] * table.cards
    shuffle(table, hidden, order)
    size = rules.hand_size
    for at in range(0, rules.seats * size, size):
        order[at : at + size] = by_suit(pack_cards(order[at : at + size]))
    return order


def _bad(reason: str) -> BadDeal:
    return BadDeal("bad-deal", reason)
