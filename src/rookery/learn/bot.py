"""The learned bots at a table: `pupil` plays by the network alone, `taught` searches with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from rookery.bots.club_table import OWN
from rookery.bots.decide import CLUB, SILENT_CLUB, decide, seated
from rookery.bots.mine import Mine, forget, look, look_at_trick
from rookery.engine.kernel import load
from rookery.engine.scratch import Fields, Scratch
from rookery.engine.state import PLAY, State
from rookery.game import Hand
from rookery.learn.net import Net, paper_for
from rookery.learn.pupil import taught_card
from rookery.learn.rehearse import lean, try_cards
from rookery.learn.weights import shipped
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules
from rookery.search.desk import Desk
from rookery.search.mover import Searcher
from rookery.search.thought import Thought

Target = Literal["python", "numba"]

TRUST: Final = "40"  # worlds
PLAYOUTS: Final = "script"


class Pupil:
    """A bot that bids by the script and plays its cards by the network; a `Mover`.

    It is shown the open table and its own cards, never the hand as a whole.
    """

    def __init__(
        self, rules: Rules, seat: int, net: Net | None = None, target: Target = "numba"
    ) -> None:
        """Sit down with a network; with the one that comes with the program where None."""
        self._table = compile_rules(rules)
        self._net = net or shipped().net
        self._paper = paper_for(self._net)
        self._card: Callable[..., int] = load(target, taught_card, None, seated([CLUB]))
        self._scratch = Scratch(target)
        self._rules = self._scratch.record(self._table)
        self._thought = self._scratch.record(Thought())
        self._mine = Mine(rng=1 + seat)

    def begin(self, hand: Hand, dice: int) -> None:
        """Forget the last hand."""
        forget(self._mine)
        self._mine.rng = dice

    def choose(self, hand: Hand) -> int:
        """Return the engine's number of the next action; of a discard, its next card."""
        state, hidden, mine = hand.state, hand.hidden, self._mine
        if state.phase != PLAY:
            look(self._table, state, hidden, mine)
            return decide(self._table, state, mine, CLUB)
        look_at_trick(self._table, state, hidden, mine)
        if state.turn == mine.seat:
            mine.memo[OWN] = mine.hand
        s, m = map(self._scratch.record, (state, mine))
        return int(self._card(self._rules, s, m, self._thought, self._net, self._paper, True))

    def act(self, hand: Hand) -> str:
        """Return the bot's next action, as a record writes it."""
        written = len(hand.actions)
        while len(hand.actions) == written:
            hand = hand.do(self.choose(hand))
        return hand.actions[-1]

    def finish(self, hand: Hand) -> None:
        """Do nothing: it learns in a course, not at the table."""

    def close(self) -> None:
        """Do nothing: nothing was started."""


class TaughtDesk(Desk):
    """A desk at which the network is asked first, or plays on in the tries, in the play."""

    def __init__(
        self, table: RuleTable, net: Net, trust: int, learned: bool, target: Target = "numba"
    ) -> None:
        """Lay out the paper.

        Args:
            table: the rules.
            net: the network.
            trust: for how many worlds its word counts before the tries.
            learned: whether it plays everybody's cards in the tries.
            target: where the code runs.
        """
        super().__init__(table, target)
        given = seated([CLUB, SILENT_CLUB])
        self._net, self._paper, self._trust = net, paper_for(net), trust
        self._inner = self._scratch.record(Thought())
        self._everybody = (1 << table.seats) - 1 if learned else 0
        self._script_begins, self._script_tries = self._begin, self._try
        self._lean: Callable[..., None] = load(target, lean, None, given)
        self._taught_tries: Callable[..., None] = load(target, try_cards, None, given)
        self._begin = self._begin_taught
        self._said: dict[int, int] = {}

    def think(
        self,
        state: State,
        mine: Mine,
        tries: int,
        milliseconds: float = float("inf"),
        *,
        also: int | None = None,
        even: bool = False,
        exact: bool = False,
    ) -> None:
        """Weigh the actions of the seat of `mine`, as a `Desk` does.

        What the network said steers the tries and the order, and is then taken out of what they
        showed.
        """
        by_net = state.phase == PLAY and self._everybody
        self._try = self._try_taught if by_net else self._script_tries
        super().think(state, mine, tries, milliseconds, also=also, even=even, exact=exact)
        t = Fields(self.thought)
        for i in range(int(t.count)):
            said = self._said.get(int(t.action[i]))
            if said is not None:
                t.total[i] -= said
                t.tried[i] -= self._trust
        self._said = {}

    def _begin_taught(self, rules: Any, s: Any, m: Any, *rest: Any) -> None:  # noqa: ANN401
        self._script_begins(rules, s, m, *rest)
        t = Fields(self.thought)
        if not self._trust or Fields(s).phase != PLAY or t.count < 2 or t.match:
            return  # what the network says is of cards, and in points
        self._lean(rules, s, m, self.thought, self._net, self._paper, self._trust)
        self._said = {int(t.action[i]): int(t.total[i]) for i in range(int(t.count))}

    def _try_taught(self, *told: Any) -> None:  # noqa: ANN401
        *paper, _, worlds = told  # how play began is left out: what was played since is not asked
        self._taught_tries(*paper, worlds, self._inner, self._net, self._paper, self._everybody)


class Taught(Searcher):
    """A bot that searches with the network; a `Mover`."""

    def __init__(
        self,
        rules: Rules,
        seat: int,
        options: Mapping[str, str],
        net: Net | None = None,
        target: Target = "numba",
    ) -> None:
        """Sit down; `options` are those of a `Searcher`, and ``trust`` and ``playouts``."""
        desk = TaughtDesk(
            compile_rules(rules),
            net or shipped().net,
            int(options.get("trust", TRUST)),
            options.get("playouts", PLAYOUTS) == "net",
            target,
        )
        super().__init__(rules, seat, options, desk)


def pupil(rules: Rules, seat: int, options: Mapping[str, str]) -> Pupil:
    """Return `pupil` in a seat; it has no options."""
    return Pupil(rules, seat)


def taught(rules: Rules, seat: int, options: Mapping[str, str]) -> Taught:
    """Return `taught` in a seat."""
    return Taught(rules, seat, options)
