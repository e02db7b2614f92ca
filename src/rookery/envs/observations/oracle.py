"""What no seat may know, as numbers: for critics while they learn, and for nothing that plays.

It is the only thing in these environments that is written from `Hidden`, and nobody is given it
who has not asked for ``oracle`` by name. It stands beside what a seat may know, not in its place.
This is version 0: what it means changes with the environments' version.

A row has the fields of `FIXED`, then those of `EACH` once for every place: first the seat that is
to act, then the others clockwise, and a blind hand last where there is one. A set of cards is 64
numbers, as in `rookery.envs.observations.compact`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.envs.observations.fields import Field, PlaceSets, places_in, words_in, writer
from rookery.rules.table import RuleTable

FIXED: Final = (
    Field("nest", 8, "h.nest", "the nest, and from the exchange on the discards"),
    Field("pickup", 8, "h.pickup", "the nest as the declarer found it"),
    Field(
        "next",
        8,
        "1 << h.blind[h.blind_at] if h.blind_at < table.hand_size else 0",
        "the card that the blind hand turns next",
        "table.blind",
    ),
)
EACH: Final = (
    Field("hand", 8, "h.hand[place]", "the cards that the place holds"),
    Field(
        "gift",
        8,
        "1 << h.gift[place] if h.gift[place] >= 0 else 0",
        "the card that the seat passes on in a circus",
    ),
    Field(
        "side",
        1,
        PlaceSets(("h.allies", "h.revoked")),
        "plays with the declarer, whether or not anybody knows; has revoked",
    ),
)
FIXED_WORDS: Final = words_in(FIXED)
EACH_WORDS: Final = words_in(EACH)


@kernel
def oracle_words(table: RuleTable) -> int:
    """Return how many words a row has by these rules; eight numbers each."""
    return FIXED_WORDS + (table.seats + table.blind) * EACH_WORDS


def oracle_places(table: RuleTable) -> dict[str, slice]:
    """Return where the numbers of each field stand; ``hand[1]`` is of the next seat clockwise."""
    return places_in(FIXED, EACH, table.seats + table.blind)


# ``(table, state, hidden, seat, row, at)``: writes `oracle_words` words.
write_oracle: Final[Callable[[RuleTable, State, Hidden, int, list[int], int], None]] = writer(
    "write_oracle(table, s, h, seat, row, at)",
    "Write what lies face down from ``row[at]`` on.",
    FIXED,
    EACH,
    globals(),
)
