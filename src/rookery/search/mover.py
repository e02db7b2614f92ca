"""A searching bot at a table of one hand at a time, and what it thinks of each choice."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Final, cast

from rookery.bots.club.counting import OWN
from rookery.bots.dispatch import SILENT_CLUB, decide, decide_card
from rookery.bots.seat_info import SeatInfo, clear_notes, observe, observe_trick
from rookery.engine.state import AUCTION, PLAY, State
from rookery.game import Action, Hand, IllegalAction, Verb
from rookery.rules import Rules
from rookery.rules.table import compile_rules
from rookery.search.choice import Choice, Weighing, paired_error, standard_error
from rookery.search.desk import Call, Desk, Weighed
from rookery.search.making import chance_of_bid, chance_of_contract
from rookery.search.stakes import WHOLE
from rookery.search.thought import standing_for

log = logging.getLogger("rookery.search")

TRIES: Final = 1600
TIME: Final = 2000  # ms
VERSION: Final = 2  # 1: no thought of how the declarer discards, no exact endings, plain chances
DOUBT: Final = {"bold": 1, "steady": 4, "cautious": 8}  # hundredths of a hand's points
RECALL: Final = {"seen": 1024, "weighed": 512}  # what a strange card leaves of a world, 1024ths
PEEPS: Final = 200  # tries where the world is known: only how others bid is left to chance


class Searcher:
    """A bot that tries its choices out before it acts; a `Player`.

    It is shown the open table and its own cards, never the hand as a whole.
    """

    def __init__(
        self, rules: Rules, seat: int, options: Mapping[str, str], desk: Desk | None = None
    ) -> None:
        """Sit down; `options` may say ``tries``, ``ms`` for one action, ``style``, ``version``."""
        self._table = compile_rules(rules)
        side = self._table.partners[seat].bit_count()
        self._scale = side * (rules.seats - side)
        self._mine = SeatInfo(rng=1 + seat)
        self._desk = desk or Desk(self._table)
        self._tries = int(options.get("tries", TRIES))
        self._time = int(options.get("ms", TIME))
        self._warned = False
        self._version = int(options.get("version", VERSION))
        self._desk.temper(
            doubt=DOUBT[options.get("style", "steady")],
            anew=self._version > 1,
            recall=RECALL[options.get("plays", "seen")],
        )

    def begin(self, hand: Hand, dice: int, totals: Sequence[int] = ()) -> None:
        """Forget the last hand and take new dice; `totals` are those of the match so far."""
        clear_notes(self._mine)
        self._mine.rng = dice
        self._desk.stakes(tuple(totals))

    def weigh(self, hand: Hand, *, also: int | None = None, even: bool = False) -> list[Choice]:
        """Return the choices of the seat to act, the best first; of a discard, of its next card.

        Where there is one choice it is not tried, unless `even` asks for it.

        Args:
            hand: of it the seat is shown the open table and its own cards.
            also: an action that is among the choices and tried to the end, or an equal card of it,
                be it as bad as it may.
            even: let all choices meet the same worlds, in equal number, so that their differences
                can be judged.

        Raises:
            IllegalAction: `also` is not legal here; code ``not-now``.
        """
        state, mine = self._look(hand)
        if also is not None and also not in hand.legal_numbers():
            raise IllegalAction("not-now", f"the engine's action {also} is not legal here")
        self._desk.hear(calls_of(hand))
        self._desk.watch(hand.begun, hand.played)
        self._before(hand)
        exact = self._version > 1
        self._desk.think(state, mine, self._tries, self._time, also=also, even=even, exact=exact)
        return [self._judged(state, one) for one in self._desk.weighed]

    def _judged(self, state: State, w: Weighed) -> Choice:
        """Return what is to be said of an action that was weighed."""
        desk = self._desk
        scale = WHOLE if desk.in_match else self._scale
        if desk.sure:
            sure = desk.sure[w.action]
            making = None if sure.made is None else float(sure.made)
            behind = 0.0 if desk.rows else None
            return Choice(
                w.action,
                w.tried,
                sure.worth / scale,
                making,
                w.stood,
                w.made,
                0.0,
                behind,
                sure=True,
            )
        error = standard_error(w.tried, w.total, w.square)
        behind = paired_error(desk.rows[desk.best], desk.rows[w.action]) if desk.rows else None
        return Choice(
            w.action,
            w.tried,
            w.total / max(1, w.tried) / scale,
            self._making(state, w),
            w.stood,
            w.made,
            None if error is None else error / scale,
            None if behind is None else behind / scale,
        )

    def _making(self, state: State, w: Weighed) -> float | None:
        if self._version < 2:
            return w.made / w.stood if w.stood else None
        if state.phase == AUCTION:
            return chance_of_bid(w.made, w.stood, w.tried)
        return chance_of_contract(w.made, w.stood, declares=self._mine.seat == state.declarer)

    def stands_for(self, hand: Hand, choices: Sequence[Choice], action: int) -> Choice | None:
        """Return which of the choices of `weigh` stands for an action.

        Of equal cards one is weighed. None where none does, as for a bid that was left out.
        """
        state, mine = self._look(hand)
        found = standing_for(self._table, state, mine, action, [one.action for one in choices])
        return next((one for one in choices if one.action == found), None)

    def weigh_done(self, hand: Hand, action: Action | str, *, even: bool = False) -> list[Weighing]:
        """Return what there was to choose from when an action was taken.

        That is one weighing; for a discard or a call of partner cards it is one for each card, in
        the order in which the action names them, each after those before it.

        Args:
            hand: at the moment of the action; the seat of this bot is to act.
            action: the action, or its text.
            even: as for `weigh`.

        Raises:
            IllegalAction: the rules do not allow it now; see there for the codes.
            BadAction: the text is no action; codes ``bad-action`` and ``unknown-card``.
        """
        action = hand.parse(action)
        if action.seat != hand.turn:
            raise IllegalAction(
                "not-your-turn",
                f"it is not seat {action.seat}'s turn; only what a seat does at its "
                "own turn is weighed",
            )
        done = []
        for number in hand.numbers_of(action):
            choices = self.weigh(hand, also=number, even=even)
            standing = cast(Choice, self.stands_for(hand, choices, number))  # `also` saw to it
            done.append(Weighing(hand, number, choices, standing))
            hand = hand.do(number)
        return done

    def act(self, hand: Hand) -> Action:
        """Return the bot's next action.

        Without any time it does what the script would, and the log says so once.
        """
        written = len(hand.actions)
        if not self._time and not self._warned:
            log.warning("ms=0 leaves no time to think: what the script does is done instead")
            self._warned = True
        while len(hand.actions) == written:
            hand = hand.do(self.weigh(hand)[0].action if self._time else self._script(hand))
        return hand.actions[-1]

    def finish(self, hand: Hand) -> None:
        """Do nothing: it learns nothing from a hand."""

    def close(self) -> None:
        """Do nothing: nothing was started."""

    def _before(self, hand: Hand) -> None:
        """Do nothing more before it thinks; a bot that may peep does."""

    def _look(self, hand: Hand) -> tuple[State, SeatInfo]:
        state = hand.state
        (observe_trick if state.phase == PLAY else observe)(
            self._table, state, hand.hidden, self._mine
        )
        # Without it who begins with a card of the dummy would not know his own.
        self._mine.memo[OWN] = hand.hidden.hand[self._mine.seat]
        return state, self._mine

    def _script(self, hand: Hand) -> int:
        state, mine = self._look(hand)
        return (decide_card if state.phase == PLAY else decide)(
            self._table, state, mine, SILENT_CLUB
        )


def calls_of(hand: Hand) -> list[Call]:
    """Return the bids and passes of a hand's auction, in order; other calls are left out."""
    return [
        Call(action.seat, action.amount if isinstance(action.amount, int) else 0)
        for action in hand.actions
        if action.verb is Verb.PASS or isinstance(action.amount, int)
    ]


def expert(rules: Rules, seat: int, options: Mapping[str, str]) -> Searcher:
    """Return `expert` in a seat."""
    return Searcher(rules, seat, options)


class Peeper(Searcher):
    """A bot that sees all cards: how far seeing would carry, for the laboratory alone."""

    def _before(self, hand: Hand) -> None:
        self._desk.peep(hand.hidden)


def open_hand(rules: Rules, seat: int, options: Mapping[str, str]) -> Peeper:
    """Return `open-hand` in a seat."""
    return Peeper(rules, seat, {"tries": str(PEEPS), "version": "1", **options})
