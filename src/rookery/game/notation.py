"""Actions as records write them: ``1 bid 75``, ``3 trump yellow``, ``0 play R14``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from rookery.cards import SUIT_WORDS, Card, Pack, Seat, UnknownCard, card_name, parse_card
from rookery.game.errors import BadAction, shortened

_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_LONGEST: Final = 400  # characters; the longest legal discard is far shorter


class Action(NamedTuple):
    """One action, read but not yet judged.

    Attributes:
        seat: who acts; for a card played, the seat it comes from.
        verb: the word after the seat.
        cards: the cards named, in the order written.
        value: a bid in points, a trump call (0 to 10), 1 for a Rook ranked low and 0 for high, or
            the seat that leads or is challenged; None for the Sun, and where nothing is to say.
    """

    seat: Seat
    verb: str
    cards: tuple[Card, ...] = ()
    value: int | None = None


def call_words(pack: Pack) -> tuple[str, ...]:
    """Return the words of the eleven trump calls, in the order of their numbers.

    >>> call_words("rook")[4], call_words("standard")[0]
    ('red-low', 'spades')
    """
    suits = SUIT_WORDS[pack]
    return (*suits, *(f"{suit}-low" for suit in suits), "notrump", "notrump-low", "circus")


def parse_action(text: str, pack: Pack, seats: int) -> Action:
    """Return the action that `text` writes down; either letter case will do.

    Raises:
        BadAction: it writes down none; codes ``bad-action`` and ``unknown-card``.

    >>> parse_action("2 play g5", "rook", 4)
    Action(seat=2, verb='play', cards=(17,), value=None)
    """
    words = text.split() if len(text) <= _LONGEST else []
    if len(words) < 2:
        raise _bad(text, 'expected "SEAT VERB ...", such as "1 play G5"')
    seat = _seat(words[0], text, seats)
    verb = words[1].lower()
    read = _READERS.get(verb)
    if read is None:
        raise _bad(text, f"{shortened(words[1])} is no verb; expected one of {' '.join(_READERS)}")
    return read(text, Action(seat, verb), words[2:], pack, seats)


def action_words(action: Action, pack: Pack) -> str:
    """Return an action as it is written, without its seat.

    >>> action_words(Action(2, "play", (17,)), "rook")
    'play G5'
    """
    words = [action.verb, *(card_name(card, pack) for card in action.cards)]
    if action.verb == "bid":
        words.append("sun" if action.value is None else str(action.value))
    elif action.verb == "trump" and action.value is not None:
        words.append(call_words(pack)[action.value])
    elif action.verb == "rook":
        words.append("low" if action.value else "high")
    elif action.value is not None:
        words.append(str(action.value))
    return " ".join(words)


def action_text(action: Action, pack: Pack) -> str:
    """Return an action as a record writes it.

    >>> action_text(Action(1, "bid", (), 75), "rook")
    '1 bid 75'
    """
    return f"{action.seat} {action_words(action, pack)}"


def _bad(text: str, expected: str) -> BadAction:
    return BadAction("bad-action", f"{shortened(text)} is no action: {expected}")


def _seat(word: str, text: str, seats: int) -> Seat:
    if not _NUMBER.fullmatch(word) or int(word) >= seats:
        raise _bad(text, f"{shortened(word)} is no seat; expected 0 to {seats - 1}")
    return int(word)


_Reader = Callable[[str, Action, list[str], Pack, int], Action]


def _read_plain(text: str, action: Action, rest: list[str], pack: Pack, seats: int) -> Action:
    if rest:
        raise _bad(text, f'nothing comes after "{action.verb}"')
    return action


def _read_bid(text: str, action: Action, rest: list[str], pack: Pack, seats: int) -> Action:
    if len(rest) == 1 and rest[0].lower() == "sun":
        return action
    if len(rest) != 1 or not _NUMBER.fullmatch(rest[0]):
        raise _bad(text, 'expected one number or "sun" after "bid"')
    return action._replace(value=int(rest[0]))


def _read_cards(text: str, action: Action, rest: list[str], pack: Pack, seats: int) -> Action:
    if not rest:
        raise _bad(text, f'expected cards after "{action.verb}"')
    try:
        return action._replace(cards=tuple(parse_card(word, pack) for word in rest))
    except UnknownCard as error:
        raise BadAction(error.code, str(error)) from None


def _read_card(text: str, action: Action, rest: list[str], pack: Pack, seats: int) -> Action:
    if len(rest) != 1:
        raise _bad(text, f'expected one card after "{action.verb}"')
    return _read_cards(text, action, rest, pack, seats)


def _read_trump(text: str, action: Action, rest: list[str], pack: Pack, seats: int) -> Action:
    calls = call_words(pack)
    if len(rest) != 1 or rest[0].lower() not in calls:
        raise _bad(text, f'expected one of {" ".join(calls)} after "trump"')
    return action._replace(value=calls.index(rest[0].lower()))


def _read_rook(text: str, action: Action, rest: list[str], pack: Pack, seats: int) -> Action:
    places = ("high", "low")
    if len(rest) != 1 or rest[0].lower() not in places:
        raise _bad(text, 'expected "high" or "low" after "rook"')
    return action._replace(value=places.index(rest[0].lower()))


def _read_seat(text: str, action: Action, rest: list[str], pack: Pack, seats: int) -> Action:
    if len(rest) != 1:
        raise _bad(text, f'expected one seat after "{action.verb}"')
    return action._replace(value=_seat(rest[0], text, seats))


_READERS: Final[dict[str, _Reader]] = {
    "bid": _read_bid,
    "pass": _read_plain,
    "redeal": _read_plain,
    "discard": _read_cards,
    "trump": _read_trump,
    "rook": _read_rook,
    "call": _read_cards,
    "leader": _read_seat,
    "give": _read_card,
    "play": _read_card,
    "challenge": _read_seat,
}
