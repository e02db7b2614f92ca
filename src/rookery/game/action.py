"""Actions: what a seat does, as an object, as a text, and as the number that the engine uses.

>>> action = Action(3, Verb.TRUMP, call="yellow")
>>> str(action), action == Action.parse("3 trump yellow")
('3 trump yellow', True)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from operator import index
from typing import Any, Final, Literal, TypeAlias

from rookery.cards import CARDS, SUIT_WORDS, Card, Pack, Seat, UnknownCard, card_name, parse_card
from rookery.engine import actions, state
from rookery.game.errors import BadAction, shortened
from rookery.rules.table import RuleTable

Amount: TypeAlias = int | Literal["sun"]
Rank: TypeAlias = Literal["high", "low"]

RANKS: Final[tuple[Rank, ...]] = ("high", "low")
SEATS: Final = 8  # the largest table
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_LONGEST: Final = 400  # characters; the longest legal discard is far shorter


class Verb(StrEnum):
    """What a seat can do: the word after the seat in a written action.

    Attributes:
        takes: the field of an `Action` that this verb needs; empty where it needs none.
        public: whether everybody sees the whole action. Cards that go face down are the business
            of the seat alone; the others learn only that it acted.
        phase: the engine's number of the phase that it belongs to; -1 for a redeal, which each
            rule set allows at other times.
    """

    takes: str
    public: bool
    phase: int

    def __new__(cls, word: str, takes: str = "", public: bool = False, phase: int = -1) -> Verb:
        """Return the verb of a word."""
        verb = str.__new__(cls, word)
        verb._value_ = word
        verb.takes, verb.public, verb.phase = takes, public, phase
        return verb

    BID = "bid", "amount", True, state.AUCTION
    PASS = "pass", "", True, state.AUCTION
    REDEAL = "redeal", "", True, -1
    DISCARD = "discard", "cards", False, state.NEST
    TRUMP = "trump", "call", True, state.TRUMP_CALL
    ROOK = "rook", "rank", True, state.ROOK_RANK
    CALL = "call", "cards", True, state.CALL
    LEADER = "leader", "target", True, state.LEADER
    GIVE = "give", "cards", False, state.CIRCUS_PASS
    PLAY = "play", "cards", True, state.PLAY
    CHALLENGE = "challenge", "target", True, state.PLAY

    @classmethod
    def of(cls, text: str) -> Verb:
        """Return the verb of an action that is written correctly, ``1 bid 75``.

        >>> Verb.of("1 discard R5 R6").public
        False
        """
        return cls(text.split(maxsplit=2)[1])


def _below(end: int, *numbers: int) -> bool:
    """Return whether all are whole numbers, of whatever library, from 0 to one less than `end`."""
    try:
        for number in numbers:  # a generator takes longer, and actions are many
            if not 0 <= index(number) < end:
                return False
    except TypeError:
        return False
    return True


_ONE_CARD: Final = (Verb.GIVE, Verb.PLAY)  # the other verbs of cards name one or several


@dataclass(frozen=True, repr=False)
class Action:
    """One action, well written; whether the rules allow it is for `Hand.legal` to say.

    ``str(action)`` is the text that a record holds, such as ``0 play R14``.

    Attributes:
        seat: who acts; for a card played, the seat that it comes from.
        verb: what the seat does.
        cards: the cards that the action names, in the order written.
        amount: of a bid: points, or ``"sun"``.
        call: of a trump call: its word, such as ``"green-low"``.
        rank: of the Rook: ``"high"`` or ``"low"``.
        target: the seat that is to lead, or that is challenged.
        pack: the pack whose names the text uses.
    """

    seat: Seat
    verb: Verb
    cards: tuple[Card, ...] = ()
    amount: Amount | None = None
    call: str | None = None
    rank: Rank | None = None
    target: Seat | None = None
    pack: Pack = field(default="rook", compare=False)

    def __post_init__(self) -> None:
        """Refuse fields that do not fit the verb, and numbers that are no seat or card.

        Raises:
            BadAction: the action makes no sense; codes ``bad-action`` and ``unknown-card``.
        """
        if not isinstance(self.verb, Verb):
            raise BadAction("bad-action", f"{shortened(self.verb)} is no Verb, as Verb.PLAY is one")
        fields = {name: getattr(self, name) for name in ("amount", "call", "rank", "target")}
        given = [name for name, value in fields.items() if value is not None]
        if self.cards or self.verb is Verb.CALL:  # without cards: no further partner card
            given.append("cards")
        if given != [self.verb.takes] * bool(self.verb.takes):
            needed = self.verb.takes or "nothing more"
            raise BadAction("bad-action", f'"{self.verb}" needs {needed}, not {given}')
        if not isinstance(self.cards, tuple | list):
            raise BadAction("bad-action", f"cards {shortened(self.cards)}: expected a tuple")
        if self.verb in _ONE_CARD and len(self.cards) != 1:
            raise BadAction("bad-action", f'"{self.verb}" names one card, not {len(self.cards)}')
        if not _below(SEATS, self.seat, self.target or 0):
            raise BadAction("bad-action", f"there is no such seat; expected 0 to {SEATS - 1}")
        if not _below(CARDS, *self.cards):
            raise BadAction("unknown-card", f"a card is a number from 0 to {CARDS - 1}")
        if self.call is not None and self.call not in call_words(self.pack):
            raise BadAction("bad-action", f"{shortened(self.call)} is not a call of this pack")
        if self.rank is not None and self.rank not in RANKS:
            raise BadAction("bad-action", f"{shortened(self.rank)} is not a rank of the Rook")
        if self.amount not in (None, "sun") and not isinstance(self.amount, int):
            raise BadAction("bad-action", f"{shortened(self.amount)} is not a number of points")

    @classmethod
    def parse(cls, text: str, pack: Pack = "rook", seats: int = SEATS) -> Action:
        """Return the action that `text` writes down; either letter case will do.

        Raises:
            BadAction: it writes down none; codes ``bad-action`` and ``unknown-card``.

        >>> Action.parse("2 play g5").cards
        (17,)
        """
        return _parsed(text, pack, seats)

    @property
    def card(self) -> Card:
        """The first card that the action names: the only one of a play."""
        return self.cards[0]

    @property
    def argument(self) -> str:
        """What follows the verb: cards by name, an amount, a call; empty where nothing does."""
        values = (self.amount, self.call, self.rank, self.target)
        given = (str(value) for value in values if value is not None)
        return " ".join((*(card_name(card, self.pack) for card in self.cards), *given))

    @cached_property
    def words(self) -> str:
        """The action as it is written, without its seat: ``bid 75``."""
        return f"{self.verb} {self.argument}".rstrip()

    @cached_property
    def _text(self) -> str:
        return f"{self.seat} {self.words}"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Action {self}>"


@lru_cache(maxsize=2)
def call_words(pack: Pack) -> tuple[str, ...]:
    """Return the words of the eleven trump calls, in the order of their numbers.

    >>> call_words("rook")[4], call_words("standard")[0]
    ('red-low', 'spades')
    """
    suits = SUIT_WORDS[pack]
    return (*suits, *(f"{suit}-low" for suit in suits), "notrump", "notrump-low", "circus")


def call_number(action: Action) -> int:
    """Return the number of a trump call, 0 to 10.

    >>> call_number(Action(0, Verb.TRUMP, call="red-low"))
    4
    """
    return call_words(action.pack).index(action.call or "")


# Texts.


def action_for(action: Action | str, pack: Pack, seats: int) -> Action:
    """Return an action, or the one that a text writes down, for a table of this pack and size.

    Raises:
        BadAction: it makes no sense there; codes ``bad-action`` and ``unknown-card``.
    """
    if isinstance(action, str):
        # Several cards go together in a discard, and the same ones hardly ever come again.
        return (_parsed if action.count(" ") <= 2 else _read)(action, pack, seats)
    if not isinstance(action, Action):
        raise _bad(action, 'expected an Action, or a text such as "1 play G5"')
    if action.seat >= seats or (action.target or 0) >= seats:
        raise _bad(str(action), f"expected seats from 0 to {seats - 1}")
    return action if action.pack == pack else replace(action, pack=pack)


def _read(text: str, pack: Pack, seats: int) -> Action:
    words = text.split() if len(text) <= _LONGEST else []
    if len(words) < 2:
        raise _bad(text, 'expected "SEAT VERB ...", such as "1 play G5"')
    seat = _seat(words[0], text, seats)
    try:
        verb = Verb(words[1].lower())
    except ValueError:
        raise _bad(
            text, f"{shortened(words[1])} is not a verb; expected one of {' '.join(Verb)}"
        ) from None
    fields = {verb.takes: _argument(text, verb, words[2:], pack, seats)} if verb.takes else {}
    if words[2:] and not verb.takes:
        raise _bad(text, f'nothing comes after "{verb}"')
    return Action(seat, verb, **fields, pack=pack)


_parsed = lru_cache(maxsize=1024)(_read)


def _bad(text: object, expected: str) -> BadAction:
    return BadAction("bad-action", f"{shortened(text)} is not an action: {expected}")


def _seat(word: str, text: str, seats: int) -> Seat:
    if not _NUMBER.fullmatch(word) or int(word) >= seats:
        raise _bad(text, f"{shortened(word)} is not a seat; expected 0 to {seats - 1}")
    return int(word)


def _argument(text: str, verb: Verb, rest: list[str], pack: Pack, seats: int) -> Any:  # noqa: ANN401
    """Return the value of the field that a verb takes, read from the words behind it."""
    word = rest[0].lower() if len(rest) == 1 else ""
    match verb.takes:
        case "cards":
            if not rest or (verb in _ONE_CARD and len(rest) > 1):
                expected = "one card" if verb in _ONE_CARD else "cards"
                raise _bad(text, f'expected {expected} after "{verb}"')
            try:
                return tuple(parse_card(name, pack) for name in rest)
            except UnknownCard as error:
                raise BadAction(error.code, str(error)) from None
        case "amount":
            if word == "sun" or _NUMBER.fullmatch(word):
                return word if word == "sun" else int(word)
            raise _bad(text, 'expected one number or "sun" after "bid"')
        case "call":
            if word in call_words(pack):
                return word
            raise _bad(text, f'expected one of {" ".join(call_words(pack))} after "trump"')
        case "rank":
            if word in RANKS:
                return word
            raise _bad(text, 'expected "high" or "low" after "rook"')
    if not word:
        raise _bad(text, f'expected one seat after "{verb}"')
    return _seat(rest[0], text, seats)


# The engine's numbers.

# What numbers mean at every table: the verb, and the value of the field that it takes.
_MEANINGS: Final[dict[int, tuple[Verb, Any]]] = {
    actions.PASS: (Verb.PASS, None),
    actions.SUN: (Verb.BID, "sun"),
    actions.REDEAL_DEMAND: (Verb.REDEAL, None),
    actions.ENOUGH: (Verb.CALL, None),
    **{actions.ROOK_HIGH + i: (Verb.ROOK, rank) for i, rank in enumerate(RANKS)},
    **{actions.LEADS + seat: (Verb.LEADER, seat) for seat in range(SEATS)},
    **{actions.CHALLENGE + seat: (Verb.CHALLENGE, seat) for seat in range(SEATS)},
}
_NUMBERS: Final = {meaning: number for number, meaning in _MEANINGS.items()}
_CARD_VERBS: Final = {verb.phase: verb for verb in Verb if verb.takes == "cards"}


def action_of(table: RuleTable, phase: int, seat: Seat, number: int, pack: Pack) -> Action:
    """Return what a number of the engine means in a phase.

    A whole discard or call is several numbers, and each gives an action with one card; the number
    that ends a call early gives a call without cards.
    """
    return _numbered(phase, seat, number, table.bid_minimum, table.bid_step, pack)


@lru_cache(maxsize=8192)
def _numbered(phase: int, seat: Seat, number: int, minimum: int, step: int, pack: Pack) -> Action:
    # A table asks for the same few actions over and over; what is kept also keeps its text.
    if number < actions.BID:
        return Action(seat, _CARD_VERBS[phase], (number,), pack=pack)
    if actions.TRUMP_CALLS <= number < actions.ROOK_HIGH:
        call = call_words(pack)[number - actions.TRUMP_CALLS]
        return Action(seat, Verb.TRUMP, call=call, pack=pack)
    verb, value = _MEANINGS.get(number, (Verb.BID, minimum + (number - actions.BID) * step))
    fields = {} if value is None else {verb.takes: value}
    return Action(seat, verb, **fields, pack=pack)


def number_of(table: RuleTable, action: Action) -> int:
    """Return the engine's number of an action of at most one card, -1 where no bid has it."""
    if action.cards:
        return action.card
    if action.verb is Verb.TRUMP:
        return actions.TRUMP_CALLS + call_number(action)
    if isinstance(action.amount, int):
        level, odd = divmod(action.amount - table.bid_minimum, table.bid_step)
        return -1 if odd or not 0 <= level < actions.BID_LEVELS else actions.BID + level
    value = next((v for v in (action.amount, action.rank, action.target) if v is not None), None)
    return _NUMBERS[action.verb, value]
