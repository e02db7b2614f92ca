"""One hash over many matches: every action and every state, whoever plays them and how."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from types import SimpleNamespace
from typing import Any, Final

from tests.engine.stepping import OVER, WILD, Plain, Recorded

from rookery.bots.dispatch import kind_of
from rookery.engine.match import add_scores, winners
from rookery.engine.state import REDEALT
from rookery.rules import catalog, variant
from rookery.rules.table import RuleTable, compile_rules

HANDS: Final = 40  # of a match at most: wild players may never win one
Step = Callable[..., int]


def hash_of(matches: int, one_step: Step | None = None, workers: int = 1) -> str:
    """Return the hash of matches 0 to `matches` - 1, hexadecimal.

    Args:
        matches: how many; they go through all variants and three casts.
        one_step: a compiled `stepping.step`; plain Python plays where there is none.
        workers: how many threads share the matches.
    """
    with ThreadPoolExecutor(workers) as crew:
        found = crew.map(lambda number: match_hash(number, one_step), range(matches))
        return sha256(b"".join(found)).hexdigest()


def match_hash(number: int, one_step: Step | None = None) -> bytes:
    """Return the hash of one match, 32 bytes."""
    names = catalog()
    table = compile_rules(variant(names[number % len(names)]))
    kinds = casts(table.seats)[number // len(names) % 3]
    hand = Plain(table, kinds) if one_step is None else Recorded(table, kinds, one_step)
    told = sha256()
    totals = [0] * table.seats
    for played in range(HANDS):
        actions = hand_of(hand, number * HANDS + played, played % table.seats)
        told.update(repr(actions).encode())
        for record in hand.image()[:3]:
            told.update(record.tobytes())
        if _ended(table, hand, totals):
            break
    told.update(repr(totals).encode())
    return told.digest()


def hand_of(hand: Plain, seed: int, dealer: int) -> list[int]:
    """Play a hand to its end and return its actions."""
    hand.advance(seed, dealer)
    actions = []
    while (action := hand.advance(seed)) != OVER:
        actions.append(int(action))
    return actions


def casts(seats: int) -> list[list[int]]:
    """Return who plays: wild ones, the Menagerie, random ones; not the bots that still learn."""
    return [[WILD] * seats, ([0, 1, 2, 3] * 2)[:seats], [kind_of("random")] * seats]


def _ended(table: RuleTable, hand: Plain, totals: list[int]) -> bool:
    record = hand.image()[0]
    state: Any = SimpleNamespace(**{name: record[name] for name in record.dtype.names})
    if state.phase == REDEALT:
        return False
    add_scores(table, state, totals)
    totals[:] = [int(total) for total in totals]
    return bool(winners(table, state, totals))
