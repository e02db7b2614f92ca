"""Every single change to a rule set, taken from the JSON schema of the options.

An option that is a word or a boolean takes every other value. The steps of the declaration come in
every order. Any other list of words gains or loses one word. Numbers, and values made of numbers,
take the values in `NUMBERS` and `PARTS`, which are played by people or near those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import permutations
from typing import Any, Final, Literal

from rookery.rules import OPTIONS, Rules, RulesError
from rookery.rules.table import RuleTable, compile_rules

Kind = Literal["played", "idle", "refused"]


@dataclass(frozen=True)
class Change:
    """A rule set with one option changed.

    Attributes:
        option: its key.
        setting: the new value, as a house-rule file holds it.
        rules: the changed rules; None where they do not fit together.
        kind: ``played`` where a hand may differ; ``idle`` where no hand can, because the option
            has no effect under these rules, or only on a match; ``refused`` for invalid rules.
        problem: why the rules are invalid, else "".
    """

    option: str
    setting: object
    rules: Rules | None
    kind: Kind
    problem: str = ""


def _around(*steps: int) -> Callable[[Rules, int], list[int]]:
    return lambda _, now: [now + step for step in steps]


def _bids(*steps: int) -> Callable[[Rules, int], list[int]]:
    return lambda rules, now: [now + step * rules.bid_step for step in steps]


NUMBERS: Final[Mapping[str, Callable[[Rules, int], Iterable[int]]]] = {
    "seats": _around(-1, 1),
    "hand_size": _around(-1, 1),
    "nest_size": _around(-1, 1),
    "nest_face_up": lambda rules, _: {0, 1, rules.nest_size},
    "first_bidder": lambda _, __: [0],
    "bid_minimum": _bids(-4, -2, 2, 4),
    "bid_maximum": lambda rules, now: [*_bids(-4, 4)(rules, now), rules.total_points],
    "bid_step": lambda _, now: [1, 10] if now == 5 else [5],
    "rook_value": lambda _, now: {0, now - 10, now - 5, now + 5, now + 10},
    "trick_bonus_value": lambda _, now: [now // 2, now * 2],
    "called_cards": _around(-1, 1),
    "target": lambda _, now: [now // 2, now * 2],
    "negative_end": lambda rules, _: [-rules.target],
}
PARTS: Final[Mapping[str, Callable[[Rules], Iterable[int]]]] = {
    "up_to": lambda rules: {1, 2, rules.nest_size},
    "exactly_or_none": lambda rules: {2, rules.nest_size},
    "replace": lambda rules: [2 * rules.total_points],
    "add": lambda _: [20, 50],
    "cap": lambda rules: [rules.target - rules.bid_minimum],
    "value": lambda rules: [2 * rules.total_points],
}
COUNTER_STEP: Final = 5  # points
RED_1: Final = "R1"
NEW_COUNTERS: Final = {"1": 15, "14": 15}  # values that those ranks have in some games
MOST: Final = 10**9
# Options that affect a match but no single hand.
OF_A_MATCH: Final = ("target", "tie", "ends_negative", "negative_end", "own_contract", "cap")


@lru_cache(maxsize=64)
def changes_of(rules: Rules) -> tuple[Change, ...]:
    """Return every single change to `rules`, in the order of the options.

    >>> from rookery.rules import load
    >>> [c.setting for c in changes_of(load("kd_tournament")) if c.option == "trump_lead"]
    ['when_broken']
    """
    held = rules.model_dump(mode="json")
    seen = hand_table(rules)
    return tuple(
        _change(rules, held, seen, option, setting)
        for option in OPTIONS
        for setting in settings(rules, option)
    )


def settings(rules: Rules, option: str) -> list[object]:
    """Return the other values that an option may take, each once, valid or not."""
    now = rules.options()[option]
    others: list[object] = []
    for value in _values(_schema()["properties"][option], rules, option, now):
        if value != now and value not in others:
            others.append(value)
    return others


def hand_table(rules: Rules) -> RuleTable:
    """Return the rule table without the options that affect only a match."""
    blank: dict[str, Any] = dict.fromkeys(OF_A_MATCH, 0)
    return replace(compile_rules(rules), **blank)


def _change(
    rules: Rules, held: Mapping[str, object], seen: RuleTable, option: str, setting: object
) -> Change:
    data = {**held, "id": None, "name": f"{rules.name}, {option} changed", option: setting}
    try:
        changed = Rules(**data)
    except RulesError as error:
        return Change(option, setting, None, "refused", str(error))
    return Change(option, setting, changed, "idle" if hand_table(changed) == seen else "played")


@cache
def _schema() -> dict[str, Any]:
    return Rules.model_json_schema()


def _values(form: Mapping[str, Any], rules: Rules, option: str, now: object) -> Iterator[object]:
    """Yield the values of one form of a JSON schema that `option` may take instead of `now`."""
    if "$ref" in form:
        form = _schema()["$defs"][form["$ref"].rpartition("/")[2]]
    forms = form.get("anyOf") or form.get("oneOf")
    if forms:
        for one in forms:
            yield from _values(one, rules, option, now)
    elif "const" in form:
        yield form["const"]
    elif "enum" in form:
        yield from form["enum"]
    elif form["type"] == "boolean":
        yield from (False, True)
    elif form["type"] == "integer":
        least, most = form.get("minimum", -MOST), form.get("maximum", MOST)
        numbers = NUMBERS[option](rules, now if isinstance(now, int) else 0)
        yield from (number for number in sorted(numbers) if least <= number <= most)
    elif form["type"] == "array":
        yield from _lists(form["items"], rules, option, now)
    elif option == "counters":
        yield from _counters(rules)
    else:
        yield from _parts(form, rules, option, now)


def _lists(
    items: Mapping[str, Any], rules: Rules, option: str, now: object
) -> Iterator[list[object]]:
    current: list[Any] = list(now) if isinstance(now, list) else []
    if option == "declaration_order":
        yield from map(list, permutations(rules.steps))
    elif option == "ranks":
        yield current[1:]
        yield from ([rank, *current] for rank in range(max(1, current[0] - 1), current[0]))
    elif option == "extra_cards":
        yield [name for name in current if name != RED_1] if RED_1 in current else [*current, RED_1]
    else:
        for n in range(len(current)):
            yield current[:n] + current[n + 1 :]
        names = [_name(one) for one in current]
        for one in _values(items, rules, option, None):
            if _name(one) not in names:
                yield [*current, one]


def _name(value: object) -> object:
    return value["name"] if isinstance(value, dict) else value


def _counters(rules: Rules) -> Iterator[dict[str, int]]:
    now = dict(rules.counters)
    for key, value in now.items():
        yield {other: worth for other, worth in now.items() if other != key}
        yield {**now, key: value + COUNTER_STEP}
        if value > COUNTER_STEP:
            yield {**now, key: value - COUNTER_STEP}
    for key, value in NEW_COUNTERS.items():
        if int(key) in rules.ranks:
            yield {**now, key: value}


def _parts(form: Mapping[str, Any], rules: Rules, option: str, now: object) -> Iterator[object]:
    """Yield the values made of named parts that differ from `now` in one part, or new values."""
    parts = form["properties"]
    whole = dict(now) if isinstance(now, dict) and set(now) == set(parts) else None
    if whole is None:
        fixed = {name: part["const"] for name, part in parts.items() if "const" in part}
        (free,) = set(parts) - set(fixed)
        yield from ({**fixed, free: worth} for worth in PARTS[free](rules))
        return
    for name, part in parts.items():
        choices = part.get("enum") or (PARTS[name](rules) if name in PARTS else ())
        yield from ({**whole, name: choice} for choice in choices)
