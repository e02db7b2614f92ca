"""How the tricks are played, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from rookery.rules.model import Rules
from rookery.rules.terms import Terms
from rookery.rules.words_call import without_trump


def play(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield who leads, what must be played and what wins, a sentence at a time."""
    yield terms.say(f"play.lead.{rules.first_lead}")
    if rules.dummy == "partner":
        yield terms.say(f"play.dummy.{rules.dummy_exposed}")
    yield terms.say("play.follow")
    yield terms.say(f"play.void.{rules.void_duty}")
    yield terms.say(f"play.trump_lead.{rules.trump_lead}")
    yield terms.say("play.wins")
    if rules.rook_in_deck and rules.rook_any_time:
        yield terms.say("play.rook.any_time")
    elif rules.rook_in_deck:
        red = without_trump(rules) and rules.rook_at_no_trump == "red_10_5"
        yield terms.say("play.rook.follows_red" if red else "play.rook.follows")
    if rules.red_1 != "off":
        yield terms.say(f"play.red_1.{rules.red_1}")
    if rules.renege == "penalised":
        yield terms.say("play.renege")
