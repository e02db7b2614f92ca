"""Mistakes that somebody with a passkey wants to be asked about again, on all their devices."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, Field, model_validator

from rookery.server import names
from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.store.people import mistakes as kept
from rookery.server.table.state import Who
from rookery.server.work import in_thread

AT_ONCE: Final = 20
LONGEST: Final = 3_000  # bytes of one mistake
NEVER: Final = 4  # good answers, after which a mistake is asked about no more


def _code(text: str) -> str:
    if not names.is_code(text):
        raise ValueError("expected the code of a table")
    return text


Line: TypeAlias = Annotated[str, Field(max_length=400, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
Action: TypeAlias = Annotated[str, Field(max_length=300, pattern=r"^[a-z][a-zA-Z0-9+ -]*$")]
Points: TypeAlias = Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]
Moment: TypeAlias = Annotated[int, Field(ge=0, le=1 << 53)]


class _Strict(BaseModel, extra="forbid", strict=True):
    pass


class Why(_Strict):
    """Why the best is good, as a review says it."""

    code: Annotated[str, Field(max_length=40, pattern=r"^[a-z][a-z0-9_-]*$")]
    text: Line
    about: Annotated[dict[Annotated[str, Field(max_length=20)], Line | int], Field(max_length=12)]


class Choice(_Strict):
    """An action that could have been taken, and what it is worth, points."""

    action: Action
    margin: Points
    error: Points
    making: Annotated[float, Field(ge=0, le=1)] | None


class Question(_Strict):
    """A decision in a finished hand, as its review has it."""

    seat: Annotated[int, Field(ge=0, le=7)]
    best: Action
    alternatives: Annotated[list[Choice], Field(min_length=2, max_length=40)]
    reason: Why


class Mistake(_Strict):
    """A decision of `hand` of the table `code`, the one with number `at`, from 0.

    ``step`` counts the good answers, and ``due`` is when it is asked about next; ``changed`` is
    when it was answered last. Of one that is asked about no more there is no ``decision``.
    """

    code: Annotated[str, AfterValidator(_code)]
    hand: Annotated[int, Field(ge=0, le=99_999)]
    at: Annotated[int, Field(ge=0, le=9_999)]
    step: Annotated[int, Field(ge=0, le=NEVER)]
    due: Moment
    changed: Moment
    decision: Question | None

    @model_validator(mode="after")
    def _is_whole(self) -> Mistake:
        if (self.decision is None) != (self.step == NEVER):
            raise ValueError("expected a decision, but for what is asked about no more")
        if len(self.model_dump_json().encode()) > LONGEST:
            raise ValueError(f"expected {LONGEST} bytes at most")
        return self


class MistakesKept(_Strict):
    """Mistakes of mine; ``kept`` says whether this server keeps them: for people with a passkey."""

    kept: bool
    mistakes: list[Mistake]


class MistakesChanged(_Strict):
    """Mistakes of mine that are new, or were answered."""

    mistakes: Annotated[list[Mistake], Field(max_length=AT_ONCE)]


async def listed(state: AppState, who: Who) -> bytes:
    """Return my mistakes, JSON of `MistakesKept`."""
    found = await state.registry.store.mistakes.of(who.id)
    bodies = ",".join(one.body for one in found or ())
    told = "false" if found is None else "true"
    return f'{{"kept":{told},"mistakes":[{bodies}]}}'.encode()


async def keep(state: AppState, who: Who, changed: MistakesChanged) -> MistakesKept:
    """Keep mistakes of mine, each if it was answered later than what is kept; return none.

    Raises:
        Problem: I have no passkey; code ``no-passkey``.
    """
    now = state.registry.clock.now()
    some = await in_thread(lambda: [_written(one, now) for one in changed.mistakes])
    if not await state.registry.store.mistakes.keep(who.id, some):
        raise Problem("no-passkey")
    return MistakesKept(kept=True, mistakes=[])


def _written(one: Mistake, now: int) -> kept.Mistake:
    """Return a mistake as it is stored; a clock that is ahead does not win for that."""
    one = one.model_copy(update={"changed": min(one.changed, now)})
    return kept.Mistake(one.code, one.hand, one.at, one.changed, one.model_dump_json())
