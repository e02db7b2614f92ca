"""A game record of a hand that stands in rows, for `rookery replay` and anybody's table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import polars as pl

from rookery.record import HandRecord, Record, written_rules
from rookery.rules import Rules

AT_ONCE = ("discard", "call")  # verbs that a record writes with all their cards


def record_of(hands: pl.DataFrame, decisions: pl.DataFrame, rules: Rules) -> Record:
    """Return a record of hands of one rule set, in the order of `hands`.

    Args:
        hands: rows of ``hands.parquet``.
        decisions: rows of ``decisions.parquet``, those of these hands among them.
        rules: the rules that they were played by.
    """
    bots = [*hands["bots"][0]] if len(hands) == 1 else None
    steps = decisions.join(hands.select("hand"), on="hand").sort("hand", "step")
    done = {
        key: [(row["place"], row["action"]) for row in of_hand.to_dicts()]
        for (key,), of_hand in steps.group_by("hand")
    }
    return Record(
        rules,
        written_rules(rules),
        bots,
        [
            HandRecord(
                dealer=row["dealer"],
                deal=row["deal"],
                nest=row["nest"],
                actions=list(_actions(done.get(row["hand"], []))),
            )
            for row in hands.to_dicts()
        ],
    )


def _actions(steps: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Yield actions as a record writes them: cards that go together in one."""
    for (place, verb), group in groupby(steps, key=lambda step: (step[0], step[1].split()[0])):
        acts = [action for _, action in group]
        if verb in AT_ONCE:
            yield " ".join((str(place), verb, *(word for act in acts for word in act.split()[1:])))
        else:
            yield from (f"{place} {act}" for act in acts)
