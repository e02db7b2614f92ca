"""A seat of a table, and who sits there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat and who sits there.

    Attributes:
        kind: ``empty``, ``person`` or ``bot``.
        name: the name that others see; for a bot, its level's.
        person: the id of the person.
        bot: which bot sits there.
        spare: whether a person may take the bot's place.
        away_since: when the person's last connection closed; None while connected.
        stand_in: the bot that plays for an absent person.
    """

    kind: Literal["empty", "person", "bot"] = "empty"
    name: str = ""
    person: str | None = None
    bot: str | None = None
    spare: bool = False
    away_since: int | None = None
    stand_in: str | None = None

    @property
    def here(self) -> bool:
        """Whether a person sits there and is connected."""
        return self.kind == "person" and self.away_since is None

    @property
    def free(self) -> bool:
        """Whether a person may sit down there."""
        return self.kind == "empty" or self.spare

    @property
    def player(self) -> str | None:
        """The bot that plays the seat; None where no bot does."""
        return self.bot if self.kind == "bot" else self.stand_in
