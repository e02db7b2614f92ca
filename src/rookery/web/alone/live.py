"""Where an example of the documentation can be tried on the site that it stands on."""

from __future__ import annotations

import base64
import json
import shlex
import tomllib
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote, urlencode

from rookery.record import FORMAT
from rookery.rules import catalog

_WORDS: Final = {
    "partner-trumps": "Ask for the partner's trumps",
    "split": "Ask how {suit} splits",
    "nest": "Ask what the nest holds",
}
_ASKED: Final = ("rules", "hand", "trump", "nest", "played", "declarer", "called")


def links_of(language: str, text: str) -> Iterator[tuple[str, str]]:
    r"""Yield the words and the address of each way to try an example.

    >>> list(links_of("sh", "rookery odds nest --hand 'R14 G5'\nrookery serve"))
    [('Ask what the nest holds', '?/odds?question=nest&hand=R14%20G5')]
    >>> list(links_of("toml", 'bots = ["club"]'))
    []
    """
    if language == "sh":
        for line in text.splitlines():
            yield from _command(line)
        return
    try:
        told = tomllib.loads(text) if language == "toml" else json.loads(text)
    except ValueError:
        return
    if not isinstance(told, dict):
        return
    if told.get("format") == FORMAT:
        yield "Replay this record", f"?/record#{packed(told)}"
    elif "base" in told:
        yield "Open these rules in the editor", f"?/rules/edit#{packed(told)}"


def packed(told: dict[str, Any]) -> str:
    """Return house rules or a record as a link carries them, after the #; see house_rules.js.

    >>> packed({"base": "kd_tournament"})
    'r=eyJiYXNlIjoia2RfdG91cm5hbWVudCJ9'
    """
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return "r=" + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _command(line: str) -> Iterator[tuple[str, str]]:
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return
    match words:
        case ["rookery", "rules", "show", variant] if variant in catalog():
            yield f"Rules of {variant}", f"?/rules/{variant}"
        case ["rookery", "odds", question, *rest] if question in _WORDS:
            asked = {"question": question}
            if question == "split":
                asked["suit"] = rest.pop(0) if rest else "trump"
            voids = []
            for option, value in zip(rest[::2], rest[1::2], strict=False):
                name = option.removeprefix("--")
                if name == "void":
                    voids.append(value)
                elif name in _ASKED:
                    asked[name] = value
                else:
                    return  # the page has no such option
            if voids:
                asked["voids"] = ", ".join(voids)
            yield _WORDS[question].format(**asked), f"?/odds?{urlencode(asked, quote_via=quote)}"
