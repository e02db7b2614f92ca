"""Rules from wherever they are written: the catalogue, a house-rule file, an object in a record."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rookery.rules.errors import Problem, RulesError, RulesUnreadable, quoted
from rookery.rules.model import Rules
from rookery.rules.validation import validate
from rookery.rules.variants import HOUSE_RULES, IDS, changes, parent, unknown, variant

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
    return _house_rules(_read_file(path))


def base_of(source: str) -> Rules:
    """Return the variant of the catalogue that the rules `source` names are changes to.

    Args:
        source: the path of a house-rule file, or a variant's id.

    Raises:
        RulesError: as `load`.
    """
    if source in IDS:
        return variant(parent(source) or DEFAULT_BASE)
    load(source)
    return variant(str(_read_file(Path(source)).get("base", DEFAULT_BASE)))


def parse(text: str, name: str = "rules") -> dict[str, object]:
    """Return the options that the text of a house-rule file holds, unchecked.

    Args:
        text: TOML or JSON; what it is follows from the name, or else from its first character.
        name: of the file, for the error.

    Raises:
        RulesUnreadable: the text is neither TOML nor JSON.
    """
    text = text.removeprefix("\ufeff")
    suffix = Path(name).suffix.lower()
    is_json = suffix == ".json" or (suffix != ".toml" and text.lstrip().startswith("{"))
    try:
        options = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        reason, line = " ".join(str(error).split()), _line_of(error, text)
        code = "not-json" if is_json else "not-toml"
        raise _unreadable(name, code, reason=reason, line=line) from None
    if not isinstance(options, dict):
        raise _unreadable(name, "no-options")
    return options


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


def _names_a_file(path: Path) -> bool:
    try:
        return path.suffix.lower() in (".toml", ".json") or len(path.parts) > 1 or path.is_file()
    except (OSError, ValueError):
        return False


def _unreadable(name: str, code: str, **values: object) -> RulesUnreadable:
    return RulesUnreadable([Problem(" ".join(name.split()), code, **values)])


def _house_rules(written: Mapping[str, object]) -> Rules:
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
    rules = validate({**changes(name), **metadata, **own})
    if rules.id in IDS and rules.changes(variant(rules.id)):
        raise RulesError([Problem("id", "id-of-a-variant", id=quoted(rules.id))])
    return rules
