"""Rules from wherever they are written: the catalogue, a house-rule file, an object in a record."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from rookery.rules.errors import Problem, RulesError, RulesUnreadable, shown
from rookery.rules.faults import rules_error
from rookery.rules.model import Rules
from rookery.rules.variants import IDS, changes, unknown, variant

DEFAULT_BASE: Final = "kd_tournament"


def load(source: str | Path | Mapping[str, object]) -> Rules:
    """Return the rules that `source` names or writes down.

    A text is a variant's id or else the path of a house-rule file, TOML or JSON; a mapping is what
    such a file holds: option changes to a ``base`` of the catalogue (``kd_tournament`` where none
    is named), and if wanted ``id``, ``name``, ``origin``, ``reconstructed`` and ``notes``.

    Raises:
        RulesError: an unknown option, a value that is not allowed, or options that do not fit
            together; ``problems`` has a line for each.
        UnknownRules: the id, or the base, is not in the catalogue.
        RulesUnreadable: the file cannot be opened or parsed.

    >>> load({"base": "kd_full_57", "bid_minimum": 60}).name
    'Kentucky Discard with all 57 cards, house rules'
    """
    if isinstance(source, Mapping):
        return _house_rules(source)
    if isinstance(source, str) and source in IDS:
        return variant(source)
    path = Path(source)
    if isinstance(source, str) and not _names_a_file(path):
        raise unknown(source)
    return _house_rules(read_file(path))


def read_file(path: Path) -> dict[str, object]:
    """Return what the house-rule file at `path` holds, unchecked.

    Raises:
        RulesUnreadable: the file cannot be opened, or is neither TOML nor JSON.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = (error.strerror or "cannot be opened").lower()
        raise _unreadable(path, f"{reason}; expected a house-rule file") from None
    except ValueError:
        raise _unreadable(path, "not a text in UTF-8; expected TOML or JSON") from None
    is_json = path.suffix.lower() == ".json" or (
        path.suffix.lower() != ".toml" and text.lstrip().startswith("{")
    )
    kind = "JSON" if is_json else "TOML"
    try:
        held = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, f"{error}; expected {kind}") from None
    if not isinstance(held, dict):
        raise _unreadable(path, "holds no options; expected a JSON object of options")
    return held


def _names_a_file(path: Path) -> bool:
    try:
        return path.suffix.lower() in (".toml", ".json") or len(path.parts) > 1 or path.is_file()
    except (OSError, ValueError):
        return False


def _unreadable(path: Path, text: str) -> RulesUnreadable:
    return RulesUnreadable([Problem(" ".join(str(path).split()), " ".join(text.split()))])


def _house_rules(written: Mapping[str, object]) -> Rules:
    name = written.get("base", DEFAULT_BASE)
    if not isinstance(name, str) or name not in IDS:
        raise unknown(name, "base")
    base = variant(name)
    own = {str(key): value for key, value in written.items() if key != "base"}
    if not own:
        return base
    described: dict[str, object] = {
        "name": f"{base.name}, house rules",
        "reconstructed": base.reconstructed,
    }
    data = {**changes(name), **described, **own}
    try:
        rules = Rules.model_validate(data)
    except ValidationError as error:
        raise rules_error(error, data) from None
    if rules.id in IDS and rules.changes(variant(rules.id)):
        raise RulesError(
            [Problem("id", f"{shown(rules.id)} is a variant with other rules; choose another id")]
        )
    return rules
