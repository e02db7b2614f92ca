"""The same pages for programs: a list of them, ``llms.txt``, and what each says in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from scripts.docs.website.navigation import Page, Section

MADE: Final = "<!-- Made from the code when the documentation is built. -->"
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_NOT_PROSE: Final = ("#", "|", "```", "- ", "* ", "<", "1. ", "![")
_SENTENCE: Final = re.compile(r"(?<=[.?!])\s")


def first_sentence(text: str) -> str:
    """Return the first sentence of a page in Markdown, without its markup; empty if it has none."""
    for paragraph in _COMMENT.sub("", text).split("\n\n"):
        words = " ".join(paragraph.split())
        if words and not words.startswith(_NOT_PROSE):
            return _SENTENCE.split(_LINK.sub(r"\1", words).translate({96: None, 42: None}))[0]
    return ""


def llms(menu: Sequence[Section], sources: Mapping[str, str], about: str) -> str:
    """Return ``llms.txt`` (https://llmstxt.org): every page as Markdown, with what it is about."""
    lines = ["# Rookery", "", f"> {about}", ""]
    lines.append("Every page of this site is here as Markdown. Links lead from this file's folder.")
    for section in menu:
        lines += ["", f"## {section.title or 'Start'}", ""]
        lines += _lines(section.pages, sources)
    lines += ["", "## Schemas", ""]
    names = (name for name in sources if name.endswith(".json"))
    lines += [f"- [{name.rpartition('/')[2]}]({name})" for name in names]
    return "\n".join(lines) + "\n"


def _lines(pages: Sequence[Page], sources: Mapping[str, str]) -> Iterator[str]:
    for page in pages:
        file = f"{page.name}.md"
        said = first_sentence(sources[file])
        yield f"- [{page.title}]({file})" + (f": {said}" if said else "")
        yield from _lines(page.below, sources)
