"""A match that is handed to a server, as prices are taken: nearly as long as it may be."""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random
from typing import Any, Final

from rookery.bots.player import KernelPlayer
from rookery.fairness.deal import deal_cards, proof
from rookery.game import Hand, Match
from rookery.record import HandRecord, Record, dumps, of_hand
from rookery.rules import stored

CODE: Final = "ABCDEF9"
RULES: Final = {"base": "kd_tournament", "target": 1_500}
SEED: Final = 36  # its match is a long one
ROOM: Final = 32_000  # characters of a request


@lru_cache(maxsize=1)
def long_match() -> dict[str, Any]:
    """Return the record of a match of four, as a device writes it, that nearly fills a request."""
    document = match_by(RULES)
    assert 0.8 * ROOM < len(json.dumps({"record": document})) < ROOM
    return document


def match_by(written: dict[str, Any], first: int = 0) -> dict[str, Any]:
    """Return the record of a match by some rules, as a device writes it; of deals from `first`."""
    rules, dice = stored(written), Random(SEED)
    match, hands = Match(rules), list[HandRecord]()
    players = [KernelPlayer("club", SEED, seat) for seat in range(rules.seats)]
    while match.winners is None:
        number, key = first + len(hands), dice.randbytes(32)
        shares = [dice.randbytes(16).hex(), *[""] * (rules.seats - 1)]
        cards = deal_cards(rules, CODE, number, key, shares)
        hand = Hand.deal(rules, match.dealer, cards.deal, cards.nest)
        while not hand.over:
            hand = players[hand.to_act or 0].move(hand)
        match = match.begin(hand)
        made = of_hand(hand)
        made.extra = {"proof": proof(rules, CODE, number, key, shares)}
        hands.append(made)
    names = ["Ann", "Egret", "Heron", "Teal"][: rules.seats]
    bots = [None, *["club"] * (rules.seats - 1)]
    kept = Record(rules, written, names, hands, {"bots": bots})
    document: dict[str, Any] = json.loads(dumps(kept))
    return document


HANDED: Final[dict[str, tuple[str, str, str, Any]]] = {
    "hand_in": ("POST", "/api/matches", "/api/matches", {"record": long_match()}),
}
