"""Which movements suit an evening: so many people, so many rounds or so much time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pydantic import BaseModel

from rookery.evening.movements.changes import begin
from rookery.evening.movements.individual import schedule_of
from rookery.evening.movements.register import MOVEMENTS, Movement
from rookery.evening.movements.rounds import next_round, planned_rounds
from rookery.evening.movements.state import FOUR, Evening, EveningError, Game

A_ROUND: Final = 20  # minutes: a round of the Larry Smith Invitational, `rules.md` part D


class Choice(BaseModel):
    """A movement that can seat these people, and how well it suits them.

    Attributes:
        movement: its name.
        does: what it does.
        exact: whether what it promises holds in full for so many people.
        full: how many rounds it has; null where it goes on as long as people like.
        byes: how many people sit out in the first round.
        whole: whether it is fair only if all its rounds are played.
        fits: whether there are rounds for that, and none are left over.
        by_results: whether the next round depends on what was scored.
        fixed_teams: whether people stay with their partners.
        boards: whether the same prepared deals are played at several tables.
    """

    movement: str
    does: str
    exact: bool
    full: int | None
    byes: int
    whole: bool
    fits: bool
    by_results: bool
    fixed_teams: bool
    boards: bool


def rounds_in(minutes: int, each: int = A_ROUND) -> int:
    """Return how many rounds of `each` minutes there is time for; one at least.

    >>> rounds_in(150), rounds_in(10)
    (7, 1)
    """
    return max(1, minutes // each)


@lru_cache(maxsize=128)
def suited(
    people: int, rounds: int | None = None, games: tuple[Game, ...] = (FOUR,)
) -> tuple[Choice, ...]:
    """Return the movements that can seat so many people, those that suit them best first.

    First those whose rounds fit, then those in which fewer sit out, those that are exact, and
    those with new partners, as everybody meets everybody there. `rounds` is how many there is time
    for; None where it does not matter.

    Raises:
        EveningError: no movement can seat them; the code of the first one's refusal.
    """
    found, refused = list[Choice](), list[EveningError]()
    for name, movement in MOVEMENTS.items():
        try:
            first = next_round(begin(name, people, games))
        except EveningError as error:
            refused.append(error)
        else:
            found.append(_choice(name, movement, first, people, rounds, games))
    if not found:
        raise refused[0]
    return tuple(sorted(found, key=lambda one: (not one.fits, one.byes, not one.exact)))


def _choice(
    name: str,
    movement: Movement,
    first: Evening,
    people: int,
    rounds: int | None,
    games: Sequence[Game],
) -> Choice:
    full = _full(name, movement, first, people, games)
    ends = movement.plan is not None or bool(movement.defeats)
    # Of a schedule in which all change partners a part is as fair as the whole.
    whole = ends or name == "pairs"
    left_over = ends and rounds is not None and full is not None and rounds > full
    short = whole and rounds is not None and full is not None and rounds < full
    return Choice(
        movement=name,
        does=movement.does,
        exact=games == (FOUR,) and movement.exact(people),
        full=full,
        byes=len(first.rounds[0].byes),
        whole=whole,
        fits=not (left_over or short),
        by_results=movement.by_results,
        fixed_teams=movement.fixed_teams,
        boards=movement.plan is not None,
    )


def _full(
    name: str, movement: Movement, first: Evening, people: int, games: Sequence[Game]
) -> int | None:
    """Return after how many rounds a movement is complete, if it ever is.

    A double knockout may take a round more, where who comes from the losers' side wins.
    """
    teams = len(first.teams)
    if movement.plan is not None:
        return len(planned_rounds(first))
    if movement.defeats:
        rounds = (teams - 1).bit_length()
        # Where few have to play at first, their losers need no round among themselves.
        few = 8 * teams <= 5 << rounds
        return rounds if movement.defeats == 1 else 2 * rounds - few
    if name == "pairs":
        return teams - 1 + teams % 2
    if name == "individual" and len(games) == 1:
        return len(schedule_of(people, games[0])) or None
    return None
