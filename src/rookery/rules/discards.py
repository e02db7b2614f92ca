"""Whether the discard bans always leave a legal discard, whatever the declarer holds."""

from __future__ import annotations

from collections.abc import Iterator

from rookery.cards import COLOURS, ROOK, parse_card
from rookery.rules.errors import Problem
from rookery.rules.options import Options
from rookery.rules.values import ExactlyOrNone, UpTo


def discard_problems(rules: Options) -> Iterator[Problem]:
    """Yield what could leave a declarer without a legal discard under `rules`."""
    bans = rules.discard_ban
    if {"counters", "counters_unless_forced"} <= set(bans):
        yield Problem(
            "discard_ban", '"counters" and "counters_unless_forced" disagree; one of the two'
        )
    if not rules.nest_size:
        return
    if rules.nest_exchange != "all" and "counters_unless_forced" in bans:
        yield Problem(
            "discard_ban",
            '"counters_unless_forced" cannot be told where only part of the nest changes; '
            '"counters", or nest_exchange = "all"',
        )
    steps = rules.steps
    told = {"trump", "discard"} <= set(steps) and steps.index("trump") < steps.index("discard")
    if "trumps" in bans and not told:
        yield Problem(
            "discard_ban",
            '"trumps" cannot be told before trump is called; "trump" before "discard" in '
            "declaration_order",
        )
    banned = _most_banned(rules)
    # Holding every banned card, the declarer still needs a nest of others out of hand and nest.
    if banned > rules.hand_size:
        yield Problem(
            "discard_ban",
            f"{banned} cards may not be laid away, so a declarer may be left without a discard; "
            f"at most {rules.hand_size}",
        )
    elif rules.nest_exchange != "all":
        yield from _partial(rules, rules.nest_exchange, banned)


def _partial(rules: Options, exchange: UpTo | ExactlyOrNone, banned: int) -> Iterator[Problem]:
    if isinstance(exchange, UpTo):
        swapped, room = exchange.up_to, rules.hand_size
    else:
        swapped = exchange.exactly_or_none
        room = rules.hand_size - swapped + 1
        if swapped > min(rules.nest_size, rules.hand_size):
            yield Problem(
                "nest_exchange",
                f"{swapped} cards cannot be swapped with a nest of {rules.nest_size} and a hand of "
                f"{rules.hand_size}; at most {min(rules.nest_size, rules.hand_size)}",
            )
            return
    # Banned cards found in the nest have to come out, and others have to take their place.
    if min(banned, rules.nest_size) > swapped or (banned and banned > room):
        yield Problem(
            "discard_ban",
            f"the nest may hold more banned cards than a swap of {swapped} can take up; "
            f"at most {min(swapped, room)} banned cards",
        )


def _most_banned(rules: Options) -> int:
    deck = set(rules.deck)
    banned: set[int] = set()
    if "counters" in rules.discard_ban:
        banned |= set(rules.card_points)
    if "rook" in rules.discard_ban:
        banned |= {ROOK} & deck
    if "trumps" not in rules.discard_ban:
        return len(banned)
    suits = {"suits", "suits-low"} & set(rules.trump_calls)
    calls = (
        [{card for card in deck if card != ROOK and card % COLOURS == suit} for suit in range(4)]
        if suits
        else [set[int]()]
    )
    always = permanent_trumps(rules)
    return max(len(banned | trumps | always) for trumps in calls)


def permanent_trumps(rules: Options) -> set[int]:
    """Return the cards of the deck that are trumps whatever suit is called."""
    always = {ROOK}
    if rules.red_1 != "off":
        always.add(parse_card("R1"))
    if rules.red_2 != "off":
        always.add(parse_card("R2"))
    if rules.black_2 == "top_trump":
        always.add(parse_card("B2"))
    return always & set(rules.deck)
