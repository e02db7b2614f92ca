"""What the words of reasons claim, checked against all the cards by the judge's own rules.

Nothing here asks what a seat can see: a claim has to be true of the position as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.judge.lawful import lawful_cards
from tests.judge.order import Order, winner
from tests.judge.pack import worth

from rookery.cards import by_suit
from rookery.game import Hand

About = Mapping[str, Any]
Claim = Callable[["Fact", About], bool]


@dataclass(frozen=True)
class Fact:
    """A position with all its cards, and what is done in it.

    Attributes:
        hand: the position.
        done: the words of the action, without its seat.
        best: those of a better one, for mistakes.
    """

    hand: Hand
    done: list[str]
    best: list[str]

    @cached_property
    def order(self) -> Order:
        options = self.hand.rules.options()
        return Order(options, self.hand.call or "notrump", "low" if self.hand.rook_low else "high")

    @cached_property
    def held(self) -> list[list[str]]:
        return [self.hand.names(cards) for cards in self.hand.cards_held]

    @property
    def own(self) -> list[str]:
        """Return the cards of the place on turn."""
        return self.held[self.hand.turn or 0]

    @cached_property
    def table(self) -> list[str]:
        return self.hand.names(self.hand.trick)

    @cached_property
    def places(self) -> list[int]:
        leader = self.hand.leader
        return [] if leader is None else self.hand.order_from(leader)

    @property
    def behind(self) -> list[int]:
        return self.places[len(self.table) + 1 :]

    @cached_property
    def side(self) -> set[int]:
        """Return the places that share this hand with the seat to act, as it truly is."""
        seat, hidden = self.hand.to_act or 0, self.hand.hidden
        mask = self.hand.table.partners[seat]
        if self.hand.called:
            mask = hidden.allies
            mask = mask if mask >> seat & 1 else ~mask & (1 << self.hand.rules.seats) - 1
        return {place for place in range(self.hand.rules.seats) if mask >> place & 1}

    @property
    def mine(self) -> set[int]:
        """Return the places whose cards the seat to act plays itself."""
        seat = self.hand.to_act or 0
        dummy = self.hand.dummy
        return {seat, dummy} if dummy is not None and seat == self.hand.declarer else {seat}

    @property
    def others(self) -> list[str]:
        """Return all cards in the hands of others."""
        return [c for place, cards in enumerate(self.held) if place not in self.mine for c in cards]

    @property
    def unseen(self) -> list[str]:
        """Return the cards of others, and the nest as far as it is closed to the seat to act."""
        hidden = self.hand.hidden
        known = self.hand.to_act == self.hand.declarer and hidden.pickup
        return self.others + ([] if known else self.hand.names(by_suit(hidden.nest)))

    def worth(self, *cards: str) -> int:
        return sum(worth(self.hand.rules.options(), card) for card in cards)

    def lawful(self, cards: list[str], table: list[str]) -> list[str]:
        broken = bool(self.hand.state.broken)
        return lawful_cards(self.order, cards, table, broken)

    def wins(self, card: str) -> bool:
        return winner(self.order, [*self.table, card]) == len(self.table)

    def ahead(self) -> int:
        """Return the place that is ahead in the trick."""
        return self.places[winner(self.order, self.table)]

    def beaten(self, card: str, places: set[int] | None = None) -> bool:
        """Return whether somebody behind truly can take the trick after `card` from its winner."""
        laid = [*self.table, card]
        best = winner(self.order, laid)
        return any(
            winner(self.order, [*laid, reply]) != best
            for place in self.behind
            if places is None or place in places
            for reply in self.lawful(self.held[place], laid)
        )

    def may_win(self, card: str) -> bool:
        """Return whether a card takes the trick as it lies, or after what somebody behind has."""
        laid = [*self.table, card]
        replies = [[r] for place in self.behind for r in self.lawful(self.held[place], laid)]
        return any(winner(self.order, [*laid, *one]) == len(self.table) for one in [[], *replies])

    def sure(self, card: str) -> bool:
        return self.wins(card) and not self.beaten(card)

    def alone(self, card: str) -> bool:
        """Return whether a card is the last of its suit beside a trump."""
        same = [c for c in self.own if self.order.suit(c) == self.order.suit(card)]
        return same == [card] and any(map(self.order.is_trump, self.own))

    def stronger(self, card: str, cards: list[str]) -> list[str]:
        """Return those of some cards of a suit that stand above `card`."""
        order = self.order
        return [
            c
            for c in cards
            if order.suit(c) == order.suit(card) and order.strength(c) > order.strength(card)
        ]

    def partner_ahead(self) -> bool:
        return self.ahead() in self.side

    @property
    def card(self) -> str:
        return self.done[1]

    @property
    def better(self) -> str:
        return self.best[1]


def same_suit(fact: Fact) -> bool:
    return fact.order.suit(fact.card) == fact.order.suit(fact.better)


def partner_behind(fact: Fact) -> bool:
    return any(place in fact.side - fact.mine for place in fact.behind)


def called(fact: Fact, suit: str) -> str:
    """Return the judge's name of a suit that a reason speaks of."""
    return suit if suit == "trump" else suit[0].upper()


def without_suit(fact: Fact, places: list[int], about: About) -> bool:
    suit = called(fact, str(about["suit"]))
    return any(all(fact.order.suit(c) != suit for c in fact.held[place]) for place in places)


def trump_out(fact: Fact) -> bool:
    return any(map(fact.order.is_trump, fact.unseen))


def length(fact: Fact, card: str) -> int:
    return sum(fact.order.suit(c) == fact.order.suit(card) for c in fact.own)


def trumps_with(fact: Fact, call: str) -> int:
    order = Order(fact.hand.rules.options(), call)
    return sum(map(order.is_trump, fact.own))


def other_calls(fact: Fact, call: str) -> list[str]:
    low = "-low" if call.endswith("-low") else ""
    words = ("spades", "hearts", "diamonds", "clubs")
    if fact.hand.rules.pack == "rook":
        words = ("red", "green", "yellow", "black")
    return [word + low for word in words if word + low != call]


def left_in_hand(fact: Fact, laid: list[str], colour: str) -> list[str]:
    return [c for c in fact.own if c not in laid and c[0] == colour and c not in ("RK", "JK")]


def empties(fact: Fact, laid: list[str], about: About) -> bool:
    colour = str(about["suit"])[0].upper()
    return left_in_hand(fact, [], colour) != [] and left_in_hand(fact, laid, colour) == []


def bidder_is_ours(fact: Fact) -> bool:
    return fact.hand.state.bidder in fact.side


def dealer_is_stuck(fact: Fact) -> bool:
    stuck = fact.hand.state.bidder < 0 and fact.hand.rules.all_pass == "dealer"  # noqa: S105
    return stuck and fact.hand.dealer not in fact.side


CLAIMS: dict[str, Claim] = {
    "only-choice": lambda f, a: (
        len(f.lawful(f.own, f.table) if f.done[0] == "play" else f.hand.legal().actions) == 1
    ),
    "pass-partner": lambda f, a: bidder_is_ours(f),
    "pass-let-them": lambda f, a: not bidder_is_ours(f) and f.hand.state.high == a["points"],
    "pass-enough": lambda f, a: f.hand.state.bidder >= 0 and not bidder_is_ours(f),
    "pass-open": lambda f, a: f.hand.state.bidder < 0,
    "pass-dealer": lambda f, a: dealer_is_stuck(f),
    "bid-worth": lambda f, a: f.done[0] == "bid",
    "discard-plain": lambda f, a: f.worth(*f.done[1:]) == 0,
    "discard-least": lambda f, a: f.worth(*f.done[1:]) > 0,
    "discard-buried": lambda f, a: (
        f.worth(*f.done[1:]) == a["points"] > 0 and f.hand.rules.nest_points_to == "last_trick"
    ),
    "discard-home": lambda f, a: (
        f.worth(*f.done[1:]) == a["points"] and f.hand.rules.nest_points_to == "declarer"
    ),
    "discard-void": lambda f, a: empties(f, f.done[1:], a),
    "trump-most": lambda f, a: (
        trumps_with(f, f.done[1])
        == a["cards"]
        > max(trumps_with(f, c) for c in other_calls(f, f.done[1]))
    ),
    "trump-longest": lambda f, a: (
        trumps_with(f, f.done[1]) == max(trumps_with(f, c) for c in other_calls(f, f.done[1]))
    ),
    "call-top": lambda f, a: (
        f.card == a["card"]
        and not f.stronger(f.card, [c for c in f.hand.names(f.hand.rules.deck) if c not in f.own])
    ),
    "lead-trumps-gone": lambda f, a: (
        not any(map(f.order.is_trump, f.others)) and f.sure(f.card) and f.card == a["card"]
    ),
    "lead-sure": lambda f, a: f.sure(f.card),
    "lead-top-trump": lambda f, a: (
        f.order.is_trump(f.card) and f.sure(f.card) and trump_out(f)
    ),
    "lead-partner-trumps": lambda f, a: (
        f.order.suit(f.card) == called(f, str(a["suit"]))
        and without_suit(f, [p for p in f.behind if p in f.side - f.mine], a)
    ),
    "lead-top": lambda f, a: not f.stronger(f.card, f.others),
    "lead-trumps": lambda f, a: f.order.is_trump(f.card) and trump_out(f),
    "lead-last": lambda f, a: f.alone(f.card) and len(f.own) > 2,
    "lead-keeps": lambda f, a: (
        f.worth(f.card) == 0 and a["card"] in f.own and a["card"] != f.card
        and f.sure(str(a["card"]))
    ),
    "lead-length": lambda f, a: length(f, f.card) == max(3, *(length(f, c) for c in f.own)),
    "lead-cheap": lambda f, a: f.worth(f.card) == 0,
    "win-last-points": lambda f, a: (
        f.wins(f.card) and not f.behind and f.worth(f.card, *f.table) == a["points"] > 0
    ),
    "win-last": lambda f, a: f.wins(f.card) and not f.behind,
    "win-home": lambda f, a: f.sure(f.card) and f.worth(f.card) == a["points"] > 0,
    "win-ruff": lambda f, a: (
        f.sure(f.card)
        and f.order.is_trump(f.card)
        and f.order.suit(f.table[0]) == called(f, str(a["suit"]))
        and all(f.order.suit(c) != f.order.suit(f.table[0]) for c in f.own)
    ),
    "win-sure": lambda f, a: f.sure(f.card),
    "win-least": lambda f, a: (
        f.wins(f.card)
        and not any(
            f.wins(c) and f.order.strength(c) < f.order.strength(f.card)
            for c in f.lawful(f.own, f.table)
            if f.order.suit(c) == f.order.suit(f.card)
        )
    ),
    "win-now": lambda f, a: f.wins(f.card),
    "give-safe": lambda f, a: (
        f.partner_ahead() and not f.beaten(f.card) and f.worth(f.card) > 0 and not f.wins(f.card)
    ),
    "give-partner": lambda f, a: f.partner_ahead() and f.worth(f.card) > 0,
    "give-side": lambda f, a: f.ahead() in f.mine and f.worth(f.card) > 0,
    "spare-safe": lambda f, a: (
        f.partner_ahead() and not f.beaten(f.card) and f.worth(f.card) == 0
    ),
    "spare-partner": lambda f, a: f.partner_ahead() and f.worth(f.card) == 0,
    "spare-side": lambda f, a: f.ahead() in f.mine and f.worth(f.card) == 0,
    "hope-partner": lambda f, a: partner_behind(f) and not f.wins(f.card),
    "throw-last": lambda f, a: f.alone(f.card) and len(f.own) > 2 and not f.wins(f.card),
    "cannot-win": lambda f, a: (
        not any(map(f.may_win, f.lawful(f.own, f.table))) and f.worth(f.card) == 0
    ),
    "keep-counters": lambda f, a: f.worth(f.card) == 0 and not f.wins(f.card),
    "lose-least": lambda f, a: (
        f.worth(f.card) == min(f.worth(c) for c in f.lawful(f.own, f.table))
    ),
    "redeal-poor": lambda f, a: f.worth(*f.own) == 0,
    "revoke": lambda f, a: f.card not in f.lawful(f.own, f.table),
    # What only the search can say: of these the words claim nothing about the cards.
    **{
        code: lambda f, a: True
        for code in ("trump-best", "rook-rank", "call-strongest", "leader", "give-least",
                     "lead-best", "play-best")
    },
    # Mistakes.
    "worse": lambda f, a: f.done != f.best,
    "bid-too-high": lambda f, a: int(f.best[1]) < int(f.done[1]),
    "bid-too-low": lambda f, a: int(f.best[1]) > int(f.done[1]),
    "bid-over-partner": lambda f, a: bidder_is_ours(f) and f.done[0] == "bid",
    "bid-dealer": lambda f, a: f.done[0] == "bid" and dealer_is_stuck(f),
    "bid-too-much": lambda f, a: f.done[0] == "bid" and a["percent"] == 40,
    "bid-let-them": lambda f, a: not bidder_is_ours(f) and f.hand.state.high == a["points"],
    "pass-too-soon": lambda f, a: f.best == ["bid", str(a["points"])] and a["percent"] == 70,
    "pass-too-meek": lambda f, a: f.done == ["pass"] and f.best[0] == "bid",
    "discard-points": lambda f, a: (
        f.worth(*f.done[1:]) == a["points"] > f.worth(*f.best[1:])
        and f.hand.rules.nest_points_to == "last_trick"
    ),
    "discard-lost": lambda f, a: (
        f.worth(*f.done[1:]) == a["points"] > f.worth(*f.best[1:])
        and f.hand.rules.nest_points_to == "nobody"
    ),
    "discard-timid": lambda f, a: (
        f.worth(*f.done[1:]) < f.worth(*f.best[1:]) and f.hand.rules.nest_points_to == "declarer"
    ),
    "discard-trump": lambda f, a: any(map(f.order.is_trump, f.done[1:])),
    "discard-no-void": lambda f, a: empties(f, f.best[1:], a),
    "trump-shorter": lambda f, a: (
        trumps_with(f, f.best[1]) == a["cards"] > trumps_with(f, f.done[1])
        and f.best[1].removesuffix("-low") == a["suit"]
    ),
    "they-trump": lambda f, a: without_suit(f, f.behind, a),
    "trumps-out": lambda f, a: (
        trump_out(f) and not f.order.is_trump(f.card) and f.order.is_trump(f.better)
    ),
    "missed-lead": lambda f, a: f.better == a["card"] and f.sure(f.better),
    "trump-led": lambda f, a: f.order.is_trump(f.card) and not f.order.is_trump(f.better),
    "beatable": lambda f, a: (
        f.card == a["card"]
        and bool(f.behind)
        and any(
            winner(f.order, [*f.table, f.card, c]) == len(f.table) + 1 for c in f.unseen
        )
    ),
    "fed": lambda f, a: f.worth(f.card) == a["points"] > 0 and not f.wins(f.card),
    "missed-trick": lambda f, a: f.sure(f.better) and f.worth(*f.table) == a["points"] > 0,
    "missed-win": lambda f, a: f.sure(f.better) and not f.wins(f.card),
    "missed-give": lambda f, a: (
        f.partner_ahead()
        and f.worth(f.better) > f.worth(f.card)
        and not f.wins(f.better)
        and not f.beaten(f.better, set(f.behind) - f.side)
    ),
    "missed-more": lambda f, a: (
        (f.partner_ahead() or f.ahead() in f.mine)
        and f.worth(f.better) > f.worth(f.card)
        and not f.wins(f.better)
    ),
    "missed-hope": lambda f, a: partner_behind(f) and f.worth(f.better) > f.worth(f.card),
    "missed-ahead": lambda f, a: f.wins(f.better) and not f.wins(f.card),
    "leave-trick": lambda f, a: f.wins(f.card) and not f.wins(f.better),
    "took-partner": lambda f, a: f.partner_ahead() and f.wins(f.card),
    "too-strong": lambda f, a: (
        f.wins(f.card) and f.sure(f.better) and bool(f.stronger(f.better, [f.card]))
    ),
    "too-good": lambda f, a: same_suit(f) and bool(f.stronger(f.better, [f.card])),
    "too-weak": lambda f, a: (
        same_suit(f)
        and bool(f.stronger(f.card, [f.better]))
        and (not f.table or f.wins(f.better))
    ),
    "thrown": lambda f, a: (
        not f.stronger(f.card, f.others)
        and (f.order.is_trump(f.card) or not any(map(f.order.is_trump, f.others)))
        and not f.wins(f.card)
    ),
    "wasted-trump": lambda f, a: (
        f.order.is_trump(f.card)
        and not f.order.is_trump(f.better)
        and not f.order.is_trump(f.table[0])
    ),
}  # fmt: skip


def fact_of(hand: Hand, done: str, best: str = "") -> Fact:
    """Return the facts of an action written with its seat, and of a better one."""
    return Fact(hand, done.split()[1:], best.split()[1:])
