"""Foresight: who plays better than their information allows, over many records.

A card is compared with others in hands that its player could not tell from the true one. With all
hands open, the solver gives the value of each card that could be played in each of these hands. The
best guess is the card with the highest mean. Another card is better in some of these hands and
worse in others. For an honest player the true hand is one like the others. So over many hands,
good players and bad ones are right in the true hand as often as in the others. A player who sees
hidden cards is right in it more often: their unusual cards work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from math import sqrt
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import AfterValidator, BaseModel, Field

from rookery.bots.club.counting import OWN
from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.cards import unpack
from rookery.engine.records import copy_of
from rookery.engine.rng import seeded
from rookery.engine.state import Hidden
from rookery.engine.trick import following
from rookery.game import Hand, Match
from rookery.lab.run.jobs import Progress
from rookery.lab.stats import variance_of
from rookery.review.hand_review import Step, is_decision, steps_of
from rookery.review.open_cards import OpenValues, Points, solvable
from rookery.rules import Rules
from rookery.rules.table import PLACES, RuleTable, compile_rules
from rookery.search.request import calls_of
from rookery.search.state import SearchState, note_calls
from rookery.search.worlds import draw_by_discards
from rookery.solver.constraints import Constraints
from rookery.solver.sample import ROOM, prepare_worlds

PARTS: Final = 1000  # of a point, so that sums are the same in any order
WORLDS: Final = 16
TRICKS: Final = 8


class Observation(NamedTuple):
    """A card, compared with others in hands that its player could not tell from the true one.

    Attributes:
        action: its number among the actions of its hand.
        seat: who chose it, the declarer for a dummy.
        gain: its `foresight`, thousandths of a point.
    """

    action: int
    seat: int
    gain: int


def foresight(values: Points, done: int) -> int:
    """Return how much better than the best guess a card is in the true hand than on average.

    The result is in thousandths of a point, and 0 for the best guess itself. The average is over
    all hands, the true one among them, and so is the best guess: for all the player could know,
    none of them is special. Several best cards count as their mean.

    >>> import numpy as np
    >>> foresight(np.array([[0, 10], [10, 0], [10, 0], [10, 0]]), 1)
    15000
    >>> foresight(np.array([[10, 0], [0, 10], [10, 0], [10, 0]]), 1)
    -5000

    Args:
        values: the value of each card in each hand, the true one first, shape (hands, cards).
        done: the place of the card that was played among the cards.
    """
    hands = len(values)
    totals = values.sum(axis=0)
    best = (totals == totals.max()).nonzero()[0]
    if done in best:
        return 0
    ahead = len(best) * values[:, done] - values[:, best].sum(axis=1)
    return round(PARTS * int(hands * ahead[0] - ahead.sum()) / (hands * len(best)))


class WorldSampler:
    """Draws hands that a seat could not tell from the true one, as the search draws them.

    They agree with all that the seat has seen, and each is as likely as the calls make it. In each
    of them the declarer has chosen the discards. It runs uncompiled: that takes milliseconds, and
    compiling half a minute.
    """

    def __init__(self, table: RuleTable) -> None:
        """Prepare for a rule set."""
        self._table = table
        self._search = SearchState(new_discards=1)
        self._known, self._world, self._ways = Constraints(), Hidden(), [0.0] * ROOM
        self._seats: Sequence[SeatInfo] = [SeatInfo() for _ in range(PLACES)]

    def draw(self, hand: Hand, many: int, dice: int) -> list[Hidden]:
        """Return so many sets of hidden cards, each of which the seat to act may face.

        The seat is shown the open table and its own cards, never the hand as a whole.

        Args:
            hand: a hand in its play.
            many: how many to draw.
            dice: a state of the generator, 0 to 2^63 - 1.
        """
        table, state, mine, world = self._table, hand.state, SeatInfo(rng=dice), self._world
        observe_trick(table, state, hand.hidden, mine)
        mine.memo[OWN] = hand.hidden.hand[mine.seat]
        note_calls(table, self._search, calls_of(hand))
        prepare_worlds(table, state, mine, self._known, self._ways)
        world.rng = mine.rng
        drawn = []
        for _ in range(many):
            draw_by_discards(
                table, state, mine.seat, self._known, world, self._seats, self._search, self._ways
            )
            drawn.append(copy_of(world))
        return drawn


class Observer:
    """Looks for foresight in hands played by one set of rules."""

    def __init__(
        self, rules: Rules, *, worlds: int = WORLDS, tricks: int = TRICKS, seed: int = 1
    ) -> None:
        """Prepare; the first observer in a process compiles.

        Args:
            rules: what was played.
            worlds: with how many other hands the true one is compared.
            tricks: how many tricks may be left to play, the current one among them.
            seed: of the dice that draw these hands.
        """
        table = compile_rules(rules)
        self._sampler = WorldSampler(table)
        self._values = OpenValues(table)
        self._many, self._tricks, self._seed = worlds, tricks, seed

    def observations(self, hand: Hand) -> Iterator[Observation]:
        """Yield an observation for each card of a hand that was a choice and made a difference.

        There are none if the hand is no contest of two sides over points.
        """
        for step, values, done in self.choices(hand):
            yield Observation(step.index, step.before.to_act or 0, foresight(values, done))

    def choices(self, hand: Hand) -> Iterator[tuple[Step, Points, int]]:
        """Yield each such card with the values of all cards, and its place among them.

        The values have the true hand first, shape (hands, cards). A card is left out if one of the
        hands takes too long to solve.
        """
        dice = seeded(self._seed, fingerprint(hand)) >> 1
        for step in filter(self._is_judged, steps_of(hand)):
            before = step.before
            played_from = before.hidden.hand[before.state.turn]
            cards = list(unpack(following(hand.table, before.state, played_from)))
            drawn = self._sampler.draw(before, self._many, seeded(dice, step.index) >> 1)
            values = self._values.of(before.state, [before.hidden, *drawn], cards)
            if values is not None and (values != values[:, :1]).any():
                yield step, values, cards.index(step.action.card)

    def _is_judged(self, step: Step) -> bool:
        hand = step.before
        left = hand.table.hand_size - hand.state.tricks
        return 1 < left <= self._tricks and solvable(hand) and is_decision(step)


def fingerprint(hand: Hand) -> int:
    """Return a number below 2^63 for a deal and its actions, whoever the players were."""
    text = repr((hand.dealer, hand.dealt, hand.nest_dealt, tuple(map(str, hand.actions))))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


FORMAT: Literal["rookery-foresight/1"] = "rookery-foresight/1"
Verdict = Literal["too-few", "nothing", "more"]
# Game points to three digits, never -0.0.
Rounded: TypeAlias = Annotated[float, AfterValidator(lambda points: round(points, 3) + 0.0)]


class _Figures(BaseModel, frozen=True):
    """What was seen of somebody, over all hands with a decision that made a difference.

    All figures but the counts are game points a hand.
    """

    hands: int = Field(description="Hands with a decision that made a difference.")
    decisions: int = Field(description="Cards chosen that were looked at.")
    foresight: Rounded | None = Field(
        description="By how much more the cards gained over the best guess in the true hands than "
        "in others that looked the same; null without any hand."
    )
    error: Rounded | None = Field(description="Its standard error over hands; null below 2 hands.")
    allowed: Rounded | None = Field(
        description="What honest players stay below; null without any hand."
    )
    verdict: Verdict = Field(
        description="`too-few` hands to say; `nothing` to see; `more` than chance explains."
    )


class PlayerForesight(_Figures, frozen=True):
    """A player's figures."""

    name: str | None = Field(description="Null in records without names.")
    seat: int | None = Field(description="The seat in records without names; else null.")


class PairForesight(_Figures, frozen=True):
    """The figures of two partners together: who tells the other their cards shows in both."""

    names: list[str] | None = Field(description="Null in records without names.")
    seats: list[int] | None = Field(description="The seats in records without names; else null.")


class Foresight(BaseModel, frozen=True):
    """Many records, looked at for play that is better than its information."""

    format: Literal["rookery-foresight/1"] = FORMAT
    records: int = Field(description="Files read.")
    hands: int = Field(description="Hands looked at.")
    again: int = Field(description="Hands left out because they were there before.")
    unsuited: int = Field(
        description="Hands looked at with nothing to see: no contest of two sides over points, or "
        "broken off before the last tricks."
    )
    worlds: int = Field(description="Hands that each card was held against, beside the true one.")
    tricks: int = Field(description="Tricks left from which on cards were looked at.")
    seed: int
    players: list[PlayerForesight] = Field(description="Most foresight in standard errors first.")
    pairs: list[PairForesight] = Field(
        description="The same of fixed partners together; none where there are no such."
    )


ENOUGH: Final = 100  # hands, below which nothing is said of a player
BEYOND: Final = 4.0  # standard errors
HONEST: Final = 0.01  # parts of a hand's points: above all that honest players were measured at
SEED: Final = 1

Player: TypeAlias = str | int
"""A name, or a seat where a record names nobody."""
Pair: TypeAlias = tuple[Player, Player]


@dataclass
class PlayerSums:
    """The sums of a player, in whole numbers, so that their order does not matter.

    Attributes:
        hands: in which a decision made a difference.
        decisions: that did.
        total: what the cards gained, thousandths of a point.
        squares: the squares of what the hands gained.
        points: the points of all these hands.
    """

    hands: int = 0
    decisions: int = 0
    total: int = 0
    squares: int = 0
    points: int = 0

    def add(self, gains: Sequence[int], points: int) -> None:
        """Add a hand: what each card gained, thousandths of a point, and the hand's points."""
        gain = sum(gains)
        self.hands += 1
        self.decisions += len(gains)
        self.total += gain
        self.squares += gain * gain
        self.points += points

    @property
    def foresight(self) -> float | None:
        """The mean over hands, points."""
        return self.total / self.hands / PARTS if self.hands else None

    @property
    def error(self) -> float | None:
        """The standard error of the mean, points."""
        if self.hands < 2:
            return None
        return sqrt(variance_of(self.hands, self.total, self.squares) / self.hands) / PARTS

    @property
    def allowed(self) -> float | None:
        """The largest foresight measured of honest players, points a hand."""
        return HONEST * self.points / self.hands if self.hands else None

    @property
    def beyond(self) -> float:
        """The mean less the allowed value, in standard errors; 0 where there is no error."""
        if self.foresight is None or self.allowed is None or not self.error:
            return 0.0
        return (self.foresight - self.allowed) / self.error

    @property
    def verdict(self) -> Verdict:
        """The verdict on the player."""
        if self.hands < ENOUGH:
            return "too-few"
        return "more" if self.beyond > BEYOND else "nothing"


def look(
    matches: Iterable[Match],
    *,
    hands: int | None = None,
    worlds: int = WORLDS,
    tricks: int = TRICKS,
    seed: int = SEED,
    progress: Progress = lambda done, whole: None,
) -> Foresight:
    """Return the foresight of each player in some matches.

    A hand's figures do not depend on the other hands. A hand that occurs twice counts once.

    Args:
        matches: of any rules.
        hands: how many hands to examine, the first ones; all where None.
        worlds: how many worlds each card is compared with, besides the true one.
        tricks: how many tricks may be left to play, the current one among them.
        seed: of the dice that draw them.
        progress: called with how many hands are done, and how many there are.
    """
    given = list(matches)
    once = _once(given)
    chosen = list(once.values())[:hands]
    observers: dict[Rules, Observer] = {}
    sums: dict[Player, PlayerSums] = {}
    pairs: dict[Pair, PlayerSums] = {}
    unsuited = 0
    progress(0, len(chosen))
    for done, (match, hand) in enumerate(chosen, 1):
        for seat in range(match.rules.seats):
            sums.setdefault(_player(match, seat), PlayerSums())
        if match.rules not in observers:
            observers[match.rules] = Observer(match.rules, worlds=worlds, tricks=tricks, seed=seed)
        gains: dict[Player, list[int]] = {}
        for one in observers[match.rules].observations(hand):
            gains.setdefault(_player(match, one.seat), []).append(one.gain)
        for player, values in gains.items():
            sums[player].add(values, match.rules.total_points)
        for pair in _pairs(match):
            both = [gain for player in {*pair} for gain in gains.get(player, ())]
            of_pair = pairs.setdefault(pair, PlayerSums())
            if both:
                of_pair.add(both, match.rules.total_points)
        unsuited += not gains
        progress(done, len(chosen))
    players = sorted(sums.items(), key=lambda one: -one[1].beyond)
    partners = sorted(pairs.items(), key=lambda one: -one[1].beyond)
    return Foresight(
        records=len(given),
        hands=len(chosen),
        again=sum(len(match.hands) for match in given) - len(once),
        unsuited=unsuited,
        worlds=worlds,
        tricks=tricks,
        seed=seed,
        players=[
            PlayerForesight(
                name=player if isinstance(player, str) else None,
                seat=player if isinstance(player, int) else None,
                **_figures(of),
            )
            for player, of in players
        ],
        pairs=[
            PairForesight(
                names=[one for one in pair if isinstance(one, str)] or None,
                seats=[one for one in pair if isinstance(one, int)] or None,
                **_figures(of),
            )
            for pair, of in partners
        ],
    )


def _once(matches: Iterable[Match]) -> dict[object, tuple[Match, Hand]]:
    """Return every hand with its match in order, without duplicates."""
    hands: dict[object, tuple[Match, Hand]] = {}
    for match in matches:
        for hand in match.hands:
            key = (match.rules, match.players, fingerprint(hand))
            hands.setdefault(key, (match, hand))
    return hands


def _player(match: Match, seat: int) -> Player:
    return match.players[seat] if match.players else seat


def _pairs(match: Match) -> Iterator[Pair]:
    """Yield each two who are partners in every hand of a match, in one order."""
    for side in match.rules.fixed_sides or ():
        for one, other in combinations([_player(match, seat) for seat in side], 2):
            yield (other, one) if str(other) < str(one) else (one, other)


def _figures(sums: PlayerSums) -> dict[str, Any]:
    """Return the figures of somebody, as `PlayerForesight` and `PairForesight` have them."""
    kept = ("hands", "decisions", "foresight", "error", "allowed", "verdict")
    return {name: getattr(sums, name) for name in kept}
