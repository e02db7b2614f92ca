"""Random play through the friendly objects: what the laws look at."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from rookery.game import Hand
from rookery.rules import Rules


def random_action(hand: Hand, rng: Random) -> str:
    """Return a legal action for whoever is to act, as a record writes it; rarely a redeal."""
    legal = hand.legal().as_json()
    if isinstance(legal, list):
        return f"{hand.turn} {_one(hand, legal, rng)}"
    if "call" in legal:
        call = legal["call"]
        cards = rng.sample(call["from"], rng.randint(call["min"], call["max"]))
        return f"{hand.turn} call {' '.join(cards)}"
    cards = _discards(hand, legal, rng)
    rng.shuffle(cards)
    return f"{hand.turn} discard {' '.join(cards)}"


def _one(hand: Hand, legal: list[str], rng: Random) -> str:
    if "redeal" in legal and rng.random() < 0.9:
        legal = [text for text in legal if text != "redeal"]
    if "pass" in legal and rng.random() < 0.5:
        return "pass"
    if hand.phase == "auction" and rng.random() < 0.5:
        return legal[0]  # low bids make long auctions
    return rng.choice(legal)


def _discards(hand: Hand, legal: dict[str, Any], rng: Random) -> list[str]:
    must = list(legal["must"])
    free = [card for card in legal["from"] if card not in must]
    if "swap" not in legal:
        return must + rng.sample(free, legal["discard"] - len(must))
    found = set(hand.names(hand.nest_dealt))
    changed = rng.choice(legal["swap"])
    new = changed - len([card for card in must if card not in found])
    old = legal["discard"] - changed - len([card for card in must if card in found])
    return [
        *must,
        *rng.sample([card for card in free if card not in found], new),
        *rng.sample([card for card in free if card in found], old),
    ]


def positions(rules: Rules, seed: int) -> Iterator[Hand]:
    """Yield every position of a hand that is dealt and played at random, the last one over."""
    rng = Random(seed)
    hand = Hand.shuffled(rules, seed % rules.seats, seed)
    yield hand
    while not hand.over:
        hand = hand.act(random_action(hand, rng))
        yield hand
