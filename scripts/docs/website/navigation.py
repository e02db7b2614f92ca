"""Where each page stands: the sections of ``docs/navigation.yml``, and pages made from the code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

DOCS: Final = Path(__file__).resolve().parents[3] / "docs"
NAVIGATION: Final = DOCS / "navigation.yml"


class Page(NamedTuple):
    """A page in the navigation.

    Attributes:
        name: its path under ``docs/``, without the ending.
        title: what the navigation calls it.
        below: the pages that belong to it, such as a variant's to the list of variants.
    """

    name: str
    title: str
    below: tuple[Page, ...] = ()


class Section(NamedTuple):
    """Pages of one purpose; the first of all has no title, and holds the start page alone."""

    title: str
    pages: tuple[Page, ...]


def sections(below: Mapping[str, Sequence[tuple[str, str]]]) -> list[Section]:
    """Return the navigation; `below` has the names and titles of pages that belong to another."""
    written: list[dict[str, Any]] = yaml.safe_load(NAVIGATION.read_text("utf-8"))["nav"]
    found = []
    for entry in written:
        [(title, inside)] = entry.items()
        listed = [{title: inside}] if isinstance(inside, str) else inside
        pairs = [pair for one in listed for pair in one.items()]
        pages = (
            Page(name, title, tuple(Page(*one) for one in below.get(name, ())))
            for title, name in ((title, path.removesuffix(".md")) for title, path in pairs)
        )
        found.append(Section("" if isinstance(inside, str) else title, tuple(pages)))
    return found


def toctrees(menu: Sequence[Section]) -> str:
    """Return the navigation as Sphinx wants it at the end of the start page."""
    return "\n".join(_toctree(section.pages) for section in menu if section.title and section.pages)


def toctree_below(menu: Sequence[Section], name: str) -> str:
    """Return the pages that belong to a page, as Sphinx wants them at its end."""
    found = (page for section in menu for page in section.pages if page.name == name)
    return "".join(_toctree(page.below) for page in found if page.below)


def _toctree(pages: Sequence[Page]) -> str:
    lines = "\n".join(f"{page.title} </{page.name}>" for page in pages)
    return f"\n```{{toctree}}\n:hidden:\n\n{lines}\n```\n"


def menu_html(menu: Sequence[Section], current: str, up: str) -> str:
    """Return the menu of the page `current`, in which `up` leads to the start page.

    Every section can be folded; that of the page is open.
    """
    return "".join(_section_html(section, current, up) for section in menu if section.title)


def _section_html(section: Section, current: str, up: str) -> str:
    inside = any(
        current == page.name or any(current == one.name for one in page.below)
        for page in section.pages
    )
    entries = "".join(_entries(section.pages, current, up))
    opened = " open" if inside or current == "index" else ""
    title = escape(section.title)
    return f"<details{opened}><summary>{title}</summary><ul>{entries}</ul></details>"


def _entries(pages: Sequence[Page], current: str, up: str) -> Iterator[str]:
    for page in pages:
        here = ' aria-current="page"' if page.name == current else ""
        link = f'<a href="{up}{page.name}/"{here}>{escape(page.title)}</a>'
        near = current == page.name or any(current == one.name for one in page.below)
        inner = f"<ul>{''.join(_entries(page.below, current, up))}</ul>" if near else ""
        yield f"<li>{link}{inner if page.below else ''}</li>"
