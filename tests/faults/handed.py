"""A match that is handed to a server, as prices are taken: nearly as long as it may be."""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random
from typing import Any, Final

from rookery.bots.player import KernelPlayer
from rookery.fairness.deal import deal_cards, proof
from rookery.game import Hand, Match
from rookery.record import HandRecord, Record, dumps, of_hand, written_rules
from rookery.rules import load

CODE: Final = "ABCDEF9"
RULES: Final = {"base": "kd_tournament", "target": 1_500}
SEED: Final = 36  # its match is a long one
ROOM: Final = 32_000  # characters of a request


@lru_cache(maxsize=1)
def long_match() -> dict[str, Any]:
    """Return the record of a match of four, as a device writes it, that nearly fills a request."""
    rules, dice = load(RULES), Random(SEED)
    match, hands = Match(rules), list[HandRecord]()
    players = [KernelPlayer("club", SEED, seat) for seat in range(rules.seats)]
    while match.winners is None:
        number, key = len(hands), dice.randbytes(32)
        shares = [dice.randbytes(16).hex(), "", "", ""]
        cards = deal_cards(rules, CODE, number, key, shares)
        hand = Hand.deal(rules, match.dealer, cards.deal, cards.nest)
        while not hand.over:
            hand = players[hand.to_act or 0].move(hand)
        match = match.begin(hand)
        written = of_hand(hand)
        written.extra = {"proof": proof(rules, CODE, number, key, shares)}
        hands.append(written)
    names, bots = ["Ann", "Egret", "Heron", "Teal"], [None, "club", "club", "club"]
    kept = Record(rules, written_rules(rules), names, hands, {"bots": bots})
    document: dict[str, Any] = json.loads(dumps(kept))
    assert 0.8 * ROOM < len(json.dumps({"record": document})) < ROOM
    return document


HANDED: Final[dict[str, tuple[str, str, str, Any]]] = {
    "hand_in": ("POST", "/api/matches", "/api/matches", {"record": long_match()}),
}
