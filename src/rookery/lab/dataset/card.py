"""The datasheet of a data set: its ``README.md``, with the head that Hugging Face reads."""

from __future__ import annotations

from typing import Any

import polars as pl

from rookery.game.errors import counted
from rookery.lab.dataset.read import Facts
from rookery.lab.rows.schema import TABLES, Table

_TYPES = {"Int64": "whole number", "String": "text", "Boolean": "yes or no"}


def card(facts: Facts) -> str:
    """Return the datasheet of a data set, in Markdown."""
    habits = HABITS if any(name.startswith("expert") for name in facts.bots) else ""
    limits, use = LIMITS.format(habits=habits), USE.format(bot=facts.bots[0])
    parts = [_head(facts), _what(facts), _how(facts), *_fields(facts), limits, use]
    return "\n\n".join(parts) + "\n"


def _head(facts: Facts) -> str:
    configs = "\n".join(
        f"- config_name: {name}\n  data_files: data/{name}-*.parquet"
        + ("\n  default: true" if name == "hands" else "")
        for name in TABLES
    )
    size = next(
        words
        for most, words in (
            (1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"),
            (1_000_000, "100K<n<1M"), (10_000_000, "1M<n<10M"), (10**18, "10M<n<100M"),
        )
        if facts.rows["hands"] < most
    )  # fmt: skip
    return (
        "---\n"
        f"pretty_name: Rook, played by bots ({facts.rules})\n"
        "license: mit\n"
        "task_categories:\n- reinforcement-learning\n"
        "tags:\n- card-game\n- imperfect-information\n- rook\n"
        f"size_categories:\n- {size}\n"
        f"configs:\n{configs}\n"
        "---"
    )


def _what(facts: Facts) -> str:
    hands, tricks, decisions = (facts.rows[name] for name in ("hands", "tricks", "decisions"))
    return (
        f"# Data set: {' and '.join(facts.bots)} at `{facts.rules}`\n\n"
        f"{counted(facts.deals, 'deal')} of the card game Rook, each played from all sides of the "
        f"table: {hands:,} hands with {decisions:,} decisions (bids, discards, trump calls, cards) "
        f"and {tricks:,} tricks, and how each came out. It is made for learning to bid and to play "
        "with hidden cards and a partner, and for testing what learns."
    )


def _how(facts: Facts) -> str:
    bots = ",".join(facts.bots)
    ends = facts.points_a_board_ci95
    sure = "" if ends is None else f" (95 % interval {ends[0]:+.2f} to {ends[1]:+.2f})"
    shares = ", ".join(
        f"`{name}` {100 * share:.1f} %" for name, share in facts.made.items() if share is not None
    )
    outside = any(name.startswith("exec:") for name in facts.bots)
    whose = "bots, outside programs among them" if outside else "its own bots"
    side = "behind" if facts.points_a_board < 0 else "ahead"
    return (
        "## Who made it, and how\n\n"
        f"Rookery {facts.version}, by {whose}; no person played, and nothing in it is of "
        "anybody. With this version, the command makes the same rows again:\n\n"
        "```sh\n"
        f'rookery study dataset --rules {facts.rules} --bots "{bots}" --boards {facts.deals} '
        f"--seed {facts.seed} --out DIR\n"
        "```\n\n"
        f"`{facts.bots[0]}` was {side} by {abs(facts.points_a_board):.2f} points a board{sure}. "
        f"Contracts made: {shares or 'none'}. Hands without a score: {facts.unscored:,}. Every "
        "action was checked against the rules."
    )


def _fields(facts: Facts) -> list[str]:
    parts = [
        "## What is in it\n\n"
        "Three tables in Parquet, joined by `hand`. Seats are numbered clockwise from 0; on board "
        "`b`, seat `b` modulo the number of seats deals. Cards are written `R14` (the red 14), "
        "`RK` (the Rook), or `SA` in a standard pack."
    ]
    for one in TABLES.values():
        parts += [f"### `{one.name}`: {facts.rows[one.name]:,} rows", one.text, columns(one)]
    return parts


def columns(table: Table) -> str:
    """Return a Markdown table of a table's columns: type, unit and meaning of each."""
    lines = ["| Column | Type | Unit | Meaning |", "| --- | --- | --- | --- |"]
    for column in table.columns:
        meaning = column.text.replace("|", "\\|")
        kind = _type(column.kind)
        lines.append(f"| `{column.name}` | {kind} | {column.unit or '-'} | {meaning} |")
    return "\n".join(lines)


def _type(kind: Any) -> str:  # noqa: ANN401  (Polars' own type)
    """Return a column's type in words."""
    if isinstance(kind, pl.List):
        inner = _type(kind.inner)
        return f"list of {inner}s" if not inner.startswith("list") else f"list of lists{inner[4:]}"
    return _TYPES[str(kind)]


HABITS = """ `expert` searches with rollouts in
  which everybody plays by `club`'s script, so both bots share habits."""
LIMITS = """\
## Known limits

- The players are programs: how people bid and play is not in it.{habits}
- Every hand is a hand by itself. Nobody plays to the score of a match.
- All cards of a hand stand in `hands`, also those that a seat could not see. Whoever learns to play
  from it must show each decision no more than its seat saw; Rookery's loader does.
- The hands of one board share their cards. Keep boards together when you split the data; the board
  is the unit of an interval.
- The deals are from the family of seeds called *tuning*. The families *validation* and *holdout*,
  on which bots are compared, share no deal with it.
- The cards of a discard are decisions one after the other, in no particular order.
- A bot that searches against the clock plays as well as the machine is fast. The usual bots here
  have a fixed number of rollouts and no clock that counts.

## Licence

MIT, as Rookery itself."""

USE = """\
## Use it

```python
from datasets import load_dataset  # Hugging Face

hands = load_dataset("DIR", split="train")  # or "tricks", "decisions" as the second argument
```

```python
from rookery.lab.dataset.read import scan  # Polars

tables = scan("DIR")
made = tables["hands"].group_by("bid").agg("made").collect()
```

```python
from rookery.envs.dataset import torch_decisions  # PyTorch
from torch.utils.data import DataLoader

batches = DataLoader(torch_decisions("DIR", bots=["{bot}"]), batch_size=256)
# with num_workers=4, multiprocessing_context="spawn": four processes read
for batch in batches:  # observation, action_mask, action, seat, board, reward
    ...
```"""
