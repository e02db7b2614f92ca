"""What a hand scores and when the match is over, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from rookery.rules.model import Rules
from rookery.rules.terms import capital
from rookery.rules.values import Cap, SweepReplaces


def scoring(rules: Rules) -> Iterator[str]:
    """Yield what a hand is worth to whom, a sentence at a time."""
    yield from _tricks(rules)
    if rules.trick_bonus != "none":
        yield f"With the counters that makes {rules.total_points} points in a hand."
    yield "The declarer's side makes its contract when it takes at least the points it bid, and"
    yield "then scores what it took;"
    cost = "twice the bid" if rules.set_penalty == "double" else "the bid"
    yield f"otherwise it is set and loses {cost}."
    if not rules.partner_shares_set:
        yield "A called partner loses nothing."
    if rules.defenders_score:
        yield "The others score what they took either way."
    else:
        yield "The others score what they took only when the contract is set."
    if rules.totals == "player" and rules.partnership != "alone":
        yield "Partners each score what their side does."
    yield from _sweep(rules)


def _tricks(rules: Rules) -> Iterator[str]:
    value = rules.trick_bonus_value
    if rules.trick_bonus == "majority":
        yield f"Taking the most tricks is worth {value} points;"
        if rules.tied_majority == "split":
            yield "sides that are even share them."
        else:
            yield "sides that are even get nothing."
    elif rules.trick_bonus == "last_trick":
        yield f"The last trick is worth {value} points."
    elif rules.trick_bonus == "first_to_six":
        yield f"The first side to take six tricks gets {value} points."
    elif rules.trick_bonus == "per_trick":
        yield f"Every trick is worth {value} points."


def _sweep(rules: Rules) -> Iterator[str]:
    value = rules.sweep_value
    if value == "none":
        return
    who = {
        "all_tricks": "the declarer's side that wins every trick",
        "all_points": "the declarer's side that takes every point",
        "either_side_all_points": "a side that takes every point, whichever it is,",
    }[rules.sweep_test]
    if isinstance(value, SweepReplaces):
        yield f"{capital(who)} scores {value.replace} points instead."
    else:
        yield f"{capital(who)} scores {value.add} points more."


def end(rules: Rules) -> Iterator[str]:
    """Yield when the match is over and who has won it."""
    yield f"The match ends with the hand in which a total reaches {rules.target} points; the"
    yield "highest total wins."
    yield {
        "another_hand": "If the highest totals are equal, another hand is played.",
        "shared": "If the highest totals are equal, the win is shared.",
        "declarer": "If the highest totals are equal, the last declarer's side wins.",
    }[rules.tie]
    own = rules.own_contract_to_go_out
    if own == "yes":
        yield "Only a side that makes a contract of its own can go out with it."
    elif isinstance(own, Cap):
        yield f"Only a side that makes a contract of its own can go out; others stop at {own.cap}."
    if rules.negative_end == "none":
        yield "Totals may fall below zero."
    else:
        yield f"A total of {rules.negative_end} or less ends the match too."
    if rules.rotation == "deal_left_partners_redrawn":
        yield "New partners are drawn for the next match."
