"""Positions of the play phase for the solver's tests, reached by random legal play."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from tests.laws.house import CHANGES, Change, with_changes

from rookery.cards import CARDS, unpack
from rookery.engine.actions import ACTIONS, apply, legal
from rookery.engine.deal import deal, shuffle
from rookery.engine.nest import next_discards
from rookery.engine.records import copy_of
from rookery.engine.rng import seeded
from rookery.engine.state import DONE, PLAY, Hidden, State
from rookery.engine.trick import following
from rookery.rules import Rules, catalog, load
from rookery.rules.table import RuleTable, compile_rules
from rookery.solver.answer import VALUE, solve_ending
from rookery.solver.ending import Ending
from rookery.solver.transpositions import BUCKET, ENTRY

Position = tuple[RuleTable, State, Hidden]
MOST_TRICKS: Final = {2: 9, 3: 6, 4: 5, 5: 4, 6: 3, 7: 3, 8: 3}  # that brute force can do
FEW_TRICKS: Final = {2: 4, 3: 3, 4: 2, 5: 2, 6: 2, 7: 1, 8: 1}  # without being compiled
BRIDGE: Final[dict[str, object]] = {
    "base": "kd_tournament",
    "pack": "standard",
    "ranks": list(range(1, 14)),
    "ones": "high",
    "rook_in_deck": False,
    "rook_value": 0,
    "hand_size": 13,
    "nest_size": 0,
    "counters": {},
    "trick_bonus": "per_trick",
    "trick_bonus_value": 1,
    "bid_minimum": 1,
    "bid_maximum": 13,
    "bid_step": 1,
    "trump_calls": ["suits", "notrump"],
    "redeal": "none",
    "nest_points_to": "nobody",
    "target": 100,
}
COUNTED: Final[Change] = {"trick_bonus": "per_trick", "trick_bonus_value": 1}
NO_COUNTERS: Final[Change] = {"counters": {}, "rook_value": 0}
RARE: Final[list[Change]] = [
    *({"void_duty": word} for word in ("must_trump", "must_beat")),
    *({"rook_any_time": flag} for flag in (True, False)),
    *({"black_2": word} for word in ("beats_rook", "top_trump")),
    *({"trump_calls": calls} for calls in (["notrump"], ["suits", "notrump", "notrump-low"])),
    *({"rook_at_no_trump": word} for word in ("sole_trump", "red_10_5", "loser")),
    *({"rook_rank": word} for word in ("bottom", "10.5")),
    {"trump_lead": "when_broken"},
    {"red_1": "top_trump_any_time"},
    {"partnership": "alone"},
]
BLIND: Final[dict[str, object]] = {
    **COUNTED,
    "base": "rook_two_1914",
    "seats": 3,
    "partnership": "alone",
    "hand_size": 9,
    "nest_size": 8,
    "bid_minimum": 5,
    "bid_maximum": 100,
    "bid_step": 5,
}


def choices_of(table: RuleTable, s: State, h: Hidden) -> list[int]:
    """Return the cards that the place on turn may play without a revoke."""
    return list(unpack(following(table, s, h.hand[s.turn])))


def random_ending(table: RuleTable, rng: Random, tricks: int, played: int) -> Position:
    """Return a hand with `tricks` to go at most, `played` cards lying in the current one."""
    s, h = State(), Hidden()
    h.rng = seeded(rng.getrandbits(60), 0)
    order, actions = [0] * CARDS, [0] * ACTIONS
    while True:
        shuffle(table, h, order)
        deal(table, s, h, order, rng.randrange(table.seats))
        while s.phase < DONE:
            late = s.tricks >= table.hand_size - tricks
            if s.phase == PLAY and late and s.trick_size == played % table.seats:
                return table, s, h
            n = legal(table, s, h, actions)
            chosen = choices_of(table, s, h) if s.phase == PLAY else actions[:n]
            apply(table, s, h, rng.choice(chosen))


def is_legal_nest(table: RuleTable, rules: Rules, s: State, h: Hidden) -> bool:
    """Return whether the engine lets the declarer lay away the nest of `h`, a hand in its play."""
    before, closed = copy_of(s), copy_of(h)
    order = rules.declaration_order
    if order.index("discard") < order.index("trump"):
        before.row = -1
    before.discarded, rest = 0, h.nest
    closed.hand[s.declarer] |= s.played_by[s.declarer] | rest
    while rest:
        may = next_discards(table, before, closed) & rest
        if not may:
            return False
        card = may & -may
        rest &= ~card
        closed.hand[s.declarer] &= ~card
        before.discarded += 1
    return True


def every_kind(
    rng: Random, each: int, most: dict[int, int], changes: int = 0
) -> Iterator[tuple[Rules, Position]]:
    """Yield `each` endings of every variant, or of house rules with some `changes` to it."""
    for name in sorted(catalog()):
        for _ in range(each):
            rules = with_changes(name, rng.sample(CHANGES, changes)) if changes else load(name)
            table = compile_rules(rules)
            tricks = rng.randint(1, most[table.seats])
            yield rules, random_ending(table, rng, tricks, rng.randrange(8))


def tricks_count(rng: Random, many: int, most: dict[int, int]) -> Iterator[tuple[Rules, Position]]:
    """Yield starts of tricks that are worth something, under rare rules, five for each game."""
    names = sorted(catalog())
    for i in range(many):
        changes = [COUNTED, *rng.sample([NO_COUNTERS, *RARE], rng.randrange(4))]
        rules = load(BLIND) if i % 10 == 0 else with_changes(rng.choice(names), changes)
        table = compile_rules(rules)
        for _ in range(5):
            yield rules, random_ending(table, rng, rng.randint(2, most[table.seats]), 0)


def plain_memory(entries: int = 1 << 10) -> list[int]:
    return [0] * (ENTRY * (entries + BUCKET + 1))


def plain_value(position: Position) -> int:
    """Return what the solver says, uncompiled."""
    table, s, h = position
    return solve_ending(table, copy_of(s), copy_of(h), Ending(), plain_memory(), VALUE)


def bridge_position(table: RuleTable, rng: Random, cards: int, played: int) -> Position:
    """Return a deal of so many cards each from the whole pack, and play some of the first trick."""
    pack = list(table.deck[: table.cards])
    rng.shuffle(pack)
    s, h = State(), Hidden()
    s.phase = PLAY
    s.declarer = rng.randrange(4)
    s.contract = 1
    s.allies = h.allies = table.partners[s.declarer]
    s.sides_known = 1
    s.call = s.row = rng.choice([0, 1, 2, 3, 8])
    s.leader = s.turn = rng.randrange(4)
    s.tricks = table.hand_size - cards
    for seat in range(4):
        h.hand[seat] = sum(1 << card for card in pack[seat * cards : seat * cards + cards])
    for _ in range(played):
        apply(table, s, h, rng.choice(choices_of(table, s, h)))
    return table, s, h
