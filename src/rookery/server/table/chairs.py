"""A seat of a table, who sits there, and the time of its turn, which nobody makes endless."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from rookery.game import Hand
from rookery.server.table import events as ev

Changing: TypeAlias = ev.BotSeated | ev.BotRemoved | ev.Renamed | ev.Away | ev.Back | ev.StoodIn
Denied: TypeAlias = frozenset[tuple[ev.Kind, int, int]]


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat and who sits there.

    Attributes:
        kind: ``empty``, ``person`` or ``bot``.
        name: the name that others see; of a bot seated before bots had names, which bot it is.
        person: the id of the person.
        bot: which bot sits there.
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

    def after(self, event: Changing, at: int) -> Chair:
        """Return the seat after an event that concerns it alone."""
        match event:
            case ev.BotSeated():
                return Chair("bot", event.bot, bot=event.bot, spare=event.spare)
            case ev.BotRemoved():
                return Chair()
            case ev.Renamed():
                return replace(self, name=event.name)
            case ev.Away():
                return replace(self, away_since=at)
            case ev.Back():
                return replace(self, away_since=None, stand_in=None, called=False)
            case ev.StoodIn():
                return replace(self, stand_in=event.bot, called=event.called)


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


class Turn(Protocol):
    """What a table says of its turn."""

    @property
    def chairs(self) -> tuple[Chair, ...]:
        """Its seats."""

    @property
    def to_act(self) -> int | None:
        """The seat whose decision is due."""

    @property
    def attended(self) -> bool:
        """Whether anything moves."""

    @property
    def moved_at(self) -> int:
        """When the turn began."""

    @property
    def turn_clock(self) -> int | None:
        """How many seconds it has."""

    @property
    def between_hands(self) -> bool:
        """Whether the next hand has to be dealt."""

    @property
    def people_here(self) -> tuple[int, ...]:
        """The seats of the people who are connected."""

    @property
    def ready(self) -> frozenset[int]:
        """Who has asked for the next hand."""


def played_by(
    table: Turn, event: ev.BotSeated | ev.Back | ev.StoodIn, at: int
) -> dict[str, int | None]:
    """Return what changes of a table's turn as somebody else plays a seat from now on.

    Only its own turn begins anew, and has no more time than was left. Otherwise whoever leaves and
    comes again would hold up a turn, or the next deal, for ever.
    """
    own = table.to_act == event.seat
    if isinstance(event, ev.Back):
        waited = own and table.chairs[event.seat].player is not None
        # Whoever was alone has read the result in peace until now.
        alone = table.between_hands and len(table.people_here) < 2 and not table.ready
        return {"moved_at": at} if waited or alone or not table.attended else {}
    # A second that has begun is over, or many short ones would cost nothing.
    clock = left(table.turn_clock, table.moved_at, at + 999)
    return {"moved_at": at, "turn_clock": clock} if own and clock != 0 else {}


def settings(table: Turn, event: ev.SettingsChanged, at: int) -> dict[str, Any]:
    """Return what changes of a table with its settings: a turn without a clock has the new one.

    Otherwise there is no help against somebody who is there and does nothing.
    """
    changed = msgspec.structs.asdict(event)
    if table.to_act is not None and table.turn_clock is None and event.clock is not None:
        changed.update(moved_at=at, turn_clock=event.clock)
    return changed


def left(clock: int | None, since: int, until: int) -> int | None:
    """Return how many whole seconds of a turn's time are left; it goes on with these."""
    return None if clock is None else max(0, clock - max(0, until - since) // 1000)


def denied_after(denied: Denied, seat: int, hand: Hand, clock: int | None) -> Denied:
    """Return what may not be asked once the last act of a hand has been taken back.

    Where a clock runs, what nobody else has seen goes back once: a new act begins the time anew.
    """
    claims = frozenset(asked for asked in denied if asked[0] == "claim")
    once = clock is not None and not hand.actions[-1].verb.public
    return claims | {("undo", seat, len(hand.actions))} if once else claims
