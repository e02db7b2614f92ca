"""Game records of hands in rows, for `rookery replay`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

import polars as pl

from rookery.cards import Pack
from rookery.game import Action, Verb
from rookery.record import HandRecord, Record, written_rules
from rookery.rules import Rules

AT_ONCE = (Verb.DISCARD, Verb.CALL)  # verbs that a record writes with all their cards


def record_of(hands: pl.DataFrame, decisions: pl.DataFrame, rules: Rules) -> Record:
    """Return a record of hands of one rule set, in the order of `hands`.

    These are rows of ``hands.parquet``; `decisions`, theirs among them, of ``decisions.parquet``.
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
                actions=[str(a) for a in _actions(done.get(row["hand"], []), rules.pack)],
            )
            for row in hands.to_dicts()
        ],
    )


def _actions(steps: Sequence[tuple[int, str]], pack: Pack) -> Iterator[Action]:
    """Yield actions as a record writes them, with all the cards of an action together."""
    single = (  # a bare "call" says that no further card is called
        Action.parse(f"{place} {words}", pack) for place, words in steps if words != Verb.CALL
    )
    for (_, verb), group in groupby(single, key=attrgetter("seat", "verb")):
        actions = list(group)
        if verb in AT_ONCE:
            yield replace(actions[0], cards=tuple(action.card for action in actions))
        else:
            yield from actions
