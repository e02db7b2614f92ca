"""A hint: what is best for a seat now, the alternatives, and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.cards import Seat
from rookery.engine.state import CALL, NEST
from rookery.game import Action, Hand
from rookery.review.document import Alternative, Explanation
from rookery.review.reasons import why
from rookery.search.choice import Choice

CARD_BY_CARD: Final = (NEST, CALL)


def explain(
    hand: Hand, seat: Seat, choices: Sequence[Choice], action: Action | None = None
) -> Explanation:
    """Return what a searching bot would do in a seat, with the reason in words.

    Args:
        hand: a hand in which the seat is to act; its hidden cards are not looked at.
        seat: the seat.
        choices: the result of `Searcher.weigh`, the best first.
        action: what to do; the best of the choices if None. A discard and a call of partner cards
            have to be given: they are chosen card by card, so the choices are no whole actions.
            These choices are left out, and so are those that were never tried.

    Raises:
        ValueError: it is not that seat's turn, there are no choices, or the action is missing.

    >>> from rookery.engine.actions import BID, PASS
    >>> from rookery.rules import load
    >>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    >>> hint = explain(hand, 1, [Choice(BID, 90, 4.25, 0.71), Choice(PASS, 90, -1.0, None)])
    >>> hint.action, hint.reason.text
    ('bid 70', 'You should make it about 71 times in 100.')
    """
    if hand.to_act != seat:
        raise ValueError(f"it is not seat {seat}'s turn; expected seat {hand.to_act}")
    if not choices:
        raise ValueError("there are no choices; expected at least one")
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
            if choice.rollouts
        ],
        reason=why(hand, best, choices),
    )


def _chance(making: float | None) -> float | None:
    return None if making is None else round(making, 4)
