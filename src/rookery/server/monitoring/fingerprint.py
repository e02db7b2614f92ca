"""One hash of hands that every server plays alike, so that two servers can be compared."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Final

from rookery.bots.player import KernelPlayer
from rookery.game import Hand
from rookery.rules import catalog, variant

SEED: Final = 2026
CAST: Final = ("karapet", "papa", "hog", "rabbit")


@cache
def same_hands() -> str:
    """Return the hash of a hand of every variant, hexadecimal; it takes a tenth of a second, once.

    The study's characters play, in plain Python, by one seed. Two servers of one version that give
    two hashes do not play by the same rules, or not with the same dice.
    """
    told = sha256()
    for name in catalog():
        hand = _played(name)
        told.update(repr((name, hand.dealt, tuple(map(str, hand.actions)), hand.score)).encode())
    return told.hexdigest()


def _played(name: str) -> Hand:
    rules = variant(name)
    cast = [KernelPlayer(CAST[seat % len(CAST)], SEED, seat) for seat in range(rules.seats)]
    hand = Hand.shuffled(rules, dealer=0, seed=SEED)
    while hand.to_act is not None:
        hand = cast[hand.to_act].move(hand)
    return hand
