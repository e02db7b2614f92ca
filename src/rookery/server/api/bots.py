"""The bots that may take a seat, and whether each is ready."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, Field

from rookery.bots import register
from rookery.bots.names import LEVELS, choices, table_bot
from rookery.server.api.state import AppState
from rookery.show.words import words

# Those that a person may choose: the levels from the weakest to the strongest, then the characters,
# which are the kernel bots that the interface has words for.
BOTS: Final = (
    *LEVELS,
    *(name for name in register.BOTS if name not in LEVELS and f"bot.name.{name}" in words()),
)


class BotListed(BaseModel):
    """A bot that may take a seat, in plain words; weakest level first, then the characters."""

    id: str
    title: str
    description: str
    kind: Literal["level", "character"]
    rung: int | None = Field(description="Of a level: how high it stands, 1 for the lowest.")
    searches: bool = Field(description="Whether it thinks in a process of its own.")
    state: Literal["ready", "warming", "absent"] = Field(
        description="Whether it can play at once. Until a level is ready, and where this server "
        "has no process for it, the club player plays in its place."
    )
    ready: bool = Field(description="The same as a yes or no.")
    default: bool = Field(description="Whether it takes the seats that nobody else takes.")
    styles: list[str] = Field(
        description="How it may bid, `ID:style=STYLE`; the first needs no saying. Often none."
    )
    versions: list[str] = Field(
        description="Which versions of it there are, `ID:version=VERSION`; the first needs no "
        "saying. Often none."
    )


def bots(state: AppState) -> list[BotListed]:
    """Return the bots, with a description for people, and whether each is ready."""
    thinker, usual = state.registry.thinker, state.registry.settings.default_bot
    rungs = {name: rung for rung, name in enumerate(LEVELS, 1)}
    return [
        BotListed(
            id=name,
            title=words()[f"bot.name.{name}"],
            description=words()[f"bot.about.{name}"],
            kind="level" if name in LEVELS else "character",
            rung=rungs.get(name),
            searches=table_bot(name).searches,
            state=(now := thinker.state(name)),
            ready=now == "ready",
            default=name == usual,
            styles=_values(name, "style"),
            versions=_values(name, "version"),
        )
        for name in BOTS
    ]


def _values(name: str, option: str) -> list[str]:
    found = choices(name).get(option)
    if found is None:
        return []
    usual = dict(table_bot(name).bot.options)[option]
    values = [str(value) for value in reversed(found.values)]
    if option == "version":  # a later one is what another level plays
        values = values[values.index(usual) :]
    return [usual, *(value for value in values if value != usual)]
