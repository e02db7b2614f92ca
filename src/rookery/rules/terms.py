"""What a game calls its cards, in the words of its pack: colours and Rook, or suits and joker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rookery.cards import COLOURS, ROOK, Card, Pack, colour_of, rank_of
from rookery.rules.tongue import Language, tongue


def capital(text: str) -> str:
    """Return `text` with its first letter a capital."""
    return text[:1].upper() + text[1:]


class Terms:
    """The words of one pack in one language, and every sentence that is told with them."""

    def __init__(self, pack: Pack, lang: Language = "en") -> None:
        self.pack = pack
        self._tongue = tongue(lang)
        own = {word: self._tongue.say(f"pack.{pack}.{word}") for word in ("suit", "rook", "one")}
        self._own = {**own, "Rook": capital(own["rook"])}
        self.suits = [self._tongue.say(f"pack.{pack}.suits", suit) for suit in range(COLOURS)]
        self.rook = own["rook"]

    def say(self, key: str, case: object = None, **values: object) -> str:
        """Return the text of `key`, for `case` where it has cases; it may hold the pack's words.

        >>> Terms("standard").say("trump.rook.top")
        'The joker is always the highest trump.'
        """
        return self._tongue.say(key, case, **self._own, **values)

    def number(self, count: int) -> str:
        """Return `count` as it is written in a sentence.

        >>> Terms("rook").number(4), Terms("rook").number(13)
        ('four', '13')
        """
        key = f"number.{count}"
        return self.say(key) if key in self._tongue else str(count)

    def counted(self, count: int) -> str:
        """Return so many cards.

        >>> Terms("rook").counted(1), Terms("rook", "es").counted(2)
        ('one card', 'dos cartas')
        """
        return self.say("cards_counted", "one" if count == 1 else "other", n=self.number(count))

    def listed(self, parts: Iterable[str], last: str = "and") -> str:
        """Return parts as a list in a sentence, the last two joined by "and" or "or".

        >>> Terms("rook").listed(["red", "green", "black"])
        'red, green and black'
        """
        *rest, end = [*parts] or [""]
        head = self._tongue.texts["list.comma"].join(rest)
        return f"{head}{self._tongue.texts[f'list.{last}']}{end}" if rest else end

    def rank(self, rank: int) -> str:
        """Return the name of a rank: a number, or ace, jack, queen, king."""
        face = f"face.{rank}"
        return self.say(face) if self.pack == "standard" and face in self._tongue else str(rank)

    def the_rank(self, rank: int) -> str:
        """Return the name of a rank, with its article."""
        case = rank if self.pack == "standard" else None
        return self.say("the", case or "other", rank=self.rank(rank))

    def card(self, card: Card) -> str:
        """Return the name of a card, with its article.

        >>> Terms("rook").card(16), Terms("standard", "es").card(44)
        ('the red 5', 'la reina de picas')
        """
        if card == ROOK:
            return self.rook
        rank, colour = rank_of(card), self.suits[colour_of(card)]
        if self.pack == "rook":
            return self.say("card.rook", rank=rank, colour=colour)
        return self.say("card.standard", rank=self.the_rank(rank), colour=colour)

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
        return self._tongue.texts["list.comma"].join(self._run(run, way) for run in _runs(order))

    def _run(self, run: Sequence[int], way: str) -> str:
        if len(run) <= 2:
            return self._tongue.texts["list.comma"].join(map(self.rank, run))
        return self.say(f"run.{way}", first=self.rank(run[0]), last=self.rank(run[-1]))


def _runs(ranks: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and abs(rank - runs[-1][-1]) == 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    return runs
