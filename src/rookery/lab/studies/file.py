"""Study files: bots, rules, number of boards, seed and questions.

```toml
name = "rook-in-the-deck"
about = "Does the Rook help the better bot?"
bots = ["club", "papa"]
rules = ["kd_tournament", { base = "kd_tournament", rook_value = 0 }]
boards = 20000
seed = 1
questions = ["match"]
```
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from hashlib import sha256
from os.path import lexists
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field, ValidationError

from rookery.bots.names import Bot, bot
from rookery.bots.register import UnknownBot
from rookery.engine.targets import Target
from rookery.lab.duplicate.match import code_of
from rookery.lab.duplicate.seeds import SEEDS, Family
from rookery.lab.studies.question import Plan, Setting, UnknownQuestion, question
from rookery.rules import RulesError, catalog, load, names_a_file, parse_toml, quoted, variant

SHIPPED: Final = Path(__file__).parent
EVERYTHING: Final = "all"
MOST: Final = 10**12


class StudyError(ValueError):
    """A study file that cannot be read or is inconsistent. Code: ``bad-study``."""

    code = "bad-study"


class StudyFile(BaseModel, extra="forbid", frozen=True, strict=True, title="A study of Rookery"):
    """The content of a study file."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)] = Field(
        description="What the study is called: small letters, digits and hyphens."
    )
    about: str = Field("", description="One sentence that says what it is about.")
    bots: Annotated[list[str], Field(min_length=1)] = Field(
        description="Bots by name, as everywhere."
    )
    rules: Annotated[list[str | dict[str, Any]], Field(min_length=1)] = Field(
        default=["kd_tournament"],
        description="Rule sets: a variant's id, a house-rule file (its path from this file), house "
        'rules written out ({ base = "kd_tournament", bid_minimum = 60 }). '
        '["all"] is all variants.',
    )
    boards: int = Field(10_000, ge=2, le=MOST, description="Boards to play for each rule set.")
    seed: int = Field(1, ge=0, lt=SEEDS, description="The same seed, the same boards.")
    family: Literal["tuning", "validation", "holdout"] = Field(
        "tuning",
        description="Which family the seed belongs to: tuning (look as often as you like), "
        "validation (for a choice among few), holdout (one look).",
    )
    questions: Annotated[list[str], Field(min_length=1)] = Field(
        description="What is asked, by name; `rookery study --list` shows what there is."
    )
    rows: int = Field(
        0, ge=0, le=MOST, description="How many boards to write out in rows, with --out."
    )

    def asks(self, plan: Plan) -> str:
        """Return a hash of the questions, the rules and the bots, with their present code.

        Neither the seed nor the number of boards is part of it, nor any order. `plan` is its plan.
        """
        cast = [bot(name) for name in self.bots]
        tables = (repr(setting.table) for setting in plan.settings)
        parts = [sorted(self.questions), sorted(map(str, cast)), sorted(tables), code_of(cast)]
        return sha256(json.dumps(parts).encode()).hexdigest()[:16]

    def plan(self, folder: Path, *, target: Target = "numba") -> Plan:
        """Return the plan for its questions; `folder` is the folder of the file.

        Raises:
            StudyError: an unknown bot or rule set; the line names the key.
        """
        cast: list[Bot] = []
        for i, name in enumerate(self.bots):
            try:
                named = bot(name)
            except UnknownBot as error:
                raise StudyError(f"bots[{i}]: {error}") from None
            if named in cast:
                raise StudyError(f"bots[{i}]: {named} is named twice")
            cast.append(named)
        settings = [
            setting
            for i, written in enumerate(self.rules)
            for setting in _settings(written, folder, f"rules[{i}]")
        ]
        labels = [setting.label for setting in settings]
        for label in labels:
            if labels.count(label) > 1:
                raise StudyError(f"rules: {label} stands there twice; give one a name of its own")
        family = Family(self.family)
        return Plan(tuple(settings), tuple(self.bots), self.boards, self.seed, target, family)


def shipped() -> list[str]:
    """Return the names of the shipped study files; the Menagerie is not one of them."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def find(name: str) -> Path:
    """Return the path of a study file, from the name of a shipped study or from a path.

    Raises:
        StudyError: there is no such study.
    """
    if name in shipped():
        return SHIPPED / f"{name}.toml"
    if names_a_file(name):
        return Path(name)
    names = ["menagerie", *shipped(), "dataset"]
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
    raise StudyError(f"no study is called {name!r}; {hint}, and files ending in .toml")


def read(path: Path) -> StudyFile:
    """Return the study in the file at `path`.

    Raises:
        StudyError: it cannot be opened or is invalid; one line names the file and the key.

    >>> read(Path("nowhere.toml"))
    Traceback (most recent call last):
    rookery.lab.studies.file.StudyError: nowhere.toml: no such file or directory; expected a study
    """
    try:
        keys = parse_toml(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        reason = (error.strerror or "cannot be opened").lower()
        raise StudyError(f"{path}: {reason}; expected a study") from None
    except UnicodeDecodeError:
        raise StudyError(f"{path}: is no text in UTF-8; expected TOML") from None
    except ValueError as error:
        raise StudyError(f"{path}: {error}; expected TOML") from None
    try:
        study = StudyFile.model_validate(keys)
        for i, name in enumerate(study.questions):
            question(name)
            if name in study.questions[:i]:
                raise StudyError(f"questions[{i}]: {name} is asked twice")
        study.plan(path.parent)
    except ValidationError as error:
        raise StudyError(f"{path}: {_line(error, keys)}") from None
    except UnknownQuestion as error:
        raise StudyError(f"{path}: questions[{i}]: {error}") from None
    except StudyError as error:
        raise StudyError(f"{path}: {error}") from None
    return study


def _settings(written: str | Mapping[str, Any], folder: Path, key: str) -> Iterable[Setting]:
    if written == EVERYTHING:
        return [Setting(name, load(name)) for name in catalog()]
    try:
        if isinstance(written, str) and written not in catalog():
            rules = load(_beside(folder, written))
        else:
            rules = load(written)
    except RulesError as error:
        raise StudyError(f"{key}: {error}") from None
    return [Setting(_label(written, rules.name), rules)]


def _beside(folder: Path, name: str) -> Path:
    """Return the path of a house-rule file that a study in `folder` names.

    Raises:
        UnknownRules: it is rather the id of a variant, and there is none of this name.
    """
    path = folder / name
    if path.name == name and not path.suffix and not lexists(path):
        variant(name)  # says that there is none
    return path


def _label(written: str | Mapping[str, Any], name: str) -> str:
    """Return the label of a rule set in tables: its id or name, or its changed options."""
    if isinstance(written, str):
        return written if written in catalog() else name
    if "name" in written or "id" in written:
        return str(written.get("name", written.get("id")))
    changed = (f"{key}={_short(value)}" for key, value in written.items() if key != "base")
    return " ".join((str(written.get("base", "kd_tournament")), *changed))


def _short(value: object) -> str:
    """Return a value on one line; a long value is replaced by a hash."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    return text if len(text) <= 24 else f"{text[:16]}~{sha256(text.encode()).hexdigest()[:4]}"


def _line(error: ValidationError, keys: Mapping[str, object]) -> str:
    """Return the first validation error in words."""
    fault = error.errors()[0]
    key = str(fault["loc"][0])
    if fault["type"] == "extra_forbidden":
        near = get_close_matches(key, StudyFile.model_fields, n=1)
        names = ", ".join(StudyFile.model_fields)
        hint = f"did you mean {near[0]}?" if near else f"there are {names}"
        return f"{key}: there is no such key; {hint}"
    if fault["type"] == "missing":
        return f"{key}: is missing; expected {_EXPECTED[key]}"
    return f"{key}: {quoted(keys[key])} will not do; expected {_EXPECTED[key]}"


_EXPECTED: Final = {
    "name": 'small letters, digits and hyphens, such as "our-club"',
    "about": "a text",
    "bots": 'a list of names, such as ["club", "papa"]',
    "rules": 'a list of ids, files, { base = "...", option = ... }, or ["all"]',
    "boards": f"a whole number from 2 to {MOST}",
    "seed": f"a whole number from 0 to {SEEDS - 1}",
    "family": '"tuning", "validation" or "holdout"',
    "questions": 'a list of names, such as ["match"]',
    "rows": f"a whole number from 0 to {MOST}",
}
