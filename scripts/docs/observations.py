"""The page of what environments show, from the tables that their kernels are written from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rookery.engine import actions as numbers
from rookery.engine.actions import ACTIONS
from rookery.engine.state import PHASES
from rookery.envs.observations import compact, oracle
from rookery.envs.observations.fields import Field
from rookery.envs.observations.history import BLIND, PADDING, VOCABULARY, WHATS, WORDS
from rookery.envs.observations.parts import PARTS
from rookery.game.action import call_words
from rookery.rules import catalog, load
from rookery.rules.order import CIRCUS
from rookery.rules.table import compile_rules

EXAMPLE: Final = load("kd_tournament")
CALLS: Final = call_words(EXAMPLE.pack)[:CIRCUS]
HEAD: Final = """\
What an agent is shown by the environments of `rookery.envs`, number by number. How to ask for it:
[train an agent](../how-to/train-an-agent.md). Why it is so:
[environments](../design/environments.md).

An observation is a dictionary. `action_mask` is always in it. The other parts are those that
`observations=` names; by default `compact`."""
MASK: Final = """\
`action_mask`: `int8`, 218 numbers, 1 for each action that is legal now; all 0 where it is another
seat's turn or the hand is over. An action's number means the same by all rules. Seats in actions
are numbered as at the table, from 0. No number says which of them is one's own; where two play and
the declarer names who leads first, only the agent's name, OpenSpiel's `player`, an example's `seat`
or an evaluation's [`seat`](../how-to/evaluate-a-policy.md) tells it."""
COMPACT: Final = """\
Key `observation`. Written from what lies open and from the seat's own cards. A set of cards is 64
numbers, 1 for each card in it: number `4 * (rank - 1) + colour`, 56 for the Rook; 57 to 63 are
always 0. Points are in steps of 5, but what was said of the nest is not. Nothing exceeds 127.

First come these fields, once:"""
EACH: Final = """\
Then these for every place: first the seat itself, then the others clockwise, and a blind hand last.
`rookery.envs.observations.compact.places_of` says where each number stands by given rules."""
TOKENS: Final = """\
Key `history`. What the seat has been told since the deal, oldest first, then padding. One
vocabulary serves all rules: a token is `{whats} * who + what`, below {vocabulary}, and
{padding} is padding.

`who` is 0 for nobody, 1 for the seat itself, 2 for the next one clockwise and so on, {blind} for a
blind hand. `what` is one of these; a card's or an action's number is added to the first:"""
TOLD: Final = """\
The order is: who deals, the seat's own cards, what lies open of the nest; then each call, discard
and card as it is done. Of what others do in secret, a seat is told only that it was done. After a
redeal the row begins anew."""
ORACLE: Final = """\
Key `oracle`. **No seat may know this.** It is for critics while they learn; nothing that plays may
be given it. So you have to ask for it by name: `observations=["compact", "oracle"]`. It says what
lies face down, and comes in addition to what a seat may know.

First come these fields, once:"""
FACE_DOWN: Final = """\
Then these for every place, in the same order as above. Where each number stands,
`rookery.envs.observations.oracle.oracle_places` says."""
TOTALS: Final = """\
Key `totals`. The totals before this hand, in points: first of the seat itself, then of the others
clockwise. With `match=True` an episode is a whole match, and `totals` is always there."""
HELD: Final = """\
Tests hold that nothing hidden is in an observation. In every variant, the cards that a seat cannot
see are dealt again among the others, and nothing that it is shown may change. For the history the
whole hand is played again with the other cards, in a variant of each kind. The same tests find a
planted fault."""


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    names = list(head)
    lines = [names, ["---"] * len(names), *(list(row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _span(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first} to {first + count - 1}"


def _power(number: int) -> str:
    """Return a number as one reads it."""
    return {-(1 << 31): "-2^31", (1 << 31) - 1: "2^31 - 1"}.get(number, str(number))


def _fields(fields: Iterable[Field]) -> Iterator[tuple[str, str, str, str]]:
    at = 0
    for field in fields:
        yield f"`{field.name}`", _span(at, 8 * field.words), str(8 * field.words), field.about
        at += 8 * field.words


def _parts() -> Iterator[tuple[str, ...]]:
    for name, part in PARTS.items():
        sizes = [part.length(compile_rules(load(one))) for one in catalog()]
        yield (
            f"`{name}`",
            f"`{part.key}`",
            part.about,
            f"`{part.dtype}`, {_power(part.least)} to {_power(part.most)}",
            f"{part.length(compile_rules(EXAMPLE))} ({min(sizes)} to {max(sizes)})",
            str(part.version),
        )


def _actions() -> Iterator[tuple[str, str]]:
    said = {
        "BID": "bids the minimum plus that many steps",
        "SUN": "bids the Sun",
        "PASS": "passes",
        "REDEAL_DEMAND": "demands a redeal",
        "TRUMP_CALLS": f"calls {', '.join(CALLS)}; or a circus",
        "ROOK_HIGH": "ranks the Rook high",
        "ROOK_DOWN": "ranks the Rook low",
        "ENOUGH": "calls no further partner card",
        "LEADS": "names the seat that leads first",
        "CHALLENGE": "unused: environments know no challenges",
    }
    firsts = [getattr(numbers, name) for name in said]
    yield _span(0, firsts[0]), "plays, discards, calls or passes on the card, as the phase asks"
    for first, end, text in zip(firsts, [*firsts[1:], ACTIONS], said.values(), strict=True):
        yield _span(first, end - first), text


def page() -> str:
    """Return the page, without its heading."""
    phases = ", ".join(f"{number} {phase}" for number, phase in enumerate(PHASES))
    calls = ", ".join(f"{number} {call}" for number, call in enumerate(CALLS))
    head = ("Field", "Numbers", "How many", "Meaning")
    tokens = TOKENS.format(whats=WHATS, vocabulary=VOCABULARY, padding=PADDING, blind=BLIND)
    parts = [
        HEAD,
        table(
            ("Name", "Key", "What", "Type", "Numbers in `kd_tournament` (all variants)", "Version"),
            _parts(),
        ),
        "When the same numbers come to mean something else, the part's version goes up, and so\n"
        "does that of the environments (`-v0`).",
        "## Legal actions",
        MASK,
        table(("Number", "What it does"), _actions()),
        "## What a seat may know",
        COMPACT,
        table(head, _fields(compact.FIXED)),
        f"`phase` counts {phases}; `call` counts {calls}.",
        EACH,
        table(head, _fields(compact.EACH)),
        "## What a seat has been told",
        tokens,
        table(("`what`", "Meaning"), ((_span(first, many), about) for first, many, about in WORDS)),
        TOLD,
        "## What lies face down",
        ORACLE,
        table(head, _fields(oracle.FIXED)),
        FACE_DOWN,
        table(head, _fields(oracle.EACH)),
        "## Totals of a match",
        TOTALS,
        "## Nothing hidden",
        HELD,
    ]
    return "\n\n".join(parts)
