"""What is best for a seat now, what else there is, and why: what a hint at the table says."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.cards import Seat
from rookery.engine.state import CALL, NEST
from rookery.game import Action, Hand
from rookery.review.document import Alternative, Explanation
from rookery.review.reasons import why
from rookery.search.choice import Choice

CARD_BY_CARD = (NEST, CALL)


def explain(
    hand: Hand, seat: Seat, choices: Sequence[Choice], action: Action | None = None
) -> Explanation:
    """Return what a searching bot would do in a seat, with the reason in words.

    Args:
        hand: the seat is to act in it; its closed cards are not looked at.
        seat: whose hint it is.
        choices: what `Searcher.weigh` found, the best first.
        action: what to do; the best of the choices, if not given. A discard and a call of partner
            cards have to be given: they are chosen card by card, so what else was weighed is no
            whole action. It is left out, as is what was never tried.

    Raises:
        ValueError: it is not that seat's turn, nothing was weighed, or the action is not said.

    >>> from rookery.engine.actions import BID, PASS
    >>> from rookery.rules import load
    >>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    >>> told = explain(hand, 1, [Choice(BID, 90, 4.25, 0.71), Choice(PASS, 90, -1.0, None)])
    >>> told.action, told.reason.text
    ('bid 70', 'You should make it about 71 times in 100.')
    """
    if hand.to_act != seat:
        raise ValueError(f"it is not seat {seat}'s turn; expected seat {hand.to_act}")
    if not choices:
        raise ValueError("nothing was weighed; expected at least one choice")
    grouped = hand.state.phase in CARD_BY_CARD
    if action is None and grouped:
        raise ValueError("a discard or a call is chosen card by card; expected the whole action")
    best = action or hand.action_of(choices[0].action)
    return Explanation(
        seat=seat,
        action=best.words,
        margin=round(choices[0].margin, 2),
        making=_chance(choices[0].making),
        alternatives=[]
        if grouped
        else [
            Alternative(
                action=hand.action_of(choice.action).words,
                margin=round(choice.margin, 2),
                error=round(choice.behind_error or 0.0, 2),
                making=_chance(choice.making),
            )
            for choice in choices
            if choice.tries
        ],
        reason=why(hand, best, choices),
    )


def _chance(making: float | None) -> float | None:
    return None if making is None else round(making, 4)
