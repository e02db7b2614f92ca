"""A seat of a table, and who sits there."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec


class Chair(NamedTuple):
    """A seat and who sits there.

    Attributes:
        name: the name that others see; of a bot seated before bots had names, which bot it is.
        spare: whether a person may take the bot's place.
        away_since: when the person's last connection closed; None while connected.
        stand_in: the bot that plays for an absent person.
        called: whether somebody called it before the person's time was over.
        matched: whether the person came by quick match, to play with strangers.
    """

    kind: Literal["empty", "person", "bot"] = "empty"
    name: str = ""
    person: str | None = None
    bot: str | None = None
    spare: bool = False
    away_since: int | None = None
    stand_in: str | None = None
    called: bool = False
    matched: bool = False

    @property
    def here(self) -> bool:
        """Whether a person sits there and is connected."""
        return self.kind == "person" and self.away_since is None

    @property
    def free(self) -> bool:
        """Whether a person may sit down there."""
        return self.kind == "empty" or self.spare

    @property
    def has_own_name(self) -> bool:
        """Whether a bot sits there that has a name."""
        return self.kind == "bot" and self.name != self.bot

    @property
    def player(self) -> str | None:
        """The bot that plays the seat; None where no bot does."""
        return self.bot if self.kind == "bot" else self.stand_in


class SeatSeen(msgspec.Struct, frozen=True):
    """A seat: who sits there, whether they are here, and the total so far.

    `face` is the bird whose face a person shows, empty for the initial of their name.
    """

    name: str
    kind: str
    bot: str | None
    here: bool
    away_since: int | None
    stand_in: str | None
    spare: bool
    total: int
    face: str = ""


def seat_seen(chair: Chair, total: int, face: str) -> SeatSeen:
    """Return what everybody sees of a seat that has so many points; `face` as it is shown."""
    return SeatSeen(
        name=chair.name,
        kind=chair.kind,
        bot=chair.bot,
        here=chair.here or chair.kind == "bot",
        away_since=chair.away_since,
        stand_in=chair.stand_in,
        spare=chair.spare,
        total=total,
        face=face,
    )
