"""What a hand scores and when the match is over, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from rookery.rules.model import Rules
from rookery.rules.terms import Terms
from rookery.rules.values import Cap, SweepReplaces


def scoring(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield what a hand is worth to whom, a sentence at a time."""
    if rules.trick_bonus == "majority":
        yield terms.say(f"scoring.majority.{rules.tied_majority}", n=rules.trick_bonus_value)
    elif rules.trick_bonus != "none":
        yield terms.say(f"scoring.bonus.{rules.trick_bonus}", n=rules.trick_bonus_value)
    if rules.trick_bonus != "none":
        yield terms.say("scoring.total", n=rules.total_points)
    yield terms.say("scoring.made")
    yield terms.say(f"scoring.set.{rules.set_penalty}")
    if not rules.partner_shares_set:
        yield terms.say("scoring.partner_free")
    yield terms.say(f"scoring.defenders.{'always' if rules.defenders_score else 'when_set'}")
    if rules.totals == "player" and rules.partnership != "alone":
        yield terms.say("scoring.shared")
    value = rules.sweep_value
    if isinstance(value, SweepReplaces):
        yield terms.say(f"scoring.sweep.replace.{rules.sweep_test}", n=value.replace)
    elif value != "none":
        yield terms.say(f"scoring.sweep.add.{rules.sweep_test}", n=value.add)


def end(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield when the match is over and who has won it."""
    yield terms.say("end.target", n=rules.target)
    yield terms.say(f"end.tie.{rules.tie}")
    own = rules.own_contract_to_go_out
    if isinstance(own, Cap):
        yield terms.say("end.own.cap", n=own.cap)
    elif own == "yes":
        yield terms.say("end.own.yes")
    if rules.negative_end == "none":
        yield terms.say("end.below.none")
    else:
        yield terms.say("end.below.ends", n=rules.negative_end)
    if rules.rotation == "deal_left_partners_redrawn":
        yield terms.say("end.redrawn")
