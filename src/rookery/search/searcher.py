"""The bot `expert`: it searches before each of its actions."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rookery.bots.dispatch import SILENT_CLUB, decide, decide_card
from rookery.bots.player import Player
from rookery.bots.seat_info import SeatInfo, clear_notes
from rookery.engine.state import AUCTION, PLAY, Hidden, State
from rookery.game import Action, Hand, IllegalAction
from rookery.rules import Rules
from rookery.rules.table import compile_rules
from rookery.search.choice import (
    Choice,
    chance_of_bid,
    chance_of_contract,
    paired_error,
    standard_error,
)
from rookery.search.outcome import WHOLE
from rookery.search.request import SearchRequest, request_of
from rookery.search.search import Result, Search
from rookery.search.state import equal_among

log = logging.getLogger("rookery.search")

ROLLOUTS: Final = 1600
TIME: Final = 2000  # ms
# 1: without discards chosen again, without exact endgames, with chances that are not calibrated;
# 3: a network plays rollouts after the auction, and the chances then are not calibrated
VERSION: Final = 2
DEFENCE: Final = {"bold": 1, "steady": 4, "cautious": 8}  # percent of all points
ODD_CARD: Final = {"seen": 1024, "weighed": 512}  # the weight left by an odd card, 1024ths
OPEN_ROLLOUTS: Final = 200  # if all hands are open, only the others' bids are left to chance


class SearchResult(NamedTuple):
    """The answer to a `SearchRequest`.

    Attributes:
        choices: the best first.
        rng: the seat's dice afterwards.
        memo: its notes afterwards.
    """

    choices: list[Choice]
    rng: int
    memo: list[int]


class Searcher(Player):
    """The bot `expert`, which searches before it acts.

    It is shown the open table and its own cards, never the hand as a whole.
    """

    def __init__(
        self, rules: Rules, seat: int, options: Mapping[str, str], search: Search | None = None
    ) -> None:
        """Sit down, with ``expert``'s options; one `search` may serve several seats."""
        self._table = compile_rules(rules)
        side = self._table.partners[seat].bit_count()
        self._scale = side * (rules.seats - side)
        self._mine = SeatInfo(rng=1 + seat)
        self._totals: Sequence[int] = ()
        self._search = search or Search(self._table)
        self._rollouts = int(options.get("rollouts", ROLLOUTS))
        self._time = int(options.get("ms", TIME))
        self._warned = False
        self._version = int(options.get("version", VERSION))
        self._search.configure(
            defence=DEFENCE[options.get("style", "steady")],
            new_discards=self._version > 1,
            odd_card=ODD_CARD[options.get("plays", "seen")],
        )

    def begin(self, hand: Hand, dice: int, totals: Sequence[int] = ()) -> None:
        """Forget the last hand and take new dice; `totals` are those of the match so far."""
        clear_notes(self._mine)
        self._mine.rng = dice or 1  # a generator at 0 would stay there
        self._totals = totals

    def weigh(self, hand: Hand, *, also: int | None = None, even: bool = False) -> list[Choice]:
        """Return the choices of the seat to act, the best first; of a discard, of its next card.

        The seat is shown the open table and its own cards. `also`, itself or as an equal card, is
        tried to the end. With `even` all choices are tried in the same worlds, so that their
        differences can be judged; a lone choice is not tried without it.

        Raises:
            IllegalAction: `also` is not legal here; code ``not-now``.
        """
        if also is not None and also not in hand.legal_numbers():
            raise IllegalAction("not-now", f"the engine's action {also} is not legal here")
        return self.answer(request_of(hand, self._mine, self._totals), also=also, even=even).choices

    def answer(
        self, request: SearchRequest, *, also: int | None = None, even: bool = False
    ) -> SearchResult:
        """Return the choices for what a seat knows; the arguments are those of `weigh`."""
        state, mine, search = request.state, request.mine, self._search
        search.tell(request)
        solve = self._version > 1
        search.run(state, mine, self._rollouts, self._time, also=also, even=even, solve=solve)
        choices = [self._choice(request, result) for result in search.results]
        return SearchResult(choices, mine.rng, list(mine.memo))

    def worlds(self, hand: Hand, number: int) -> list[Hidden]:
        """Return closed cards that fit what the seat to act knows, as rollouts meet them."""
        request = request_of(hand, self._mine, self._totals)
        self._search.tell(request)
        return self._search.worlds(request.state, request.mine, number)

    def _choice(self, request: SearchRequest, result: Result) -> Choice:
        """Return an action with its expected margin and chance."""
        search = self._search
        scale = WHOLE if request.totals else self._scale
        error: float | None = 0.0
        behind = 0.0 if search.values else None
        if search.exact:
            exact = search.exact[result.action]
            margin = exact.value / scale
            making = None if exact.made is None else float(exact.made)
        else:
            margin = result.total / max(1, result.rollouts) / scale
            making = self._making(request.state, request.mine.seat, result)
            error = standard_error(result.rollouts, result.total, result.squares)
            if search.values:
                behind = paired_error(search.values[search.best], search.values[result.action])
        return Choice(
            result.action,
            result.rollouts,
            margin,
            making,
            result.contracts,
            result.made,
            None if error is None else error / scale,
            None if behind is None else behind / scale,
            exact=bool(search.exact),
        )

    def _making(self, state: State, seat: int, result: Result) -> float | None:
        made, contracts = result.made, result.contracts
        if state.phase == AUCTION and self._version > 1:
            return chance_of_bid(made, contracts, result.rollouts)
        if self._version == 2:
            return chance_of_contract(made, contracts, declares=seat == state.declarer)
        return made / contracts if contracts else None

    def choice_for(self, hand: Hand, choices: Sequence[Choice], action: int) -> Choice | None:
        """Return the choice for an action, or for an equal card; None if there is none.

        Only one of several equal cards is tried, and some bids are left out.
        """
        request = request_of(hand, self._mine)
        tried = [choice.action for choice in choices]
        same = equal_among(self._table, request.state, request.mine, action, tried)
        return next((choice for choice in choices if choice.action == same), None)

    def act(self, hand: Hand) -> Action:
        """Return the bot's next action.

        Without any time it does what the script would, and the log says so once.
        """
        written = len(hand.actions)
        if not self._time and not self._warned:
            log.warning("ms=0 leaves no time to search: the script plays instead")
            self._warned = True
        while len(hand.actions) == written:
            hand = hand.do(self.weigh(hand)[0].action if self._time else self._script(hand))
        return hand.actions[-1]

    def _script(self, hand: Hand) -> int:
        state, mine = hand.state, request_of(hand, self._mine).mine
        return (decide_card if state.phase == PLAY else decide)(
            self._table, state, mine, SILENT_CLUB
        )


class PerfectInformationSearcher(Searcher):
    """A bot that sees all cards: the upper limit of play, for the laboratory alone."""

    def weigh(self, hand: Hand, *, also: int | None = None, even: bool = False) -> list[Choice]:
        """Return the choices of the seat to act, tried in the true hands; see `Searcher.weigh`."""
        self._search.reveal(hand.hidden)
        return super().weigh(hand, also=also, even=even)


def open_hand(rules: Rules, seat: int, options: Mapping[str, str]) -> PerfectInformationSearcher:
    """Return `open-hand` in a seat."""
    usual = {"rollouts": str(OPEN_ROLLOUTS), "version": "1"}
    return PerfectInformationSearcher(rules, seat, {**usual, **options})
