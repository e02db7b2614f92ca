"""What a table is made of: people, chairs, promises, votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from rookery.server.table.events import Kind


class Who(NamedTuple):
    """A person: the public number and the chosen name."""

    id: str
    name: str


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
    def player(self) -> str | None:
        """The bot that plays the seat; None where no bot does."""
        return self.bot if self.kind == "bot" else self.stand_in


class Promise(NamedTuple):
    """The next deal: its number, the commitment to its key, and the players' shares so far."""

    number: int
    commitment: str
    key: str
    shares: tuple[tuple[int, str], ...] = ()


class Proof(NamedTuple):
    """How a hand was dealt: its number at this table, the key and every seat's share."""

    number: int
    key: str
    shares: tuple[str, ...]


class Pending(NamedTuple):
    """A question to the people at the table.

    Attributes:
        kind: ``undo`` or ``claim``.
        seat: who asks.
        since: when.
        shown: the cards that the claimer shows.
        voters: the seats that are asked.
        votes: who has said yes so far.
    """

    kind: Kind
    seat: int
    since: int
    shown: tuple[str, ...]
    voters: tuple[int, ...]
    votes: tuple[int, ...] = ()
