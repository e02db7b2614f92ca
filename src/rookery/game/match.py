"""A match: hand after hand, the totals, and who has won. Unchanging, like a hand.

>>> from rookery.rules import load
>>> match = Match(load("kd_tournament")).shuffled(seed=7)
>>> match.hand.dealer, match.totals, match.winners
(0, (0, 0, 0, 0), None)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, NamedTuple

from rookery.cards import Seat, unpack
from rookery.engine.match import add_scores
from rookery.engine.match import winners as winners_of
from rookery.game import shown
from rookery.game.action import Action
from rookery.game.errors import IllegalAction, check_kind, counted, shortened
from rookery.game.hand import Hand
from rookery.game.legal import check_accuser
from rookery.game.position import Bid
from rookery.rules import Rules
from rookery.unicode.halves import is_unicode


class ScoreLine(NamedTuple):
    """A line of the score sheet: a hand that is over, and the totals after it.

    Attributes:
        number: the number of the hand in its match, from 0.
        dealer: the seat that dealt.
        declarer: the seat that played the contract; None without one.
        bid: the contract, points or ``"sun"``.
        call: the trump call.
        score: what each seat scored; None after a redeal.
        totals: each seat's total.
    """

    number: int
    dealer: Seat
    declarer: Seat | None
    bid: Bid
    call: str | None
    score: tuple[int, ...] | None
    totals: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the line ready for JSON; its number is called ``hand``."""
        line = self._asdict()
        line["score"] = None if self.score is None else list(self.score)
        line["totals"] = list(self.totals)
        return {"hand": line.pop("number"), **line}


class Match:
    """Hands played by one set of rules until somebody has won.

    Attributes:
        rules: the rules.
        players: a name for each seat, or None.
        hands: every hand so far, redealt ones too; the last one may still be under way.
        dealt: how many hands were dealt; as many as `hands` has, unless some were dropped.
        lines: the score sheet, a line for each hand that is over.
        totals: the total of each seat, game points.
        winners: the seats that have won; None while the match goes on.
    """

    def __init__(self, rules: Rules, players: Sequence[str] | None = None) -> None:
        """Sit down to a new match.

        Raises:
            ValueError: not one name a seat, or something that is no name.
            TypeError: the rules are none.
        """
        check_kind("rules", rules, Rules, "Rules, as load_rules returns them")
        names = () if players is None else players
        if isinstance(names, str) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"players {shortened(names)}: expected a list of names, or None")
        if players is not None and len(players) != rules.seats:
            raise ValueError(f"{counted(len(players), 'player')} named; expected {rules.seats}")
        if not all(map(is_unicode, names)):
            raise ValueError(f"players {shortened(names)}: expected names in Unicode")
        self.rules = rules
        self.players = None if players is None else tuple(players)
        self.hands: tuple[Hand, ...] = ()
        self.dealt = 0
        self.lines: tuple[ScoreLine, ...] = ()
        self.totals: tuple[int, ...] = (0,) * rules.seats
        self.winners: tuple[Seat, ...] | None = None
        self._tried: tuple[str, Match] | None = None

    def __copy__(self) -> Match:
        """Return a match like this one; what was tried in this one is not tried in that."""
        match = object.__new__(type(self))
        match.__dict__.update(self.__dict__, _tried=None)
        return match

    @property
    def hand(self) -> Hand | None:
        """The hand last dealt, under way or over; None before the first."""
        return self.hands[-1] if self.hands else None

    @property
    def dealer(self) -> Seat:
        """Who deals next: seat 0 first, then the one on the left; a redeal leaves it as it was."""
        last = self.hand
        if last is None:
            return 0
        return last.dealer if last.phase == "redealt" else (last.dealer + 1) % self.rules.seats

    def deal(self, deal: Sequence[Sequence[str]], nest: Sequence[str] = ()) -> Match:
        """Return the match with the next hand dealt; see `Hand.deal`.

        Raises:
            IllegalAction: a hand is under way (``not-now``) or the match is over (``hand-over``).
            BadDeal: the cards are no deal of this game.
        """
        self._check_ready()
        return self.begin(Hand.deal(self.rules, self.dealer, deal, nest))

    def shuffled(self, seed: int) -> Match:
        """Return the match with the next hand dealt from a seed; see `Hand.shuffled`."""
        self._check_ready()
        return self.begin(Hand.shuffled(self.rules, self.dealer, seed))

    def begin(self, hand: Hand) -> Match:
        """Return the match with `hand` as the next one, whoever deals it; as records are replayed.

        A hand before it that was not played to its end stays unscored.

        Raises:
            IllegalAction: the match is over; code ``hand-over``.
            ValueError: the hand is played by other rules.
            TypeError: it is no hand.
        """
        check_kind("hand", hand, Hand, "a Hand, such as Deal.hand()")
        if hand.rules != self.rules:
            raise ValueError("the hand is played by other rules than the match")
        if self.winners is not None:
            raise IllegalAction("hand-over", "the match is over; no further hand is dealt")
        match = copy(self)
        match.hands = (*self.hands, hand)
        match.dealt += 1
        match._score()
        return match

    def cancelled(self, dealers: Sequence[Seat]) -> Match:
        """Return the match after hands of these dealers that the rules cancelled at once.

        They stand in the score sheet alone: `hands` stays as it is.
        """
        match = copy(self)
        match.dealt += len(dealers)
        match.lines += tuple(
            ScoreLine(number, dealer, None, None, None, None, self.totals)
            for number, dealer in enumerate(dealers, self.dealt)
        )
        return match

    def act(self, action: Action | str) -> Match:
        """Return the match after an action in its hand; see `Hand.act`."""
        return self.act_all([action])

    def act_all(self, actions: Iterable[Action | str]) -> Match:
        """Return the match after actions in its hand; see `Hand.act_all`."""
        if self.hand is None:
            raise IllegalAction("not-now", "no hand is dealt yet")
        actions, tried, self._tried = list(actions), self._tried, None
        if tried is not None and len(actions) == 1 and str(actions[0]) == tried[0]:
            return tried[1]
        match = copy(self)
        match.hands = (*self.hands[:-1], self.hand.act_all(actions))
        match._score()
        return match

    def tried(self, action: Action | str) -> Match:
        """Return what `act` does; this match keeps it for the next `act`, which may be the same.

        Raises:
            IllegalAction: as `act`, and where a side challenges itself: only records may do that.
        """
        if (hand := self.hand) is not None:
            check_accuser(hand.table, *hand.records, hand.parse(action))
        after = self.act(action)
        self._tried = str(after.hands[-1].actions[-1]), after
        return after

    def thrown_in(self) -> Match:
        """Return the match with its hand under way thrown in, see `Hand.thrown_in`.

        Raises:
            IllegalAction: no hand is under way; code ``not-now``.
        """
        if self.hand is None or self.hand.over:
            raise IllegalAction("not-now", "no hand is under way")
        match = copy(self)
        match.hands = (*self.hands[:-1], self.hand.thrown_in())
        match._score()
        return match

    def last_hand_only(self, hand: Hand | None = None) -> Match:
        """Return the match without its hands but the last, or but `hand` in the last one's place.

        The score sheet stays whole. A table that plays on for ever keeps no old hands this way.
        """
        match = copy(self)
        match.hands = self.hands[-1:] if hand is None else (hand,)
        return match

    def seat_name(self, seat: Seat) -> str:
        """Return the name of a seat's player, or its number."""
        return f"seat {seat}" if self.players is None else self.players[seat]

    @property
    def _standing(self) -> str:
        """Where the match stands, in one line."""
        hands = f"{self.dealt} hand{'' if self.dealt == 1 else 's'}"
        text = f"{hands}, score {' '.join(map(str, self.totals))}"
        if self.winners is None:
            return f"{text}, to {self.rules.target}"
        return f"{text}, won by {' and '.join(map(self.seat_name, self.winners))}"

    def __repr__(self) -> str:
        return f"<Match of {shown.game_name(self.rules)}: {self._standing}>"

    def __str__(self) -> str:
        """Return the match in a line, and a line for each hand."""
        hands = (f"{i}. {shown.hand_line(hand)}" for i, hand in enumerate(self.hands, 1))
        return "\n".join((repr(self), *hands))

    def _repr_html_(self) -> str:
        """Return the score sheet, for a notebook."""
        from rookery.show.notebook import sheet

        names = [self.seat_name(seat) for seat in range(self.rules.seats)]
        lines = []
        for i, hand in enumerate(self.hands, 1):
            score = ["-"] * len(names) if hand.score is None else [str(n) for n in hand.score]
            lines.append([str(i), self.seat_name(hand.dealer), *self._contract_cells(hand), *score])
        return sheet(
            self.rules.name,
            ["hand", "dealer", "contract", "took", *names],
            lines,
            ["total", "", "", "", *map(str, self.totals)],
            f"{self._standing[0].upper()}{self._standing[1:]}.",
        )

    def _contract_cells(self, hand: Hand) -> tuple[str, str]:
        """Return the contract of a hand and what its declarer took, as cells of the sheet."""
        if hand.phase == "redealt":
            return "dealt again", "-"
        if hand.declarer is None:
            return "-", "-"
        contract = f"{self.seat_name(hand.declarer)}: {hand.bid} {hand.call or ''}".rstrip()
        return contract, "-" if hand.points is None else str(hand.points[0])

    def _check_ready(self) -> None:
        if self.hand is not None and not self.hand.over:
            raise IllegalAction("not-now", "the last hand is not over; the next one has to wait")

    def _score(self) -> None:
        """Add the line of the last hand, once it is over."""
        hand = self.hands[-1]
        if not hand.over:
            return
        if hand.phase == "done":
            totals = list(self.totals)
            state = hand.state
            add_scores(hand.table, state, totals)
            self.totals = tuple(totals)
            won = winners_of(hand.table, state, totals)
            self.winners = tuple(unpack(won)) if won else None
        score = None if hand.score is None else tuple(hand.score)
        line = ScoreLine(
            self.dealt - 1, hand.dealer, hand.declarer, hand.bid, hand.call, score, self.totals
        )
        self.lines = (*self.lines, line)
