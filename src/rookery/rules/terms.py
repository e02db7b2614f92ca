"""What a game calls its cards, in the words of its pack: colours and Rook, or suits and joker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rookery.cards import ROOK, SUIT_WORDS, Card, Pack, colour_of, rank_of

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FACES = {1: "ace", 11: "jack", 12: "queen", 13: "king"}


def number(count: int) -> str:
    """Return `count` as it is written in a sentence.

    >>> number(4), number(13)
    ('four', '13')
    """
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def counted(count: int, thing: str) -> str:
    """Return so many of a thing.

    >>> counted(1, "card"), counted(2, "card")
    ('one card', 'two cards')
    """
    return f"{number(count)} {thing}" + ("" if count == 1 else "s")


def listed(parts: Iterable[str], last: str = "and") -> str:
    """Return parts as a list in a sentence.

    >>> listed(["red", "green", "black"])
    'red, green and black'
    """
    found = list(parts)
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


def capital(text: str) -> str:
    """Return `text` with its first letter a capital."""
    return text[:1].upper() + text[1:]


class Terms:
    """The words of one pack."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.suits = SUIT_WORDS[pack]
        self.suit = "colour" if pack == "rook" else "suit"
        self.rook = "the Rook" if pack == "rook" else "the joker"
        self.one = "1" if pack == "rook" else "ace"

    def rank(self, rank: int) -> str:
        """Return the name of a rank: a number, or ace, jack, queen, king."""
        return _FACES.get(rank, str(rank)) if self.pack == "standard" else str(rank)

    def card(self, card: Card) -> str:
        """Return the name of a card, with its article."""
        if card == ROOK:
            return self.rook
        suit = self.suits[colour_of(card)]
        if self.pack == "rook":
            return f"the {suit} {rank_of(card)}"
        return f"the {self.rank(rank_of(card))} of {suit}"

    def ranks(self, ranks: Sequence[int]) -> str:
        """Return rising ranks in words.

        >>> Terms("rook").ranks([1, 5, 6, 7])
        '1 and 5 to 7'
        """
        return listed(self._run(run, "to") for run in _runs(ranks))

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
        return ", ".join(self._run(run, "up to" if falling else "down to") for run in _runs(order))

    def _run(self, run: Sequence[int], way: str) -> str:
        if len(run) == 1:
            return self.rank(run[0])
        joint = f" {way} " if len(run) > 2 else ", "
        return joint.join((self.rank(run[0]), self.rank(run[-1])))


def _runs(ranks: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and abs(rank - runs[-1][-1]) == 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    return runs
