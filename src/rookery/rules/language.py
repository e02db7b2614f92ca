"""The texts of a language, and how a game's cards are named in it.

A language is one file of the folder `lang/`: texts under keys, with places for values.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from rookery.cards import COLOURS, ROOK, Card, Pack, colour_of, rank_of

Language: TypeAlias = Literal["en", "es"]

FOLDER: Final = Path(__file__).parent / "lang"
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


class Phrase(NamedTuple):
    """A part of a sentence, to be put into words in any language: a key, and values for it."""

    key: str
    values: Mapping[str, object] = {}


class _Count(int):
    def __format__(self, forms: str) -> str:
        """Return the number, and what it counts where a text has forms for that: one|several."""
        one, _, several = forms.partition("|")
        return f"{self} {one if self == 1 else several}" if forms else str(self)


class Texts:
    """The texts of one language, by key.

    Attributes:
        texts: every text, with places for values in braces.
    """

    def __init__(self, texts: Mapping[str, Any]) -> None:
        self._contractions: Mapping[str, str] = texts.get("contractions", {})
        self.texts: Mapping[str, str] = dict(
            _flat({key: text for key, text in texts.items() if key != "contractions"})
        )

    def __contains__(self, key: str) -> bool:
        return key in self.texts

    def text(self, key: str, case: object = None, /, **values: object) -> str:
        """Return the text of `key` with its values, and where it has cases the one for `case`.

        A value may be a `Phrase`. A list of values becomes "a, b", a tuple "a or b". A text names
        what a number counts, for one and for several: ``{n:point|points}``.

        >>> texts("es").text("cards_counted", "one", n="una")
        'una carta'
        >>> texts("es").text("trump.step.rook", rook="el Rook")
        'decide el rango del Rook'
        """
        if case is not None:
            key = f"{key}.{case}" if f"{key}.{case}" in self else f"{key}.other"
        words = {
            name: _Count(value) if isinstance(value, int) else self._in_words(value)
            for name, value in values.items()
        }
        text = self.texts[key].format_map(words)
        for apart, together in self._contractions.items():
            text = re.sub(rf"\b{apart}\b", together, text)
        return text

    def listed(self, parts: Iterable[str], last: str = "and") -> str:
        """Return parts as a list in a sentence, the last two joined by "and" or "or".

        >>> texts("en").listed(["red", "green", "black"])
        'red, green and black'
        """
        *rest, end = [*parts] or [""]
        head = self.texts["list.comma"].join(rest)
        return f"{head}{self.texts[f'list.{last}']}{end}" if rest else end

    def _in_words(self, value: object) -> str:
        if isinstance(value, Phrase):
            return self.text(value.key, **value.values)
        if isinstance(value, tuple):
            return self.listed(map(self._in_words, value), "or")
        if isinstance(value, list):
            return self.texts["list.comma"].join(map(self._in_words, value))
        return str(value)


@cache
def texts(language: Language) -> Texts:
    """Return the texts of a language.

    Raises:
        ValueError: there is no such language.
    """
    if language not in LANGUAGES:
        known = " or ".join(f'"{name}"' for name in LANGUAGES)
        raise ValueError(f"no texts in {language!r}; expected {known}")
    with (FOLDER / f"{language}.toml").open("rb") as file:
        return Texts(tomllib.load(file))


def _flat(texts: Mapping[str, Any], head: str = "") -> Iterator[tuple[str, str]]:
    for key, text in texts.items():
        if isinstance(text, str):
            yield f"{head}{key}", text
        else:
            yield from _flat(text, f"{head}{key}.")


def capital(text: str) -> str:
    """Return `text` with its first letter a capital."""
    return text[:1].upper() + text[1:]


class Terms(Texts):
    """The texts of one language in the words of one pack: colours and Rook, or suits and joker.

    Attributes:
        suits: the four suits.
        rook: the Rook or the joker, with its article.
    """

    def __init__(self, pack: Pack, language: Language = "en") -> None:
        self.pack = pack
        self.language = language
        words = texts(language)
        self.texts, self._contractions = words.texts, words._contractions
        own = {word: words.text(f"pack.{pack}.{word}") for word in ("suit", "rook", "one")}
        self._own = {**own, "Rook": capital(own["rook"])}
        self.suits = [words.text(f"pack.{pack}.suits", suit) for suit in range(COLOURS)]
        self.rook = own["rook"]

    def text(self, key: str, case: object = None, /, **values: object) -> str:
        """Return the text of `key`, for `case` where it has cases; it may hold the pack's words.

        >>> Terms("standard").text("trump.rook.top")
        'The joker is always the highest trump.'
        """
        return super().text(key, case, **self._own, **values)

    def number(self, count: int) -> str:
        """Return `count` as it is written in a sentence.

        >>> Terms("rook").number(4), Terms("rook").number(13)
        ('four', '13')
        """
        key = f"number.{count}"
        return self.text(key) if key in self else str(count)

    def counted(self, count: int) -> str:
        """Return a number of cards.

        >>> Terms("rook").counted(1), Terms("rook", "es").counted(2)
        ('one card', 'dos cartas')
        """
        return self.text("cards_counted", "one" if count == 1 else "other", n=self.number(count))

    def rank(self, rank: int) -> str:
        """Return the name of a rank: a number, or ace, jack, queen, king."""
        face = f"face.{rank}"
        return self.text(face) if self.pack == "standard" and face in self else str(rank)

    def the_rank(self, rank: int) -> str:
        """Return the name of a rank, with its article."""
        case = rank if self.pack == "standard" else None
        return self.text("the", case or "other", rank=self.rank(rank))

    def card(self, card: Card) -> str:
        """Return the name of a card, with its article.

        >>> Terms("rook").card(16), Terms("standard", "es").card(44)
        ('the red 5', 'la reina de picas')
        """
        if card == ROOK:
            return self.rook
        rank, colour = rank_of(card), self.suits[colour_of(card)]
        if self.pack == "rook":
            return self.text("card.rook", rank=rank, colour=colour)
        return self.text("card.standard", rank=self.the_rank(rank), colour=colour)

    def ranks(self, ranks: Sequence[int]) -> str:
        """Return rising ranks in words.

        >>> Terms("rook").ranks([1, 5, 6, 7])
        '1 and 5 to 7'
        """
        return self.listed(self._run(run, "rising") for run in _runs(ranks))

    def best_first(self, ranks: Sequence[int], *, ones_high: bool, falling: bool = False) -> str:
        """Return the order of one suit, from its best card to its worst.

        >>> Terms("standard").best_first([1, 10, 11, 12, 13], ones_high=True)
        'ace, king down to 10'
        >>> Terms("rook").best_first([1, 2, 3, 14], ones_high=False)
        '14, 3 down to 1'
        """
        rest = sorted((rank for rank in ranks if rank != 1), reverse=not falling)
        ones = [1] if 1 in ranks else []
        order = ones + rest if ones_high != falling else rest + ones
        way = "up" if falling else "down"
        return self.texts["list.comma"].join(self._run(run, way) for run in _runs(order))

    def _run(self, run: Sequence[int], way: str) -> str:
        if len(run) <= 2:
            return self.texts["list.comma"].join(map(self.rank, run))
        return self.text(f"run.{way}", first=self.rank(run[0]), last=self.rank(run[-1]))


def _runs(ranks: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and abs(rank - runs[-1][-1]) == 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    return runs
