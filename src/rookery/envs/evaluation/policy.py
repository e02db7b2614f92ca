"""A policy in a seat: what it is given, what it may answer, and how it sits among bots.

A policy is given what an environment shows of its seat, in arrays of its own, and nothing else. Its
answer is checked against the mask that was written, not against the copy that it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Signature, signature
from operator import index
from pathlib import Path
from sysconfig import get_path
from traceback import extract_tb
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from rookery.bots.names import DEADLINE, Bot
from rookery.bots.player import BotFailed, Player
from rookery.bots.seat_info import SeatInfo
from rookery.engine.rng import below
from rookery.envs.hands import Seen, observation_of
from rookery.envs.tables import Bytes, Numbers
from rookery.game import Action, Hand
from rookery.rules import Rules

Policy: TypeAlias = Callable[..., Any]
"""Takes an observation and returns an action's number; many of both where it is batched.

One that cannot be called without a ``seat`` is given that as well: no observation tells it.
"""

UNNAMED: Final = "policy"  # what it is called that nobody has given a name
SHOWN: Final = 60  # characters of a wrong answer
# Where no line is that whoever wrote a policy could mend.
_LIBRARIES: Final = (
    "<",
    str(Path(__file__).parents[2]),
    *(str(get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
)


class PolicyError(BotFailed):
    """A policy raised an error, or answered what is no legal action. Code: ``bad-policy``."""

    code = "bad-policy"


def told(error: BaseException) -> str:
    """Return what somebody's own code has raised, and in which line of theirs."""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(_LIBRARIES)]
    if not own or isinstance(error, SyntaxError):  # which says where it is
        return text
    return f"{text} ({Path(own[-1].filename).name}, line {own[-1].lineno})"


def _takes(asked: Signature, *given: object, **named: object) -> bool:
    try:
        asked.bind(*given, **named)
    except TypeError:
        return False
    return True


@dataclass(frozen=True)
class PolicyBot(Bot):
    """A policy under the name that it has in a report; it sits wherever a bot could.

    Attributes:
        policy: what decides.
        batched: whether it takes many observations at once.
        made: what was set up for it, by whoever plays its boards.
    """

    policy: Policy = field(default=lambda seen: -1)
    batched: bool = False
    made: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        return self.name

    @property
    def kernel(self) -> None:
        """None: no policy is compiled."""
        return

    @property
    def _said(self) -> str:
        return self.name if self.name == UNNAMED else f"policy {self.name}"

    def seated(self, rules: Rules, seat: int, deadline_ms: int = DEADLINE) -> Player:
        """Return the policy in a seat; no time is set to it."""
        return PolicyPlayer(self)

    @cached_property
    def _takes_seat(self) -> bool:
        """Whether it has to be given its seat: one that can do without is asked as ever."""
        try:
            asked = signature(self.policy, follow_wrapped=False)
        except (TypeError, ValueError):  # of code that is not Python, nobody knows
            return False
        return not _takes(asked, None) and _takes(asked, None, seat=0)

    def actions(self, observations: Bytes, masks: Bytes, seats: Numbers) -> Numbers:
        """Return what the policy does at each of some tables, all of it legal.

        Args:
            observations: what it sees, int8, shape (tables, size).
            masks: what it may do, int8, shape (tables, `ACTIONS`).
            seats: where it sits, int64, shape (tables,).

        Raises:
            PolicyError: it raised an error, or an answer is no action that its mask allows.
        """
        if self.batched:
            given = {"observation": observations.copy(), "action_mask": masks.copy()}
            answers = self._many(self._asked(given, seats.copy()), len(masks))
        else:
            rows = zip(observations, masks, seats.tolist(), strict=True)
            answers = [
                self._one(
                    self._asked({"observation": row.copy(), "action_mask": mask.copy()}, seat)
                )
                for row, mask, seat in rows
            ]
        for answer, mask in zip(answers, masks, strict=True):
            if not 0 <= answer < len(mask) or not mask[answer]:
                allowed = ", ".join(map(str, np.flatnonzero(mask)))
                raise PolicyError(
                    f"{self._said}: action {answer} is not legal here; "
                    f"expected one that its action_mask allows: {allowed}"
                )
        return np.array(answers, np.int64)

    def _asked(self, given: Seen, seat: int | Numbers) -> Any:  # noqa: ANN401  (its answer)
        try:
            return self.policy(given, seat=seat) if self._takes_seat else self.policy(given)
        except (Exception, SystemExit) as error:
            raise PolicyError(f"{self._said}: {told(error)}") from error

    def _one(self, answer: Any) -> int:  # noqa: ANN401
        if not isinstance(answer, bool | np.bool_):
            try:
                return index(answer)
            except TypeError:
                pass
        raise PolicyError(
            f"{self._said}: answered {repr(answer)[:SHOWN]} ({type(answer).__name__}); "
            "expected a whole number, an action that action_mask allows"
        )

    def _many(self, answer: Any, rows: int) -> list[int]:  # noqa: ANN401
        try:
            answers: npt.NDArray[Any] = np.asarray(answer)
        except ValueError:  # lists of several lengths
            answers = np.asarray(None)
        if answers.dtype.kind not in "iu" or answers.shape != (rows,):
            raise PolicyError(
                f"{self._said}: answered {answers.dtype} of shape {answers.shape}; expected "
                f"whole numbers of shape ({rows},), an action for each row of action_mask"
            )
        return [int(one) for one in answers]


class PolicyPlayer(Player):
    """A policy in a seat, for play one action at a time beside bots that no code is compiled of."""

    def __init__(self, bot: PolicyBot) -> None:
        """Sit down; nothing is remembered from one hand to the next."""
        self._bot = bot

    def begin(self, hand: Hand, dice: int, totals: Sequence[int] = ()) -> None:
        """Sit down to a new hand; a policy has dice of its own."""

    def act(self, hand: Hand) -> Action:
        """Return what the policy does; it is asked for each card of a discard.

        Raises:
            PolicyError: as `PolicyBot.actions`.
        """
        written = len(hand.actions)
        while len(hand.actions) == written:
            seen = observation_of(hand)
            rows = seen["observation"][None], seen["action_mask"][None], np.array([hand.to_act])
            hand = hand.do(int(self._bot.actions(*rows)[0]))
        return hand.actions[-1]


@dataclass(frozen=True)
class DrawnBot(Bot):
    """One of several bots, the pool, drawn anew for every hand with the dice of the seat."""

    pool: tuple[Bot, ...] = ()

    def __str__(self) -> str:
        return f"one of {', '.join(map(str, self.pool))}"

    def seated(self, rules: Rules, seat: int, deadline_ms: int = DEADLINE) -> Player:
        """Return all of them in a seat, of whom one plays."""
        return DrawnPlayer([bot.seated(rules, seat, deadline_ms) for bot in self.pool])


class DrawnPlayer(Player):
    """Several bots in one seat; who plays is drawn for every hand."""

    def __init__(self, players: list[Player]) -> None:
        self._players = players
        self._now = players[0]

    def begin(self, hand: Hand, dice: int, totals: Sequence[int] = ()) -> None:
        """Draw who plays this hand, and let them sit down with the dice that are left."""
        info = SeatInfo(rng=dice)
        self._now = self._players[below(info, len(self._players))]
        self._now.begin(hand, info.rng, totals)

    def act(self, hand: Hand) -> Action:
        """Return what the one who was drawn does."""
        return self._now.act(hand)

    def finish(self, hand: Hand) -> None:
        """Tell the one who played how the hand ended."""
        self._now.finish(hand)

    def close(self) -> None:
        """Let all of them leave."""
        for player in self._players:
            player.close()
