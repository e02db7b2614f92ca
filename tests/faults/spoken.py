"""Cards that betray where they were told: in every hand each has a random word for its name.

Whoever names a card asks `cards.card_name`, and hands over the pack of the rules that the hand is
played by. Here every hand that is dealt at a table gets rules whose pack knows the hand, and a card
of it is called by 64 random bits that no other card of any hand has. So the whole application
speaks in such words: what it stores, sends, answers and writes into its log. It reads them, too,
and people and bots play with them as they do with names. Nothing in the product knows of this.

Two lists tell which *kinds* of cards there are and not where one lies: the trumps of a call, and
the cards that a partner may be called by. They go by other words, ``=G5``. That a list of trumps
hangs on the call alone is looked at here; that the other one tells nothing is for the swap law to
say, as is whatever is told of cards without a name, by a number or a length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

from rookery import cards, view
from rookery.cards import CARDS, Pack
from rookery.fairness.deal import Dealt
from rookery.game import Hand, Legal, action
from rookery.rules import Rules
from rookery.server.table import dealing
from rookery.server.table import projection as snapshot


class Marked(str):
    """A pack that knows which hand it is for: its cards have words of their own."""

    words: tuple[str, ...]


class Names(dict[str, Sequence[str]]):
    """The names of the cards of a pack; of one that is marked, its words."""

    def __getitem__(self, pack: str) -> Sequence[str]:
        return pack.words if isinstance(pack, Marked) else super().__getitem__(pack)


class Book:
    """Every word, and which card of which hand it stands for.

    Attributes:
        of: the hand of each word, as the table's code and the number of its deal.
        wrong: what was told of kinds of cards that hangs on more than the call.
        names: by what the cards go while the words are spoken.
    """

    def __init__(self, seed: int) -> None:
        """Begin with no hand; the words follow from `seed`."""
        self.of: dict[str, tuple[str, int]] = {}
        self.wrong: list[str] = []
        self.names = Names({str(pack): names for pack, names in cards.NAMES.items()})
        self.numbers = {pack: dict(known) for pack, known in cards._NUMBERS.items()}
        for pack, known in self.numbers.items():
            known |= {f"={cards.NAMES[pack][card]}": card for card in range(CARDS)}
        self._dice = Random(seed)
        self._packs: dict[tuple[str, int], Marked] = {}
        self._trumps: dict[tuple[int, str | None, bool], list[str]] = {}

    def dealt(self, rules: Rules, table: str, number: int) -> Rules:
        """Return rules for a deal of a table, whose cards have words of their own."""
        hand = (table, number)
        if hand not in self._packs:
            pack = Marked(rules.pack)
            pack.words = tuple(self._word() for _ in range(CARDS))
            self._packs[hand] = pack
            self.of |= dict.fromkeys(pack.words, hand)
            for numbers in self.numbers.values():
                numbers.update({word: card for card, word in enumerate(pack.words)})
        return rules.model_copy(update={"pack": self._packs[hand]})

    def _word(self) -> str:
        while (word := f"{self._dice.getrandbits(64):016X}").isdigit():
            pass  # what looks like a number is none
        return word

    def again(self, rules: Rules, word: str) -> Rules:
        """Return rules for the hand of which a word is known; as they are for a plain name."""
        hand = self.of.get(word)
        return rules if hand is None else rules.model_copy(update={"pack": self._packs[hand]})

    def kinds(self, words: Sequence[str], pack: Pack) -> list[str]:
        """Return what kinds of cards some words stand for."""
        plain = dict.__getitem__(self.names, str(pack))
        return [f"={plain[self.numbers[pack][word]]}" for word in words]

    def trumps(self, hand: Hand, words: Sequence[str]) -> list[str]:
        """Return the trumps of a call as kinds; that they hang on more than it is kept."""
        found = self.kinds(words, hand.rules.pack)
        key = (hash(hand.rules), hand.call, hand.rook_low)
        if self._trumps.setdefault(key, found) != found:
            self.wrong.append(f"the trumps of {hand.call} differ from hand to hand")
        return found


@contextmanager
def spoken(book: Book) -> Iterator[None]:
    """Have every hand that is dealt at a table speak in words of the book for a while."""
    deal, deal_cards = Hand.deal.__func__, dealing.deal_cards  # type: ignore[attr-defined]
    as_json, trumps_of = Legal.as_json, view.trumps_of

    def dealt(rules: Rules, table: str, number: int, key: bytes, shares: Sequence[str]) -> Dealt:
        return deal_cards(book.dealt(rules, table, number), table, number, key, shares)

    def laid_out(
        cls: type[Hand],
        rules: Rules,
        dealer: int,
        deal_: Sequence[Sequence[str]],
        nest: Sequence[str] = (),
    ) -> Any:  # noqa: ANN401
        return deal(cls, book.again(rules, deal_[0][0]), dealer, deal_, nest)

    def legal(self: Legal) -> Any:  # noqa: ANN401
        found = as_json(self)
        if isinstance(found, dict) and "call" in found:
            found["call"]["from"] = book.kinds(found["call"]["from"], self._pack)
        return found

    def trumps(hand: Hand) -> list[str]:
        return book.trumps(hand, trumps_of(hand))

    with ExitStack() as changed:
        for where, what, new in (
            (cards, "NAMES", book.names),
            (cards, "_NUMBERS", book.numbers),
            (dealing, "deal_cards", dealt),
            (Hand, "deal", classmethod(laid_out)),
            (Legal, "as_json", legal),
            # Marked packs compare equal: what comes from a cache would have another hand's words.
            (action, "_parsed", action._read),
            (action, "_numbered", action._numbered.__wrapped__),
            (view, "_sorted_names", view._sorted_names.__wrapped__),
            (snapshot, "trumps_of", trumps),
        ):
            changed.enter_context(patch.object(where, what, new))
        yield
