"""A puzzle, and how it is written: one line of JSON, with the cards and actions as letters.

>>> from rookery.rules import load
>>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
>>> choices = (Worth(("pass",), 2.0, None), Worth(("bid 70",), -14.5, 0.31))
>>> puzzle = Puzzle.of(hand, choices, ("bid",), (50, 25, 0, 100, 100, 100))
>>> read_line(line_of(puzzle)) == puzzle, puzzle.seat, puzzle.right.actions
(True, 1, ('pass',))
"""

from __future__ import annotations

import json
import string
from base64 import b32encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import isfinite
from typing import Any, Final, NamedTuple

from rookery.cards import CARDS, Pack, Seat, card_name, parse_card
from rookery.game import Action, BadAction, BadDeal, Hand, IllegalAction, Verb
from rookery.puzzles.glicko import BOTS, Rating, first_rating
from rookery.record import written_rules
from rookery.rules import Rules, RulesError, UnknownRules, stored, variant

FORMAT: Final = "rookery-puzzles/1"
# A line has a digit for each theme: a new one goes to the end, and there are ten at most.
THEMES: Final = (
    *("draw-trumps", "feed", "save-ten", "bury", "void", "count-bird", "last-trick", "bid"),
    "discard",
)
LETTERS: Final = (string.ascii_letters + string.digits)[:CARDS]  # of the cards, from number 0 on
ID_BYTES: Final = 5


class BadPuzzle(ValueError):
    """A line that holds no puzzle, or one that its rules do not allow. Code: ``bad-puzzle``."""

    code = "bad-puzzle"


class Worth(NamedTuple):
    """A choice and what it is worth by what the seat could know.

    Attributes:
        actions: as a record writes them, without the seat: one action, and the equal ones.
        margin: by how much the seat's side can expect to outscore the others, points.
        making: the chance of the contract, 0 to 1, or None.
    """

    actions: tuple[str, ...]
    margin: float
    making: float | None


@dataclass(frozen=True)
class Puzzle:
    """A decision with one right answer.

    Attributes:
        rules_written: how a record names the rules: an id, or a base and changes.
        seat: whose decision it is: the declarer for a dummy's card.
        dealer: the seat that dealt.
        deal: every card that was dealt, a letter each: the hands from seat 0 on, then the nest.
        calls: what was done before the first card was played, without the seats.
        plays: the cards played, a letter each.
        choices: the choices, the right one first.
        themes: of `THEMES`.
        found: how many of 100 times each bot of `rookery.puzzles.difficulty` finds the answer.
    """

    rules_written: str | dict[str, Any]
    seat: Seat
    dealer: Seat
    deal: str
    calls: tuple[str, ...]
    plays: str
    choices: tuple[Worth, ...]
    themes: tuple[str, ...]
    found: tuple[int, ...]

    @classmethod
    def of(
        cls,
        hand: Hand,
        choices: Sequence[Worth],
        themes: Sequence[str],
        found: Sequence[int],
    ) -> Puzzle:
        """Return the puzzle of a position.

        Raises:
            BadPuzzle: somebody acted out of turn before it.
        """
        cards = [card for held in (*hand.dealt, hand.nest_dealt) for card in held]
        calls = [action for action in hand.actions if action.verb is not Verb.PLAY]
        plays = [action.card for action in hand.actions if action.verb is Verb.PLAY]
        puzzle = cls(
            written_rules(hand.rules),
            hand.to_act or 0,
            hand.dealer,
            "".join(LETTERS[card] for card in cards),
            tuple(action.words for action in calls),
            "".join(LETTERS[card] for card in plays),
            tuple(choices),
            tuple(themes),
            tuple(found),
        )
        if puzzle.hand.actions != hand.actions:
            raise BadPuzzle("somebody acted out of turn before this decision")
        return puzzle

    @cached_property
    def id(self) -> str:
        """The position's name, the same wherever it is made."""
        position = [self.rules_written, self.dealer, self.deal, self.calls, self.plays]
        text = json.dumps(position, sort_keys=True, separators=(",", ":"))
        return b32encode(blake2b(text.encode(), digest_size=ID_BYTES).digest()).decode().lower()

    @property
    def rules_name(self) -> str:
        """The id of the rules; of house rules their name."""
        written = self.rules_written
        return written if isinstance(written, str) else self.rules.name

    @cached_property
    def rules(self) -> Rules:
        """The rules it is played by."""
        written = self.rules_written
        return variant(written) if isinstance(written, str) else stored(written)

    @cached_property
    def hand(self) -> Hand:
        """The hand before the decision, all cards open.

        Raises:
            BadPuzzle: its rules do not allow it.
        """
        try:
            return self._played()
        except (BadAction, BadDeal, IllegalAction, RulesError, UnknownRules) as error:
            raise BadPuzzle(f"puzzle {self.id}: {error}") from None

    def _played(self) -> Hand:
        rules = self.rules
        names = named(self.deal, rules.pack)
        size, hands = rules.hand_size, rules.hands
        dealt = [names[at : at + size] for at in range(0, hands * size, size)]
        hand = Hand.deal(rules, self.dealer, dealt, names[hands * size :])
        for words in (*self.calls, *(f"play {card}" for card in named(self.plays, rules.pack))):
            hand = hand.act(f"{0 if hand.turn is None else hand.turn} {words}")
        if hand.to_act != self.seat:
            raise BadPuzzle(f"puzzle {self.id}: it is not seat {self.seat}'s turn")
        return hand

    @property
    def right(self) -> Worth:
        """The right choice."""
        return self.choices[0]

    @property
    def part(self) -> str:
        """The part of a hand: ``auction nest play``."""
        verb = self.right.actions[0].partition(" ")[0]
        return {"discard": "nest", "play": "play"}.get(verb, "auction")

    @cached_property
    def rating(self) -> Rating:
        """How hard it is, before anybody has tried it."""
        return first_rating(self.found)

    def action_of(self, words: str) -> Action:
        """Return the action that a choice's words mean for the place on turn."""
        return self.hand.parse(f"{self.hand.turn} {words}")


def named(letters: str, pack: Pack) -> list[str]:
    """Return the names of the cards that letters stand for.

    Raises:
        BadPuzzle: one of them stands for none.
    """
    try:
        return [card_name(LETTERS.index(letter), pack) for letter in letters]
    except ValueError:
        raise BadPuzzle(f"{letters!r} has a letter of no card") from None


def line_of(puzzle: Puzzle) -> str:
    """Return a puzzle as a line, without its end."""
    pack = puzzle.rules.pack
    fields = [
        puzzle.rules_written,
        puzzle.seat,
        puzzle.dealer,
        puzzle.deal,
        ";".join(_short(words, pack) for words in puzzle.calls),
        puzzle.plays,
        ";".join(_worth_text(worth, pack) for worth in puzzle.choices),
        "".join(str(THEMES.index(theme)) for theme in puzzle.themes),
        list(puzzle.found),
    ]
    return json.dumps(fields, separators=(",", ":"))


def read_line(line: str) -> Puzzle:
    """Return the puzzle that a line holds; its hand is not played yet.

    Raises:
        BadPuzzle: it holds none.
    """
    try:
        rules, seat, dealer, deal, calls, plays, choices, themes, found = json.loads(line)
        known = variant(rules) if isinstance(rules, str) else stored(rules)
        if len(found) != len(BOTS) or not all(0 <= int(share) <= 100 for share in found):
            raise ValueError(f"expected {len(BOTS)} shares of 100")
        return Puzzle(
            rules,
            int(seat),
            int(dealer),
            str(deal),
            tuple(_long(part, known.pack) for part in calls.split(";") if part),
            str(plays),
            tuple(_worth(part, known.pack) for part in choices.split(";")),
            tuple(THEMES[int(at)] for at in themes),
            tuple(int(share) for share in found),
        )
    except (
        AttributeError,
        LookupError,
        OverflowError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise BadPuzzle(f"no puzzle: {' '.join(str(error).split())[:120]}") from None


def _short(words: str, pack: Pack) -> str:
    """Return an action without its seat, in which cards are letters: ``discard R5`` is ``-q``."""
    verb, _, rest = words.partition(" ")
    if verb not in _OF_CARDS:
        return words
    return _OF_CARDS[verb] + "".join(LETTERS[parse_card(name, pack)] for name in rest.split())


def _long(text: str, pack: Pack) -> str:
    verb = _VERBS.get(text[:1])
    if verb is None:
        return text
    return " ".join((verb, *named(text[1:], pack)))


_OF_CARDS: Final = {"discard": "-", "give": ">", "call": "+", "play": "*"}
_VERBS: Final = {sign: verb for verb, sign in _OF_CARDS.items()}


def _worth_text(worth: Worth, pack: Pack) -> str:
    actions = ",".join(_short(words, pack) for words in worth.actions)
    making = "" if worth.making is None else f"|{round(1000 * worth.making)}"
    return f"{actions}|{worth.margin:.1f}{making}"


def _worth(text: str, pack: Pack) -> Worth:
    actions, margin, *making = text.split("|")
    words = tuple(_long(part, pack) for part in actions.split(","))
    if not isfinite(float(margin)):
        raise ValueError(f"{margin} points")
    return Worth(words, float(margin), int(making[0]) / 1000 if making else None)
