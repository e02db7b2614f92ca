"""Rules from wherever they are written: the catalogue, a house-rule file, an object in a record.

The catalogue has one file a variant, read when it is asked for, each a few changes to its base. A
file also says in every language what the game is called, where it comes from and what is special
about it.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from os import PathLike
from os.path import lexists
from pathlib import Path
from typing import Any, Final

from rookery.rules.check import excesses
from rookery.rules.errors import (
    Problem,
    RulesError,
    RulesUnreadable,
    UnknownRules,
    quoted,
    shortened,
)
from rookery.rules.language import LANGUAGES, Language
from rookery.rules.model import METADATA, Rules, whole
from rookery.unicode.halves import half_at, line_at

DEFAULT_BASE: Final = "kd_tournament"
HOUSE_RULES: Final = "{name}, house rules"  # the name of rules that are changes to those of NAME
FOLDER: Final = Path(__file__).parent / "catalog"
TOO_DEEP: Final = "nested too deep"
MOST_DEEP: Final = 200  # objects and lists in each other; Python's own limit differs by version
MOST_DOTS: Final = 100  # of one line of TOML; a key takes time by the square of its parts
NOT_OPTIONS: Final = ("base", "special", *METADATA, *LANGUAGES)

# Every variant, in the order of the reference.
IDS: Final = (
    "kd_tournament", "kd_sim_paper", "kd_original", "red_1", "buckeye", "kd_full_57",
    "kd_standard_cards", "regular_partnership", "dixie", "dixie_6", "display", "boston",
    "one_high_partnership", "hoyle_standard", "partnership_180", "house_001", "wanamingo",
    "five_person_poker", "call_partner_4", "call_partner_4_short", "call_partner_5",
    "call_partner_5_short", "call_partner_6", "call_partner_6_short", "call_partner_5_plain",
    "low_card_no_trump", "circus", "black_2", "red_2", "kentucky_rook", "call_partner_pagat",
    "rook_two_1914", "rook_three_1914", "rook_1906", "rook_1906_7", "rook_1906_8", "pwinckles_57",
    "one_low_180",
)  # fmt: skip


def load(source: str | Path | Mapping[str, object]) -> Rules:
    """Return the rules that `source` names or writes down.

    A text is a variant's id or else the path of a house-rule file, TOML or JSON; a mapping is what
    such a file holds: option changes to a ``base`` of the catalogue (``kd_tournament`` where none
    is named), and if wanted ``id``, ``name``, ``origin``, ``reconstructed`` and ``notes``.

    Raises:
        RulesError: an unknown option, a value that is not allowed, options that do not fit
            together, or rules by which hardly a deal can be played; ``problems`` has a line for
            each.
        UnknownRules: the id, or the base, is not in the catalogue.
        RulesUnreadable: the file cannot be opened or parsed.
        TypeError: it is none of these.

    >>> load({"base": "kd_full_57", "bid_minimum": 60}).name
    'Kentucky Discard with all 57 cards, house rules'
    """
    if isinstance(source, str) and source in IDS:
        return variant(source)
    if isinstance(source, Mapping):
        rules = stored(source)
    elif not isinstance(source, str | PathLike):
        kind = type(source).__name__
        raise TypeError(f"rules: expected a variant's id, a file's path or options, not {kind}")
    elif isinstance(source, str) and not names_a_file(source):
        raise unknown(source)
    else:
        rules = stored(_read_file(Path(source)))
    if found := excesses(rules):
        raise RulesError(found)
    return rules


def base_of(source: str) -> Rules:
    """Return the variant of the catalogue that rules, a file's or a variant's, are changes to.

    Raises:
        RulesError: as `load`.

    >>> base_of("dixie_6").id, base_of("kd_tournament").id
    ('dixie', 'kd_tournament')
    """
    load(source)
    written = _written(source) if source in IDS else _read_file(Path(source))
    return variant(str(written.get("base", DEFAULT_BASE)))


def parse(text: str, name: str = "rules") -> dict[str, object]:
    """Return the options that the text of a house-rule file holds, unchecked.

    Whether it is TOML or JSON follows from the file's name, or else from its first character.

    Raises:
        RulesUnreadable: the text is neither TOML nor JSON.
    """
    text = text.removeprefix("\ufeff")
    suffix = Path(name).suffix.lower()
    is_json = suffix == ".json" or (suffix != ".toml" and text.lstrip().startswith("{"))
    try:
        options = parse_json(text) if is_json else parse_toml(text)
    except ValueError as error:
        reason, line = " ".join(str(error).split()), _line_of(error, text)
        code = "not-json" if is_json else "not-toml"
        raise _unreadable(name, code, reason=reason, line=line) from None
    if is_json and (half := half_at(text)) is not None:
        raise _unreadable(name, "not-unicode", line=line_at(text, half))
    if not isinstance(options, dict):
        raise _unreadable(name, "no-options")
    return options


def parse_toml(text: str) -> dict[str, object]:
    """Return what a text in TOML holds, in a time that grows with its length alone.

    Raises:
        ValueError: it is no TOML, it is nested too deep, or nobody could write it out again.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"more than {MOST_DOTS} dots in one line (at line {number})")
    told: dict[str, object] = _read(tomllib.loads, text, parse_float=json_number)
    json.dumps(told, default=str)  # raises for an endless number, which JSON is refused for too
    return told


def json_number(written: str) -> float:
    """Return a number with a point or an exponent, `whole`; a hook for JSON and TOML."""
    return whole(float(written))


def parse_json(
    text: str,
    number: Callable[[str], Any] = json_number,
    constant: Callable[[str], Any] | None = None,
) -> Any:  # noqa: ANN401  (JSON is anything)
    """Return what a text in JSON holds.

    `number` takes a number with a point or an exponent; `constant` ``NaN`` and ``Infinity``, which
    are none of JSON.

    Raises:
        ValueError: it is no JSON, it is nested too deep, or a key stands twice in one object.
    """
    hooks = {"parse_float": number, "parse_constant": constant}
    return _read(json.loads, text, object_pairs_hook=_keys_once, **hooks)


def is_nested(told: object, deep: int) -> bool:
    """Return whether lists and objects lie in each other, more than so many.

    >>> is_nested({"ranks": [[1]]}, 2), is_nested({"ranks": [[1]]}, 3), is_nested(1, 0)
    (True, False, False)
    """
    level: list[Any] = [told] if isinstance(told, (dict, list)) else []
    for _ in range(deep):
        parts = (one.values() if isinstance(one, dict) else one for one in level)
        level = [one for part in parts for one in part if isinstance(one, (dict, list))]
    return bool(level)


def _read(reader: Callable[..., Any], text: str, **hooks: Any) -> Any:  # noqa: ANN401
    try:
        told = reader(text, **hooks)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    if is_nested(told, MOST_DEEP):
        raise ValueError(TOO_DEEP)
    return told


def _keys_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"{shortened(repr(key))} stands twice in one object")
            seen.add(key)
    return fields


def _line_of(error: Exception, text: str) -> int:
    """Return the line of a text where the parser stopped, from 1."""
    line = getattr(error, "lineno", None)
    if isinstance(line, int):
        return line
    # Before Python 3.14 an error of tomllib has its place in its message alone.
    place = re.search(r"\bline (\d+)", str(error))
    return int(place[1]) if place else len(text.splitlines())


def _read_file(path: Path) -> dict[str, object]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = (error.strerror or "cannot be opened").lower()
        raise _unreadable(str(path), "cannot-open", reason=reason) from None
    except ValueError:
        raise _unreadable(str(path), "not-utf-8") from None
    return parse(text, str(path))


def names_a_file(name: str) -> bool:
    """Return whether a name is a path and no id: it has a dot or a folder, or something is there.

    >>> names_a_file("ours.toml"), names_a_file("dixie")
    (True, False)
    """
    path = Path(name)
    return path.suffix != "" or len(path.parts) > 1 or lexists(name)


def _unreadable(name: str, code: str, **values: object) -> RulesUnreadable:
    return RulesUnreadable([Problem(" ".join(name.split()), code, **values)])


def stored(written: Mapping[str, object]) -> Rules:
    """Return the rules that a record holds, as `load` does, also where none may begin by them now.

    Raises:
        RulesError: as `load`, but for `rookery.rules.check.excesses`.
    """
    name = written.get("base", DEFAULT_BASE)
    if not isinstance(name, str) or name not in IDS:
        raise unknown(name, "base")
    base = variant(name)
    own = {str(key): value for key, value in written.items() if key != "base"}
    if not own:
        return base
    metadata: dict[str, object] = {
        "name": HOUSE_RULES.format(name=base.name),
        "reconstructed": base.reconstructed,
    }
    rules = Rules(**{**changes(name), **metadata, **own})
    if rules.id in IDS and rules.changes(variant(rules.id)):
        raise RulesError([Problem("id", "id-of-a-variant", id=quoted(rules.id))])
    return rules


def catalog() -> tuple[str, ...]:
    """Return the ids of all variants, in the order of the reference.

    >>> catalog()[0], len(catalog())
    ('kd_tournament', 38)
    """
    return IDS


def unknown(name: object, option: str = "rules") -> UnknownRules:
    """Return the error that says that no variant is called `name`, with the nearest one that is."""
    said = name.lower() if isinstance(name, str) else ""
    if near := get_close_matches(said, IDS, n=1, cutoff=0.6):
        return UnknownRules([Problem(option, "misspelt-variant", name=quoted(name), near=near[0])])
    return UnknownRules([Problem(option, "unknown-variant", name=quoted(name))])


@cache
def changes(name: str) -> Mapping[str, object]:
    """Return every option that the variant `name` or one of its bases sets, unchecked."""
    written = _written(name)
    base = written.get("base")
    inherited = changes(base) if isinstance(base, str) else {}
    own = {key: value for key, value in written.items() if key not in NOT_OPTIONS}
    return {**inherited, **own}


def special(name: str) -> str:
    """Return what is special about the variant `name`, one sentence for somebody who chooses.

    >>> special("red_2")
    'The red 2 is a little Rook: always a trump, and second only to the Rook itself.'
    """
    return str(_written(name)["special"])


@cache
def own_words(language: Language) -> Mapping[str, str]:
    """Return what the catalogue says of its games in a language, by its words in English.

    House rules take words over from their base, and tables and records keep them in English.
    """
    words: dict[str, str] = {}
    for written in map(_written, IDS):
        own = written.get(language)
        if isinstance(own, dict):
            words |= {str(written[field]): text for field, text in own.items()}
    return words


@cache
def variant(name: str) -> Rules:
    """Return the variant of the catalogue called `name`.

    Raises:
        UnknownRules: there is none; code ``unknown-rules``.

    >>> variant("buckeye").total_points
    180
    """
    if name not in IDS:
        raise unknown(name)
    written = _written(name)
    metadata = {key: written[key] for key in METADATA if key in written}
    return Rules(**{**changes(name), **metadata, "id": name})


@cache
def _written(name: str) -> dict[str, object]:
    with (FOLDER / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)
