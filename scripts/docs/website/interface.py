"""The pages of the Python interface, from docstrings and signatures.

griffe reads the source without running it, and griffe2md makes Markdown of it. What is on the pages
are the public names: those of the package itself, and those of the environments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

import griffe
from griffe2md import ConfigDict, render_object_docs
from scripts.docs.reference import MADE as KEPT
from scripts.docs.reference import table
from scripts.docs.website.plain import MADE, first_sentence

import rookery

SOURCES: Final = Path(__file__).resolve().parents[3] / "src"
TITLES: Final = {
    "bots": "Bots",
    "cards": "Cards",
    "game": "Hands and matches",
    "record": "Records",
    "rules": "Rules",
    "solver": "Solver",
    "view": "What one seat sees",
}
ENVIRONMENTS: Final = {
    "rook_v0": "envs.rook_v0",
    "RookEnv": "envs.single.RookEnv",
    "RookVectorEnv": "envs.vector.RookVectorEnv",
    "DeviceArray": "envs.gpu.arrays.DeviceArray",
    "observation": "envs.observations.compact",
    "history": "envs.observations.history",
    "oracle": "envs.observations.oracle",
}
_HEAD: Final = """\
What a program may import, in one line each. `import rookery` imports nothing else until a name is
first used. Here four bots play a hand, and its record is kept and played again:"""
_TAIL: Final = """\
A text that names no bot, a card that may not be played, a file that is no record: each raises an
error of one line, and most have a `code` for programs. These names stay, as [what stays
stable](stability.md) says. Modules below the package are not promised, but for the environments."""
_KEPT: Final = """\
On the documentation's site each name has its own section: parameters, errors, members. The same
stands in Python: `help(rookery.Hand)`. `rook_v0` and what follows it are names of `rookery.envs`;
[train an agent](../how-to/train-an-agent.md) shows how they are used."""
_CONFIG: Final[ConfigDict] = {
    "docstring_style": "google",
    "heading_level": 2,
    "show_root_full_path": False,
    "show_root_members_full_path": False,
    "show_object_full_path": False,
    "show_signature_annotations": True,
    "show_if_no_docstring": False,
    "show_submodules": False,
    "summary": False,
    "filters": ["!^_"],
}
_LINK: Final = re.compile(r"\[([^\]]+)\]\(#([\w.]+)\)")
_CODE: Final = re.compile(r"<code>([^<`\[]*(?:\[[^\]]*\](?!\()[^<`\[]*)*)</code>")
_LONG: Final = re.compile(r"(?<=^```python\n)[^\n(]+\([^\n]{60,}(?=\n```$)", re.MULTILINE)
_MEMBER: Final = re.compile(r"^### `", re.MULTILINE)
# An example at the prompt ends with the first empty line.
_EXAMPLE: Final = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)


@cache
def groups() -> dict[str, dict[str, str]]:
    """Return the public names of each page, each with the path of what it names."""
    found: dict[str, dict[str, str]] = {}
    for name in rookery.__all__:
        path = _found(name).path.removeprefix("rookery.")
        found.setdefault(path.partition(".")[0], {})[name] = path
    found["envs"] |= ENVIRONMENTS
    last = found.pop("envs")
    return {**{name: found[name] for name in sorted(found)}, "envs": last}


def names() -> list[tuple[str, str]]:
    """Return the page and the title of every group."""
    return [(f"reference/python/{one}", title(one)) for one in groups()]


def title(group: str) -> str:
    """Return what a page is called."""
    return "Environments" if group == "envs" else TITLES.get(group, group.capitalize())


def kept() -> str:
    """Return the page that is kept under ``docs/``: every name, without the pages of the site."""
    rows = (
        (f"`{name}`", first_sentence(_said(path)))
        for inside in groups().values()
        for name, path in inside.items()
    )
    return _overview(KEPT, rows, _KEPT)


def pages() -> dict[str, str]:
    """Return the pages in Markdown by their paths under ``docs/``."""
    made = {f"reference/python/{one}.md": _page(one, inside) for one, inside in groups().items()}
    rows = (
        (f"[`{name}`](python/{group}.md#{name.lower()})", first_sentence(_said(path)))
        for group, inside in groups().items()
        for name, path in inside.items()
    )
    return {"reference/python.md": _overview(MADE, rows), **made}


def _overview(made: str, rows: Iterable[tuple[str, str]], *more: str) -> str:
    example = _EXAMPLE.search(_said(""))
    assert example is not None  # noqa: S101
    shown = f"```pycon\n{example[0]}\n```"
    parts = ["# Python", made, _HEAD, shown, _TAIL, *more, table(("Name", "What it is"), rows)]
    return "\n\n".join(parts) + "\n"


def _page(group: str, inside: dict[str, str]) -> str:
    parts = [f"# {title(group)}", MADE, *(_section(name, path) for name, path in inside.items())]
    return "\n\n".join(parts) + "\n"


def _section(name: str, path: str) -> str:
    # Its first line is a heading with the name under which it is defined.
    text = render_object_docs(_found(path), _CONFIG).partition("\n")[2]
    text = _LONG.sub(lambda found: _wrapped(found[0]), text)
    text = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", text)
    text = _CODE.sub(r"`\1`", _LINK.sub(_linked, text))
    return f"## {name}\n{_MEMBER.sub(f'### `{name}.', text)}".rstrip("\n")


def _wrapped(signature: str) -> str:
    """Return a signature with a line for each argument."""
    start = signature.index("(") + 1
    head, lines, depth = signature[:start], [], 0
    for at, letter in enumerate(signature[start:], start):
        if letter in "([":
            depth += 1
        elif letter in ")]" and depth:
            depth -= 1
        elif letter in ",)" and not depth:
            lines.append(f"    {signature[start:at].strip()},\n")
            start = at + 1
            if letter == ")":
                break
    return f"{head}\n{''.join(lines)}){signature[start:]}"


def _linked(found: re.Match[str]) -> str:
    """Return a name that griffe2md made a link, as a link only where there is a place for it."""
    return f"[{found[1]}]({_places()[found[2]]})" if found[2] in _places() else found[1]


@cache
def _places() -> dict[str, str]:
    """Return where each public name has its section, by the path under which it is defined."""
    return {
        str(_found(path).path): f"{group}.md#{name.lower()}"
        for group, inside in groups().items()
        for name, path in inside.items()
    }


def _said(path: str) -> str:
    docstring = (_found(path) if path else _package()).docstring
    return docstring.value if docstring else ""


@cache
def _package() -> griffe.Module:
    found = griffe.load("rookery", search_paths=[SOURCES], docstring_parser="google")
    assert isinstance(found, griffe.Module)  # noqa: S101
    return found


def _found(path: str) -> Any:  # noqa: ANN401  (a class, a function or an attribute of griffe's)
    found = _package()[path]
    return found.final_target if found.is_alias else found
