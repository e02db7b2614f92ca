"""Writes the choices of `expert` at fixed positions: the expected answers of an old version.

python -m tests.search.version_goldens FILE [OPTION=VALUE ...], with the code of that version.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.search.positions import scripted

from rookery.engine.rng import seeded
from rookery.game import Hand
from rookery.rules import load
from rookery.search.searcher import Searcher

NAMES = ("kd_tournament", "call_partner_5", "one_low_180", "wanamingo", "five_person_poker")
SLOW = "600000"  # ms: never out of time


def choices(options: Mapping[str, str]) -> Iterator[list[object]]:
    """Yield rules, place and all choices at positions of scripted hands, then two whole hands."""
    for name in NAMES:
        for at, hand in enumerate(scripted(Hand.shuffled(load(name), dealer=0, seed=4))):
            if at % 4 == 0 or hand.phase != "play":
                player = Searcher(
                    hand.rules, hand.to_act or 0, {"rollouts": "80", "ms": SLOW, **options}
                )
                player.begin(hand, 5)
                seen = [[c.action, c.rollouts, c.margin, c.making] for c in player.weigh(hand)]
                yield [name, at, seen]
    for name in NAMES[:2]:
        yield [name, "played", list(played(name, options))]


def played(name: str, options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the actions of a hand that four or more of them played."""
    hand = Hand.shuffled(load(name), dealer=1, seed=9)
    options = {"rollouts": "400", "ms": SLOW, **options}
    players = [Searcher(hand.rules, seat, options) for seat in range(hand.rules.seats)]
    for seat, player in enumerate(players):
        player.begin(hand, seeded(9, seat))
    while not hand.over:
        hand = hand.do(players[hand.to_act or 0].weigh(hand)[0].action)
    return tuple(map(str, hand.actions))


if __name__ == "__main__":
    options = dict(word.split("=", 1) for word in sys.argv[2:])
    lines = ",\n".join(json.dumps(one) for one in choices(options))
    Path(sys.argv[1]).write_text(f"[\n{lines}\n]\n", "utf-8")
