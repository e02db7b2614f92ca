"""Which suit a card counts as, which card is higher, and who wins a trick."""

from __future__ import annotations

from .pack import LETTERS, WORDS, Card, Options, colour, is_rook, rank

TRUMP = "trump"
LOSER = "loser"


def possible_calls(options: Options) -> list[str]:
    """Return the trump calls of the game, without circus."""
    calls = []
    colours = [WORDS[letter] for letter in LETTERS[options["pack"]]]
    if "suits" in options["trump_calls"]:
        calls += colours
    if "suits-low" in options["trump_calls"]:
        calls += [c + "-low" for c in colours]
    if "notrump" in options["trump_calls"]:
        calls.append("notrump")
    if "notrump-low" in options["trump_calls"]:
        calls.append("notrump-low")
    return calls


class Order:
    """The order of the cards under one trump call."""

    def __init__(self, options: Options, call: str, rook_word: str | None = None) -> None:
        """Take the call, such as ``red-low``, and where the declarer put the Rook, if they did."""
        self.options = options
        self.call = call
        self.low = call.endswith("-low")
        self.no_trump = call.startswith("notrump")
        self.rook_place = options["rook_rank"]
        if self.rook_place == "declared":
            self.rook_place = "bottom" if rook_word == "low" else "top"

    def suit(self, card: Card) -> str:
        """Return the effective suit: ``trump``, ``loser`` or a colour's letter."""
        if is_rook(card):
            if self.no_trump and self.options["rook_at_no_trump"] == "red_10_5":
                return "R"
            if self.no_trump and self.options["rook_at_no_trump"] == "loser":
                return LOSER
            return TRUMP
        if card == "R1" and self.options["red_1"] != "off":
            return TRUMP
        if card == "R2" and self.options["red_2"] != "off":
            return TRUMP
        if card == "B2" and self.options["black_2"] == "top_trump":
            return TRUMP
        if not self.no_trump and WORDS[colour(card)] == self.call.removesuffix("-low"):
            return TRUMP
        return colour(card)

    def is_trump(self, card: Card) -> bool:
        """Return whether the card is a trump."""
        return self.suit(card) == TRUMP

    def height(self, card: Card) -> float:
        """Return the card's place inside an ordinary suit; more is higher."""
        if is_rook(card):
            if self.suit(card) == LOSER:
                return -1000.0
            number = 10.5 if self.suit(card) == "R" else float(self.rook_place)
            return -number if self.low else number
        number = float(rank(card))
        if self.low:
            if rank(card) == 1:
                return 100.0 if self.options["low_order_one"] == "best" else -100.0
            return -number
        if rank(card) == 1 and self.options["ones"] == "high":
            return 15.0
        return number

    def strength(self, card: Card) -> tuple[int, float]:
        """Return what to compare two cards of one effective suit by; more is higher."""
        if self.is_trump(card):
            if card == "B2" and self.options["black_2"] == "top_trump":
                return (5, 0.0)
            if card == "R1" and self.options["red_1"] != "off":
                return (4, 0.0)
            if is_rook(card) and self.rook_place == "top":
                return (3, 0.0)
            if card == "R2" and self.options["red_2"] != "off":
                return (2, 0.0)
            if is_rook(card) and self.rook_place == "bottom":
                return (0, 0.0)
        return (1, self.height(card))


def winner(order: Order, cards: list[Card]) -> int:
    """Return which of the cards, in the order played, wins: 0 is the card led."""
    if order.options["black_2"] == "beats_rook" and "RK" in cards and "B2" in cards:
        return cards.index("B2")
    trumps = [card for card in cards if order.is_trump(card)]
    led = order.suit(cards[0])
    able = trumps if trumps else [card for card in cards if order.suit(card) == led]
    return cards.index(max(able, key=order.strength))


def always_trump(options: Options, call: str | None, card: Card) -> bool:
    """Return whether the card is a trump under the call, or under every call while none is made."""
    calls = possible_calls(options) if call is None else [call]
    return all(Order(options, each).is_trump(card) for each in calls)
