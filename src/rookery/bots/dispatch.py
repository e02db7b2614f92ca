"""The kernels that ask any bot of the register, and play a hand to its end.

A kernel bot has a number here. The functions `decide` and `decide_card` are written from the
register: they call the functions of the bot whose number they are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from rookery.bots.register import BOTS, Kernel, UnknownBot
from rookery.bots.seat_info import SeatInfo, observe, observe_cards, observe_nest
from rookery.engine.actions import actor, apply
from rookery.engine.kernel import generated_kernel, kernel
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.trick import play
from rookery.rules.table import RuleTable

if TYPE_CHECKING:
    from rookery.engine.targets.specialise import Constants

Decide: TypeAlias = Callable[[RuleTable, State, SeatInfo, int], int]


def _named() -> dict[str, Kernel]:
    """Return every kernel bot by its name with options, the plain names first."""
    plain = {name: entry.kernel for name, entry in BOTS.items() if entry.kernel is not None}
    variants = {
        f"{name}:{options}": variant
        for name, entry in BOTS.items()
        for options, variant in entry.variants.items()
    }
    return {**plain, **variants}


KERNELS: Final = tuple(dict.fromkeys(_named().values()))  # a bot's number is its place here
NUMBERS: Final = {name: KERNELS.index(one) for name, one in _named().items()}
CLUB: Final = NUMBERS["club"]
SILENT_CLUB: Final = NUMBERS["club:signals=off"]
DICELESS: Final = sum(1 << number for number, one in enumerate(KERNELS) if not one.dice)

SEATED: Final = -1  # bit k: bot k may sit down; compiled code may leave the others out


def seated(kinds: Iterable[int]) -> Constants:
    """Return the constants for code that these bots alone will run.

    >>> seated([0, 1, 1])
    (('SEATED', 3),)
    """
    return (("SEATED", sum(1 << kind for kind in set(kinds))),)


def kind_of(name: str) -> int:
    """Return the number of the kernel bot called `name`, in either letter case.

    Raises:
        UnknownBot: there is none.

    >>> kind_of("Papa"), KERNELS[kind_of("papa:partner=noticed")].action.__name__
    (1, 'noticing')
    """
    try:
        return NUMBERS[name.strip().lower()]
    except KeyError:
        there = ", ".join(one for one in NUMBERS if one in BOTS)
        raise UnknownBot(f"{name!r} is no bot; there are {there}") from None


def _dispatching(name: str, doc: str, called: Callable[[Kernel], Callable[..., int]]) -> Decide:
    """Return the kernel ``name(table, s, m, kind)``, which calls a function of bot `kind`."""
    functions = [called(one) for one in KERNELS]
    lines = [f"def {name}(table, s, m, kind):", f'    """{doc}"""']
    for number, (one, function) in enumerate(zip(KERNELS, functions, strict=True)):
        arguments = ", ".join(("table", "s", "m", *map(str, one.given)))
        lines.append(f"    if SEATED >> {number} & 1 and kind == {number}:")
        lines.append(f"        return {function.__name__}({arguments})")
    lines.append("    return -1")
    scope = {**globals(), **{function.__name__: function for function in functions}}
    decide: Decide = generated_kernel("\n".join(lines), scope)
    return decide


decide = _dispatching(
    "decide",
    "Return what bot `kind` does before the play, given the open table and its own cards.",
    lambda one: one.action,
)
decide_card = _dispatching(
    "decide_card", "Return the card that bot `kind` plays.", lambda one: one.card
)


@kernel
def play_out(
    table: RuleTable, s: State, h: Hidden, mine: Sequence[SeatInfo], kinds: list[int]
) -> None:
    """Let bots play the hand in `s` to its end: ``kinds[seat]`` with ``mine[seat]``."""
    while s.phase < PLAY:
        m = mine[s.turn]
        observe(table, s, h, m)
        apply(table, s, h, decide(table, s, m, kinds[s.turn]))
    play_tricks(table, s, h, mine, kinds)


@kernel
def play_tricks(
    table: RuleTable, s: State, h: Hidden, mine: Sequence[SeatInfo], kinds: list[int]
) -> None:
    """Let bots play the tricks of a hand whose declaration is over, or has ended it."""
    for seat in range(table.seats):
        observe_nest(s, h, mine[seat], seat)
    while s.phase == PLAY:
        seat = actor(s) if table.dummy else s.turn
        m = mine[seat]
        observe_cards(table, s, h, m)
        play(table, s, h, decide_card(table, s, m, kinds[seat]))
