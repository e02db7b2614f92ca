"""A hand played one action at a time, so that two targets can be compared after each of them."""

from __future__ import annotations

import json
import random
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np

from rookery.bots.dispatch import KERNELS, decide, decide_card, kind_of
from rookery.bots.seat_info import SeatInfo, clear_notes, observe, observe_trick
from rookery.cards import CARDS
from rookery.engine.actions import (
    ACTIONS,
    BID,
    CHALLENGE,
    ENOUGH,
    LEADS,
    PASS,
    REDEAL_DEMAND,
    ROOK_DOWN,
    ROOK_HIGH,
    SUN,
    TRUMP_CALLS,
    actor,
    apply,
    legal,
    may_challenge,
)
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.records import Allocator, array_of, dtype_of
from rookery.engine.rng import below, seeded
from rookery.engine.state import DONE, PLAY, Hidden, State
from rookery.rules import OPTIONS, Rules, RulesError, catalog, load, variant
from rookery.rules.fields import layout
from rookery.rules.order import CIRCUS
from rookery.rules.table import PLACES, RuleTable

Step: TypeAlias = Callable[..., int]
Image: TypeAlias = tuple[Any, Any, Any, Any, Any]  # state, hidden, mine, order, actions

WILD: Final = len(KERNELS)  # takes any legal action, redeals and challenges among them
OVER: Final = -1
VERBS: Final = (
    ("card", 0),
    ("bid", BID),
    ("sun", SUN),
    ("pass", PASS),
    ("redeal", REDEAL_DEMAND),
    ("trump", TRUMP_CALLS),
    ("circus", TRUMP_CALLS + CIRCUS),
    ("rook high", ROOK_HIGH),
    ("rook low", ROOK_DOWN),
    ("enough", ENOUGH),
    ("leader", LEADS),
    ("challenge", CHALLENGE),
)
RARE: Final[tuple[dict[str, object], ...]] = (
    {"renege": "penalised"},
    {"counters": {"14": 25}, "redeal": "own_turn_no_counters"},
    {"base": "call_partner_6", "called_cards": 2},
)


def verb_of(action: int) -> str:
    assert 0 <= action < ACTIONS
    return [verb for verb, first in VERBS if first <= action][-1]


@kernel
def wild_action(
    table: RuleTable, s: State, h: Hidden, m: SeatInfo, actions: list[int], n: int
) -> int:
    seat = actor(s)
    for offender in range(table.seats):
        if may_challenge(table, s, h, seat, offender) and below(m, 3) == 0:
            return CHALLENGE + offender
    # The last is a pass, a redeal or "no further card" where there is one: rare if all were equal.
    return actions[n - 1] if below(m, 4) == 0 else actions[below(m, n)]


@kernel
def step(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    order: list[int],
    actions: list[int],
    seed: int,
    dealer: int,
) -> int:
    """Deal if `dealer` is a seat, else let a bot act; return its action, OVER after the last."""
    if dealer >= 0:
        h.rng = seeded(seed, 0)
        for seat in range(table.seats):
            clear_notes(mine[seat])
            mine[seat].rng = seeded(seed, 1 + seat)
        shuffle(table, h, order)
        deal(table, s, h, order, dealer)
        return 0
    if s.phase >= DONE:
        return OVER
    n = legal(table, s, h, actions)
    seat = actor(s)
    if kinds[seat] == WILD:
        action = wild_action(table, s, h, mine[seat], actions, n)
    elif s.phase == PLAY:
        observe_trick(table, s, h, mine[seat])
        action = decide_card(table, s, mine[seat], kinds[seat])
    else:
        observe(table, s, h, mine[seat])
        action = decide(table, s, mine[seat], kinds[seat])
    apply(table, s, h, action)
    return action


def numbers_of(record: Any) -> list[int]:  # noqa: ANN401  (any of the engine's records)
    """Return all numbers of a record of plain Python, in the order of its layout."""
    kind: Any = type(record)
    return _reader(kind)(record)


@cache
def _reader(kind: type[Any]) -> Callable[[Any], list[int]]:
    cells = (f"*one.{name}" if size else f"one.{name}" for name, size in layout(kind))
    made: Callable[[Any], list[int]] = eval(f"lambda one: [{', '.join(cells)}]")  # noqa: S307
    return made


class Plain:
    """A hand on the plain engine, or on any function that takes its records."""

    def __init__(self, table: RuleTable, kinds: list[int], function: Step = step) -> None:
        self.table, self.kinds, self.function = table, kinds, function
        self.state, self.hidden = State(), Hidden()
        self.mine = [SeatInfo() for _ in range(PLACES)]
        self.order, self.actions = [0] * CARDS, [0] * ACTIONS

    def advance(self, seed: int, dealer: int = -1) -> int:
        return self.function(
            self.table,
            self.state,
            self.hidden,
            self.mine,
            self.kinds,
            self.order,
            self.actions,
            seed,
            dealer,
        )

    def image(self) -> Image:
        return (
            array_of(self.state)[0],
            array_of(self.hidden)[0],
            array_of(*self.mine),
            np.array(self.order),
            np.array(self.actions),
        )

    def memory(self) -> bytes:
        """Return the bytes of an image: to make them takes a fraction of the time."""
        records = (self.state, self.hidden, *self.mine)
        numbers = [number for one in records for number in numbers_of(one)]
        return array("q", [*numbers, *self.order, *self.actions]).tobytes()


class Recorded(Plain):
    """A hand on the NumPy records that compiled code works on."""

    def __init__(self, table: RuleTable, kinds: list[int], function: Step) -> None:
        super().__init__(table, kinds, function)
        self.table = array_of(table)[0]
        self.kinds = np.array(kinds)  # type: ignore[assignment]
        self.state, self.hidden, self.mine, self.order, self.actions = super().image()

    def image(self) -> Image:
        return self.state, self.hidden, self.mine, self.order, self.actions

    def memory(self) -> bytes:
        return b"".join(part.tobytes() for part in self.image())


def difference(one: Image, other: Image) -> str:
    """Return "" for two equal images, else which fields differ and how."""
    found = []
    for a, b in zip(one, other, strict=True):
        if a.tobytes() != b.tobytes():
            names = a.dtype.names or ("",)
            found += [
                f"{name}: {a[name] if name else a} and {b[name] if name else b}"
                for name in names
                if (a[name] if name else a).tobytes() != (b[name] if name else b).tobytes()
            ]
    return "; ".join(found)


def casts(seats: int) -> list[list[int]]:
    """Return line-ups: wild ones, the Menagerie, random ones, club."""
    menagerie = ([0, 1, 2, 3] * 2)[:seats]
    return [[WILD] * seats, menagerie, [kind_of("random")] * seats, [kind_of("club")] * seats]


def first_difference(
    table: RuleTable,
    one: Step,
    other: Step,
    hands: int,
    kind: type[Plain] = Recorded,
    line_ups: Sequence[list[int]] = (),
) -> tuple[int, str]:
    """Play the same hands by `one` on plain Python and by `other`, comparing after every action.

    The seats are taken by `line_ups` in turn, by all `casts` where there are none.

    Returns:
        How many actions were taken, and the first difference, "" where there is none.
    """
    taken = 0
    line_ups = line_ups or casts(table.seats)
    for seed in range(hands):
        kinds = line_ups[seed % len(line_ups)]
        plain, recorded = Plain(table, kinds, one), kind(table, kinds, other)
        dealer, at = seed % table.seats, 0
        while True:
            left, right = plain.advance(seed, dealer), recorded.advance(seed, dealer)
            same = plain.memory() == recorded.memory()
            if left != right or not same:
                told = difference(plain.image(), recorded.image())
                return taken, f"hand {seed}, action {at}: {left} and {right}; {told}"
            if left == OVER:
                break
            taken, at, dealer = taken + 1, at + 1, -1
    return taken, ""


def house_rules(count: int) -> list[Rules]:
    """Return valid rule sets that mix options of different variants, the same ones on every call.

    Behind them some that make rare actions common: punished revokes, hands without a counter, two
    partner cards.
    """
    dice = random.Random(1906)
    pool = {
        option: sorted({json.dumps(variant(name).options()[option]) for name in catalog()})
        for option in OPTIONS
    }
    found: list[Rules] = []
    while len(found) < count:
        changed = dice.sample(OPTIONS, 8)
        try:
            found.append(
                load(
                    {
                        "base": dice.choice(catalog()),
                        **{option: json.loads(dice.choice(pool[option])) for option in changed},
                    }
                )
            )
        except RulesError:
            continue
    return [*found, *map(load, RARE)]


class Structured(Plain):
    """A hand on the C structures that the native library works on."""

    def __init__(self, table: RuleTable, kinds: list[int], function: Step) -> None:
        super().__init__(table, kinds, function)
        made = Allocator("native")
        self.table, self.state, self.hidden = map(
            made.record, (self.table, self.state, self.hidden)
        )
        self.mine = made.records(self.mine)
        self.kinds, self.order, self.actions = map(
            made.numbers, (self.kinds, self.order, self.actions)
        )

    def image(self) -> Image:
        return (
            np.frombuffer(self.state, dtype_of(State))[0],  # type: ignore[call-overload]
            np.frombuffer(self.hidden, dtype_of(Hidden))[0],  # type: ignore[call-overload]
            np.frombuffer(self.mine, dtype_of(SeatInfo)),  # type: ignore[call-overload]
            np.array(self.order),
            np.array(self.actions),
        )

    def memory(self) -> bytes:
        parts: tuple[Any, ...] = (self.state, self.hidden, self.mine, self.order, self.actions)
        return b"".join(map(bytes, parts))
