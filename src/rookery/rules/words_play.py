"""How the tricks are played, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from rookery.rules.model import Rules
from rookery.rules.terms import Terms, capital
from rookery.rules.words_call import without_trump


def play(rules: Rules) -> Iterator[str]:
    """Yield who leads, what must be played and what wins, a sentence at a time."""
    terms = Terms(rules.pack)
    yield {
        "left_of_dealer": "The player on the dealer's left leads to the first trick.",
        "declarer": "The declarer leads to the first trick.",
        "left_of_declarer": "The player on the declarer's left leads to the first trick.",
        "declarer_chooses": "The declarer leads to the first trick, or asks the player on the left "
        "to do it.",
        "caller": "Whoever made the trump call leads to the first trick.",
    }[rules.first_lead]
    if rules.dummy == "partner":
        when = "After" if rules.dummy_exposed == "after_lead" else "Before"
        yield f"{when} that lead the declarer's partner lays the hand open, and the declarer plays"
        yield "both hands."
    yield f"Players follow the {terms.suit} led if they can;"
    yield {
        "none": "otherwise they may play anything.",
        "must_trump": "otherwise they must play a trump, if they hold one.",
        "must_beat": "otherwise they must play a trump, if they hold one, and beat the best card "
        "so far, if they can.",
    }[rules.void_duty]
    if rules.trump_lead == "when_broken":
        yield "Trump may not be led before one has been played, unless there is nothing else."
    else:
        yield "Trump may be led at any time."
    yield f"The highest trump wins the trick, or else the best card of the {terms.suit} led; its"
    yield "winner leads to the next."
    yield from _special_cards(rules, terms)
    if rules.renege == "penalised":
        yield "Nothing stops a player from breaking these rules, but another may challenge it: a"
        yield "proven revoke ends the hand and costs that side the contract."


def _special_cards(rules: Rules, terms: Terms) -> Iterator[str]:
    if rules.rook_in_deck:
        rook = capital(terms.rook)
        if rules.rook_any_time:
            yield f"{rook} may be played at any turn where it is a trump, even by a player who"
            yield "could follow; led, it asks for trumps."
        else:
            red = without_trump(rules) and rules.rook_at_no_trump == "red_10_5"
            other = ", or without trump like any other red card" if red else ""
            yield f"{rook} follows suit like any other trump{other}."
    if rules.red_1 == "top_trump_any_time":
        yield "The red 1 may be played at any turn, even by a player who could follow."
    elif rules.red_1 == "top_trump":
        yield "The red 1 follows suit like any other trump."
