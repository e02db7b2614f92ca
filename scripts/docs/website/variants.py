"""A page for each variant, made from its options: what it is, how it differs, where it is from.

The words are those of the program, as ``rookery rules show`` and the editor of house rules have
them; no rule is described here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from scripts.docs.reference import table
from scripts.docs.website.plain import MADE

from rookery.rules import (
    OPTIONS,
    Rules,
    catalog,
    describe,
    full_entry,
    load,
    rules_schema,
    sections,
    texts,
)

BASE: Final = "kd_tournament"
SCHEMA: Final = rules_schema()["properties"]


def names() -> list[tuple[str, str]]:
    """Return the page and the title of every variant, in the catalogue's order."""
    return [(f"reference/variants/{one}", describe(load(one)).name) for one in catalog()]


def page(variant: str) -> str:
    """Return the page of one variant, in Markdown."""
    rules, base = load(variant), load(BASE)
    own = describe(rules)
    heading = texts("en").text("title.reconstructed")
    parts = [f"# {own.name}", MADE, own.special or ""]
    if own.reconstructed:
        parts.append(f"**{heading}.** {own.reconstructed}")
    parts += [_figures(rules), "## How it is played"]
    parts += [f"**{title}.** {text}" for title, text in sections(rules).items()]
    parts += _differences(rules, base)
    parts += ["## Where the rules come from", f"{_sentence(own.origin)}"]
    if own.notes:
        parts.append(own.notes)
    parts += [
        "## Play it",
        f"```sh\nrookery rules show {variant}\nrookery play --rules {variant}\n```",
        "In the browser, choose it when you create a table. House rules that change it name it:",
        f'```toml\nname = "Ours"\nbase = "{variant}"\n```',
        f"All {len(OPTIONS)} options of this game [as JSON]({variant}.json), and in the\n"
        "[list of rule options](../rule-options.md). The other games are in the\n"
        "[list of variants](../variants.md).",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def document(variant: str) -> str:
    """Return a variant with all its options as JSON, as ``rookery rules show --json`` prints it."""
    return json.dumps(full_entry(load(variant)), indent=1, ensure_ascii=False) + "\n"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}."


def _figures(rules: Rules) -> str:
    entry = full_entry(rules)
    bids = f"{rules.bid_minimum} to {rules.bid_maximum}, in steps of {rules.bid_step}"
    rows = [
        ("Id", f"`{rules.id}`"),
        ("Players", str(rules.seats)),
        ("Cards", f"{rules.cards}: {', '.join(entry['cards'])}"),
        ("Dealt to each", str(rules.hand_size)),
        ("In the nest", str(rules.nest_size)),
        ("Points in a hand", str(rules.total_points)),
        ("Bids", bids),
        ("Points to win", str(rules.target)),
    ]
    return table(("At a glance", "In this game"), rows)


def _differences(rules: Rules, base: Rules) -> Iterator[str]:
    """Yield how the options differ from those of the game to begin with."""
    link = f"[{describe(base).name}]({BASE}.md)"
    yield "## Options"
    changed = rules.changes(base)
    if not changed:
        yield (
            "Every option is at its default: this is the game that house rules and the other\n"
            "variants are compared with."
        )
        return
    yield f"What differs from {link}. Everything else is the same."
    rows = (
        (
            SCHEMA[key]["words"]["name"],
            f"`{key}`",
            in_words(key, value),
            in_words(key, base.options()[key]),
            SCHEMA[key]["words"]["help"],
        )
        for key, value in changed.items()
    )
    yield table(("Option", "Key", "Here", "There", "What it means"), rows)


def in_words(option: str, value: Any) -> str:  # noqa: ANN401  (an option may be anything of JSON)
    """Return a value of an option as a reader understands it."""
    words: dict[str, str] = SCHEMA[option]["words"]["values"]
    if isinstance(value, bool):
        return words.get(json.dumps(value)) or ("yes" if value else "no")
    if isinstance(value, str):
        return words.get(value, value)
    if value is None:
        return words.get("null", "none")
    if isinstance(value, (list, tuple)):
        return ", ".join(in_words(option, one) for one in value) or "none"
    if isinstance(value, dict):
        pairs = (f"{words.get(key, key)}: {in_words(option, one)}" for key, one in value.items())
        return ", ".join(pairs) or "none"
    return str(value)
