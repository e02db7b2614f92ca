"""Positions of a hand, each as one bytes object: cheap to keep, to copy and to send.

A position never changes; an action gives another one. Compiled code works on memory that a position
is written into first, one for each thread.

A position is what `rookery.envs.acting` found, `State` and `Hidden`, then the cards that each place
was dealt, then what was done: three bytes each, whose turn it was, the phase, and the action's
number. What a blind hand has turned over stands there too. So all cards are in a position; what a
seat may know of it is for `Positions.seen` and `Positions.told` to say.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.engine.actions import ACTIONS
from rookery.engine.records import Allocator, Attributes, dtype_of, structure_of
from rookery.engine.state import CIRCUS_PASS, DONE, NEST, PLAY, Hidden, State
from rookery.engine.targets import Target, load, native
from rookery.engine.targets.choice import for_table
from rookery.envs.acting import FOUND, act, deal_seed, draw_closed, lay_out, list_seen
from rookery.envs.observations.compact import look, words_of
from rookery.lab.duplicate.boards import margin
from rookery.rules import Rules
from rookery.rules.fields import layout
from rookery.rules.table import PLACES, compile_rules
from rookery.solver.constraints import Constraints
from rookery.solver.sample import ROOM

UNDEALT: Final = b"\xff"  # the position before the deal: -1 decides, which is nobody
CLOSED_PHASES: Final = (NEST, CIRCUS_PASS)  # what is done there is the business of the seat alone


def _places(kind: type[Any], at: int) -> tuple[dict[str, struct.Struct], dict[str, int], int]:
    """Return how to read each field of a record, where it begins, and where the record ends."""
    forms, starts = {}, {}
    for name, size in layout(kind):
        forms[name], starts[name] = struct.Struct(f"={size or 1}q"), at
        at += 8 * (size or 1)
    return forms, starts, at


_OPEN, _OPEN_AT, _OPEN_END = _places(State, 8 * FOUND)
_CLOSED, _CLOSED_AT, SIZE = _places(Hidden, _OPEN_END)
_OPEN_BYTES: Final = slice(8 * FOUND, _OPEN_END)
_TURN, _PHASE = _OPEN_AT["turn"], _OPEN_AT["phase"]
_DEALT: Final = struct.Struct(f"={PLACES}q")
_LOG: Final = SIZE + _DEALT.size
_LISTED: Final = tuple(struct.Struct(f"={n}H") for n in range(4 * FOUND))
_SEATS: Final = tuple(byte if byte < 128 else byte - 256 for byte in range(256))


class Done(NamedTuple):
    """Something that was done: whose turn it was, a blind hand's too, the phase, the number."""

    place: int
    phase: int
    action: int


class Told(NamedTuple):
    """What a seat has been told, beside what was done: sets of cards, but for the last.

    Attributes:
        dealt: the cards that it was dealt.
        hand: those that it holds.
        pickup: the nest as it found it, where it is the declarer.
        face_up: cards of the nest that everybody has seen.
        dummy: the dummy's cards, where they lie open.
        statement: what was said of the new nest, as in `State`; -1 for nothing.
    """

    dealt: int
    hand: int
    pickup: int
    face_up: int
    dummy: int
    statement: int


def decider(position: bytes) -> int:
    """Return the seat that decides; -1 before the deal, `OVER` when the hand is over."""
    return _SEATS[position[0]]


def choices(position: bytes) -> list[int]:
    """Return the numbers of what the seat that decides may do, ascending."""
    return list(_LISTED[position[8]].unpack_from(position, 16)) if len(position) > 1 else []


def phase_of(position: bytes) -> int:
    """Return the phase, a place in `PHASES`; that of play before the deal."""
    return position[_PHASE] if len(position) > 1 else PLAY


def lies_open(position: bytes | bytearray, name: str) -> tuple[int, ...]:
    """Return a field of `State`, a single number as a tuple of one."""
    return _OPEN[name].unpack_from(position, _OPEN_AT[name])


def lies_closed(position: bytes | bytearray, name: str) -> tuple[int, ...]:
    """Return a field of `Hidden`, a single number as a tuple of one."""
    return _CLOSED[name].unpack_from(position, _CLOSED_AT[name])


def done(position: bytes) -> Iterator[Done]:
    """Yield what has been done since the deal, in order."""
    log = position[_LOG:]
    return map(Done._make, zip(log[::3], log[1::3], log[2::3], strict=True))


def is_known_to(one: Done, seat: int) -> bool:
    """Return whether a seat knows which card it was: those that go face down are their seat's."""
    return one.phase not in CLOSED_PHASES or one.place == seat


def dealt_to(position: bytes) -> tuple[int, ...]:
    """Return the cards that each place was dealt, as sets."""
    return _DEALT.unpack_from(position, SIZE)


def alike(position: bytes, other: bytes, seat: int) -> bool:
    """Return whether a seat sees the same open table and holds the same cards in both."""
    held, theirs = lies_closed(position, "hand"), lies_closed(other, "hand")
    return position[_OPEN_BYTES] == other[_OPEN_BYTES] and held[seat] == theirs[seat]


class Positions(threading.local):
    """What can be done with the positions of one game, and what a seat sees of them."""

    def __init__(self, rules: Rules, dealer: int = 0, target: Target | None = None) -> None:
        """Make the memory of a thread; `target` runs the kernels, else what this machine has."""
        self.rules, self.dealer = rules, dealer
        table = self._plain_table = compile_rules(rules)
        kernels: tuple[Callable[..., Any], ...] = (
            act, deal_seed, lay_out, list_seen, draw_closed, margin,
        )  # fmt: skip
        chosen = target or for_table(*kernels)
        made = Allocator(chosen)
        plain = chosen == "python"
        # Rules that leave out cells of a record leave them as they are.
        blank = map(bytes, map(Allocator("native").record, (State(), Hidden())))
        self._memory = bytearray(8 * FOUND) + b"".join(blank)
        self._held = b""  # the position that stands in the memory
        self._s, self._h = self._record(State, chosen), self._record(Hidden, chosen)
        self._table, self._info = made.record(table), made.record(SeatInfo())
        words: Any = np.frombuffer(self._memory, np.int64)
        row: Any = np.zeros(words_of(table), np.int64)
        # Plain Python computes with its own integers alone.
        self._found = memoryview(words[:FOUND]) if plain else words[:FOUND]
        self._row = memoryview(row) if plain else row
        self._shown: npt.NDArray[np.int8] = row.view(np.int8)
        self._nothing = np.zeros(8 * len(row), np.int8)
        self._asked = made.zeros(2)
        self._order = made.zeros(CARDS)
        given: tuple[Any, Any, Any] = (self._table, self._s, self._h)
        room: tuple[Any, Any] = (made.zeros(ACTIONS), self._found)
        self._act = native.ready(load(chosen, act), *given, *room, self._asked)
        self._lay_out = native.ready(load(chosen, lay_out), *given, self._order, *room, dealer)
        deal: Callable[..., None] = load(chosen, deal_seed)
        self._deal: Callable[[int], None] = lambda seed: deal(
            *given, self._order, *room, dealer, seed
        )
        look_at, see = load(chosen, look), load(chosen, list_seen)
        seats, size = range(table.seats), len(self._row)
        self._ones, self._others = made.zeros(8 * size), made.zeros(8 * size)
        listed = (self._row, size, self._ones, self._others)
        self._looks = [native.ready(look_at, self._s, self._h, self._info, seat) for seat in seats]
        self._sees = [native.ready(see, *given, self._info, *listed, seat) for seat in seats]
        count = load(chosen, margin)
        self._margins = [native.ready(count, self._table, self._s, seat) for seat in seats]
        self._chosen, self._made = chosen, made
        self._draw: Callable[[], Any] | None = None
        self._world: Any = None

    def dealt(self, seed: int) -> bytes:
        """Return the position after the deal of a seed, as `Hand.shuffled` deals it.

        Where the rules cancel a deal by themselves, the next one of the seed's is taken.
        """
        self._deal(seed)
        return self._begun()

    def laid_out(self, order: Sequence[int]) -> bytes:
        """Return the position after a deal of these cards, in the order of `engine.deal.deal`."""
        for i, card in enumerate(order):
            self._order[i] = card
        self._lay_out()
        return self._begun()

    def after(self, position: bytes, action: int) -> bytes | None:
        """Return the position after an action; None where it is not legal."""
        self._open(position)
        self._asked[0] = action
        if not self._act():
            return None
        head, log = self._memory, bytes((position[_TURN], position[_PHASE], action))
        if self._plain_table.blind:
            before = lies_closed(position, "blind_at")[0]
            turned = lies_closed(head, "blind")[before : lies_closed(head, "blind_at")[0]]
            log += b"".join(bytes((self._plain_table.seats, PLAY, card)) for card in turned)
        self._held = b"".join((head, position[SIZE:], log))
        return self._held

    def margins(self, position: bytes) -> list[int]:
        """Return what a hand that is over is worth to each seat, its `margin` in points, else 0s.

        A hand that the rules cancel is worth nothing to anybody.
        """
        if phase_of(position) != DONE:
            return [0] * self.rules.seats
        self._open(position)
        return [margin_of() for margin_of in self._margins]

    def seen(self, position: bytes, seat: int) -> npt.NDArray[np.int8]:
        """Return what a seat sees, int8; 0s before the deal.

        See `rookery.envs.observations.compact`. The array is written anew each time.
        """
        if len(position) == 1:
            return self._nothing
        self._open(position)
        self._sees[seat]()
        return self._shown

    def seen_ones(self, position: bytes, seat: int) -> tuple[list[int], list[int]]:
        """Return where in `seen` a 1 is, and each larger number: its place + the number << 16."""
        if len(position) == 1:
            return [], []
        self._open(position)
        found = self._sees[seat]()
        return list(self._ones[: found & 0xFFFF]), list(self._others[: found >> 16])

    def told(self, position: bytes, seat: int) -> Told:
        """Return what a seat has been told, beside what was done."""
        self._open(position)
        self._looks[seat]()
        s, m = Attributes(self._s), Attributes(self._info)
        dealt = dealt_to(position)[seat]
        table = self._plain_table
        face_up = int(s.face_up) if table.nest_size else 0
        dummy = int(s.exposed) if table.dummy else 0
        return Told(dealt, int(m.hand), int(m.pickup), face_up, dummy, int(s.statement))

    def closed_cards(self, position: bytes, seat: int, seed: int) -> Attributes:
        """Return `Hidden` as it may be for all that a seat knows, drawn with a seed."""
        if self._draw is None:
            world = self._world = self._made.record(Hidden())
            ways = self._made.numbers([0.0] * ROOM)
            found = self._made.record(Constraints())
            given = (self._table, self._s, self._h, self._info, found, world, ways, self._asked)
            self._draw = native.ready(load(self._chosen, draw_closed), *given)
        self._open(position)
        self._asked[0], self._asked[1] = seat, seed
        self._draw()
        return Attributes(self._world)

    def _begun(self) -> bytes:
        head = self._memory
        hands, found = list(lies_closed(head, "hand")), lies_closed(head, "pickup")[0]
        if found:  # the auction was over with the deal
            hands[lies_open(head, "declarer")[0]] &= ~found
        self._held = b"".join((head, _DEALT.pack(*hands)))
        return self._held

    # Between a position and the memory that kernels work on.

    def _record(self, kind: Any, chosen: str) -> Any:  # noqa: ANN401
        at = 8 * FOUND if kind is State else _OPEN_END
        if chosen == "numba":
            return np.frombuffer(self._memory, dtype_of(kind), 1, at)[0]
        return structure_of(kind).from_buffer(self._memory, at)

    def _open(self, position: bytes) -> None:
        if position is not self._held:  # whoever acts looks next
            self._held = position
            self._memory[:] = position[:SIZE]
