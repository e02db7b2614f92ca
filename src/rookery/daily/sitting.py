"""One attempt at a deal: somebody in seat 0, and bots in all others.

Everything follows from the deal and from what was done so far, so nothing else has to be kept. What
bots have done stays, also where another version of the program would do something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel

from rookery.bots.birds import flock
from rookery.bots.player import KernelPlayer
from rookery.bots.seat_info import SeatInfo
from rookery.cards import by_suit
from rookery.engine.rng import seeded
from rookery.fairness.day import DayDeal
from rookery.game import Hand
from rookery.record import Record, of_hand, written_rules
from rookery.view import led_suit, open_view, seat_view, trumps_of

SEAT: Final = 0
BOT: Final = "club"


class Outcome(BaseModel):
    """What a deal came to, as the score sheet of a table has it.

    ``points`` is what seat 0 scores, ``took`` what the declarer's side took, and ``ours`` says
    whether seat 0 is on that side. Without a contract ``took``, ``ours`` and ``made`` are null.
    """

    bid: int | str | None = None
    call: str | None = None
    declarer: int | None = None
    made: bool | None = None
    took: int | None = None
    ours: bool | None = None
    points: int | None = None


@lru_cache(maxsize=256)
def dealt(deal: DayDeal) -> Hand:
    """Return the hand of a deal as it is dealt."""
    return deal.hand()


def begun(deal: DayDeal) -> Hand:
    """Return the hand when the person has to decide for the first time."""
    return _played_on(deal, dealt(deal))


def after(deal: DayDeal, actions: Sequence[str], act: str) -> Hand:
    """Return the hand after what the person does, and what the bots do until they decide again.

    Raises:
        IllegalAction: the rules do not allow it now; see there for the codes.
        BadAction: the text is no action of seat 0's.
    """
    return _played_on(deal, dealt(deal).act_all(actions).act(SEAT, act))


def moved(deal: DayDeal, hand: Hand) -> Hand:
    """Return the hand after the next action, a bot's: it follows from the position alone."""
    return KernelPlayer(BOT, deal.dice, hand.to_act or 0).move(hand)


def frames(deal: DayDeal, actions: Sequence[str], since: int) -> list[dict[str, Any]]:
    """Return what seat 0 saw after each action from number `since` on, ready for JSON.

    From 0 on, the deal before any action comes first. Once the hand is over each frame also has all
    cards, as those of a replay have.
    """
    hand, found = dealt(deal), []
    opened = hand.act_all(actions).over
    for number, text in enumerate(("", *actions)):
        hand = hand.act(text) if text else hand
        if number > since or (number, since) == (0, 0):
            found.append(_frame(hand, opened))
    return found


def seen(hand: Hand) -> dict[str, Any]:
    """Return what seat 0 sees of a hand, with what a table's snapshot says beside its view."""
    view = seat_view(open_view(hand), hand, SEAT).as_dict()
    return {**view, "trumps": trumps_of(hand), "led": led_suit(hand), "taken": hand.taken}


def names(deal: DayDeal, person: str) -> list[str]:
    """Return who sits in each seat: the person, and birds that nobody takes for them."""
    birds = flock(f"{deal.day} {deal.family}", deal.rules.seats - 1, [person])
    return [person, *birds]


@lru_cache(maxsize=4096)
def outcome_of(deal: DayDeal, actions: tuple[str, ...]) -> Outcome:
    """Return what an attempt that is over came to."""
    hand = dealt(deal).act_all(actions)
    declarer, points, sides = hand.declarer, hand.points, hand.sides
    if hand.score is None or points is None or sides is None:
        return Outcome(points=0)
    told = Outcome(bid=hand.bid, call=hand.call, declarer=declarer, made=hand.made)
    if declarer is not None:
        told.took, told.ours = points[0], SEAT in sides[0]
    told.points = hand.score[SEAT]
    return told


def thinker(deal: DayDeal) -> SeatInfo:
    """Return what a bot that searches in seat 0 begins with: dice that follow from the key."""
    return SeatInfo(rng=seeded(deal.dice, 0))


def record_of(deal: DayDeal, actions: Sequence[str], person: str, *, ended: bool) -> Record:
    """Return an attempt as a record, with its deal's proof: the key once the day has ended."""
    rules = deal.rules
    written = of_hand(dealt(deal).act_all(actions))
    written.extra = {"proof": deal.proof(ended=ended)}
    bots = [None, *[BOT] * (rules.seats - 1)]
    return Record(rules, written_rules(rules), names(deal, person), [written], {"bots": bots})


def _frame(hand: Hand, opened: bool) -> dict[str, Any]:
    last = hand.actions[-1] if hand.actions else None
    shown = last is not None and (last.verb.public or last.seat == SEAT or opened)
    face_down = f"{last.seat} {last.verb}" if last is not None else None
    frame: dict[str, Any] = {"action": str(last) if shown else face_down, "view": seen(hand)}
    if opened:
        hidden = hand.hidden
        frame["cards"] = [hand.names(by_suit(cards)) for cards in hidden.hand[: hand.rules.hands]]
        frame["nest"] = hand.names(by_suit(hidden.nest))
    return frame


def _played_on(deal: DayDeal, hand: Hand) -> Hand:
    while hand.to_act not in (None, SEAT):
        hand = moved(deal, hand)
    return hand
