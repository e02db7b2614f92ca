"""The cards that a player has not seen, and the places where they can lie.

All layouts of the unseen cards in those places are equally likely. Bids and plays are not taken as
evidence, except that a player is known to lack a suit. Once the declarer has taken the nest up,
their hand and discards are one place, because they chose the division between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rookery.cards import SUIT_WORDS, Card, CardSet, UnknownCard, card_name, pack_cards, parse_card
from rookery.game.action import call_words
from rookery.game.errors import counted
from rookery.rules import Rules
from rookery.rules.order import CIRCUS, SUITS, TRUMP
from rookery.rules.table import REDEAL, RuleTable, compile_rules

NEST: Final = "the nest"
BLIND: Final = "the blind hand"


class OddsError(ValueError):
    """A question about the odds that cannot be asked. Code: ``bad-odds``."""

    code = "bad-odds"


@dataclass(frozen=True, slots=True)
class Place:
    """Where unseen cards lie.

    Attributes:
        name: whose it is, as seen from the player who asks: ``left``, ``partner``, ``the nest``.
        size: how many unseen cards lie there.
        closed: the cards that are known not to lie there.
        seat: how many seats to the left of the player who asks; None for the nest, a blind hand.
        known: cards that have been seen and are there for certain.
    """

    name: str
    size: int
    closed: CardSet = 0
    seat: int | None = None
    known: CardSet = 0


@dataclass(frozen=True, slots=True)
class Unseen:
    """The unseen cards and their places; the sizes of the places add up to the cards.

    Attributes:
        row: the row of the trump call in the tables, None where none was named.
        hand: the cards of the player who asks.
        cards: the cards that they have not seen.
        places: where they are: the other seats clockwise, a blind hand, the nest.
        counters_everywhere: whether each seat must have a counter, because other deals are thrown
            in.
    """

    table: RuleTable
    rules: Rules
    row: int | None
    hand: CardSet
    cards: CardSet
    places: tuple[Place, ...]
    counters_everywhere: bool = False

    def suit(self, word: str) -> CardSet:
        """Return all cards of a suit under the trump call: a suit's word, or ``trump``.

        Raises:
            OddsError: no such suit, or no trump call to tell it by.
        """
        words = SUIT_WORDS[self.rules.pack]
        row = self.trump_row
        name = word.lower()
        if name not in (*words, "trump"):
            raise OddsError(f"{word!r} is no suit; expected {', '.join(words)} or trump")
        colour = TRUMP if name == "trump" else words.index(name)
        # Asked for the colour that is trump, people mean the trumps.
        cards = self.table.mask[row * SUITS + colour]
        return cards or self.table.mask[row * SUITS + TRUMP]

    @property
    def trump_row(self) -> int:
        """Return the row of the trump call in the tables.

        Raises:
            OddsError: no trump call was named.
        """
        if self.row is None:
            raise OddsError("--trump: missing; expected the trump call, which says what a suit is")
        return self.row

    def place(self, name: str) -> int:
        """Return the number of a place by its name, a seat also as 1, 2, ... to the left.

        Raises:
            OddsError: there is no such place.
        """
        words = " ".join(name.lower().split())
        for i, place in enumerate(self.places):
            if words in (place.name, str(place.seat)):
                return i
        seats = [place.name for place in self.places if place.seat is not None]
        raise OddsError(f"{name!r} is nobody here; expected {', '.join(seats)}")

    def holding(self, place: int, card: Card) -> Unseen:
        """Return what is left unseen once `card` is known to lie in `place`."""
        old = self.places[place]
        places = list(self.places)
        places[place] = replace(old, size=old.size - 1)
        return replace(self, cards=self.cards & ~(1 << card), places=tuple(places))


def seat_names(table: RuleTable) -> list[str]:
    """Return the names of the other seats, clockwise from the left of the player who asks.

    >>> from rookery.rules import load
    >>> seat_names(compile_rules(load("kd_tournament")))
    ['left', 'partner', 'right']
    """
    names = [f"{seat} to the left" for seat in range(1, table.seats)]
    names[0] = "left"
    if len(names) > 1:
        names[-1] = "right"
    partners = [seat for seat in range(1, table.seats) if table.partners[0] >> seat & 1]
    if len(partners) == 1:
        names[partners[0] - 1] = "partner"
    return names


def parse_cards(text: str, rules: Rules, option: str) -> list[Card]:
    """Return the cards named in a text, separated by spaces or commas.

    Raises:
        OddsError: a word is no card of the game, or a card is named twice.
    """
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        try:
            card = parse_card(word, rules.pack)
        except UnknownCard as error:
            raise OddsError(f"{option}: {error}") from None
        if card not in rules.deck:
            raise OddsError(f"{option}: {card_name(card, rules.pack)} is not in this game's deck")
        if card in cards:
            raise OddsError(f"{option}: {card_name(card, rules.pack)} is named twice")
        cards.append(card)
    return cards


def look(
    rules: Rules,
    hand: Sequence[Card],
    *,
    trump: str | None = None,
    nest: Sequence[Card] = (),
    played: Sequence[Card] = (),
    declarer: str | None = None,
    voids: Iterable[str] = (),
) -> Unseen:
    """Return what the player with `hand` has not seen.

    Args:
        rules: the rules of the game.
        hand: the player's cards now, including the nest if they have just taken it up.
        trump: the trump call, such as ``green`` or ``notrump``.
        nest: cards known to lie in the nest: those face up, or what the player put away.
        played: all cards of the tricks that are over.
        declarer: who has taken the nest up, by the name of the place; None for nobody yet, or the
            player themselves.
        voids: who lacks which suit: ``partner red``.

    Raises:
        OddsError: the cards do not fit together; the line says where and what was expected.
    """
    table = compile_rules(rules)
    _check_cards(rules, {"--hand": hand, "--nest": nest, "--played": played})
    unknown = _nest_left(rules, len(hand), len(nest))
    size = _cards_now(rules, len(hand), len(played))
    names = seat_names(table)
    places = [Place(name, size, seat=i) for i, name in enumerate(names, 1)]
    if rules.blind:
        places.append(Place(BLIND, size))
    cards = pack_cards(rules.deck) & ~pack_cards([*hand, *nest, *played])
    unseen = Unseen(table, rules, _row(rules, table, trump), pack_cards(hand), cards, tuple(places))
    taker = None if declarer is None else unseen.place(declarer)
    if taker is not None:
        if len(hand) > rules.hand_size:
            raise OddsError("--declarer: you hold the nest; expected nobody else who has taken it")
        if rules.nest_size:
            there = places[taker]
            places[taker] = replace(
                there,
                name=f"{there.name} and the nest",
                size=size + unknown,
                known=pack_cards(nest),
            )
    elif unknown:
        if played:
            raise OddsError(
                "--declarer: missing; tricks are over, so who took the nest up? expected "
                f"{', '.join(names)}, or your own discards by --nest"
            )
        places.append(Place(NEST, unknown))
    for text in voids:
        at, closed = _void(unseen, text)
        if at == taker and rules.nest_size:
            raise OddsError(f"--void {text!r}: they may have discarded that suit to the nest")
        places[at] = replace(places[at], closed=places[at].closed | closed)
    thrown_in = table.redeal == REDEAL.index("auto")
    # A counter that the player has put away since then was in the hand, or may have been.
    if thrown_in and not played and not pack_cards([*hand, *nest]) & table.counters:
        raise OddsError("--hand: has no counter; by these rules such a deal is thrown in")
    return replace(
        unseen,
        places=tuple(places),
        # Later, counters have been played, and the declarer's hand is one place with the nest.
        counters_everywhere=thrown_in and not played and declarer is None,
    )


def _check_cards(rules: Rules, groups: dict[str, Sequence[Card]]) -> None:
    where: dict[Card, str] = {}
    for option, cards in groups.items():
        for card in cards:
            if card in where:
                name = card_name(card, rules.pack)
                raise OddsError(f"{option}: {name} is in {where[card]} already")
            where[card] = option


def _nest_left(rules: Rules, held: int, known: int) -> int:
    """Return how many cards of the nest the player does not know."""
    if known > rules.nest_size:
        raise OddsError(f"--nest: {counted(known, 'card')}; expected at most {rules.nest_size}")
    if rules.nest_size and held == rules.hand_size + rules.nest_size:
        if known:
            raise OddsError(f"--nest: you hold it; expected {rules.hand_size} cards in --hand")
        return 0
    return rules.nest_size - known


def _cards_now(rules: Rules, held: int, played: int) -> int:
    """Return how many cards each of the others holds."""
    whole = rules.hand_size
    if rules.nest_size and held == whole + rules.nest_size and not played:
        return whole
    if not 1 <= held <= whole:
        more = f", or {whole + rules.nest_size} with the nest" if rules.nest_size else ""
        raise OddsError(f"--hand: {counted(held, 'card')}; expected {whole}{more}")
    gone = (whole - held) * rules.hands
    if gone and not played:
        past = f"{gone} cards of past tricks by --played"
        raise OddsError(f"--hand: {counted(held, 'card')}; expected {whole}, or {past}")
    if played != gone:
        raise OddsError(
            f"--played: {counted(played, 'card')}; expected {gone}, with {held} still in your hand"
        )
    return held


def _row(rules: Rules, table: RuleTable, trump: str | None) -> int | None:
    if trump is None:
        return None
    words = call_words(rules.pack)[:CIRCUS]
    allowed = [word for i, word in enumerate(words) if table.calls >> i & 1]
    if trump.lower() not in allowed:
        raise OddsError(f"--trump {trump}: expected one of {', '.join(allowed)}")
    return words.index(trump.lower())


def _void(unseen: Unseen, text: str) -> tuple[int, CardSet]:
    who, _, suit = text.strip().rpartition(" ")
    if not who:
        raise OddsError(f"--void {text!r}: expected who and what, such as 'left red'")
    return unseen.place(who), unseen.suit(suit)
