"""The deal at a live table: secret, fair, and to be checked by anybody afterwards.

Scheme ``rook-deal-1``. Before deal `n` of a table the server draws a key of 32 bytes from the
system's secure source and shows its commitment

    SHA-256("rook-deal-1" | table | n | key).

Then each seat may contribute a share of 16 bytes; a seat that does not has the empty one. The deal
follows from both, so neither side alone can choose it:

    seed  = HMAC-SHA-256(key, "deal" | table | n | rules | share 0 | share 1 | ...)
    block i of the stream = HMAC-SHA-256(seed, i as 8 bytes)

Where texts are joined each part stands behind its length as 4 bytes. The deck in ascending order of
card numbers is shuffled by Fisher and Yates from the top: for ``i`` from the last place to 1, swap
places ``i`` and ``j``, with ``j`` below ``i + 1`` from the stream's next 32-bit words, big-endian,
leaving out words that would favour some places. The hands follow from seat 0 on, a blind hand
behind them, the nest last. When the hand is over the key is shown.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from rookery.cards import by_suit, card_name, pack_cards
from rookery.rules import Rules

SCHEME: Final = "rook-deal-1"
KEY_BYTES: Final = 32
SHARE_DIGITS: Final = 32
_EIGHT: Final = struct.Struct(">8I")  # of the words of a hash
_WORD: Final = 1 << 32

Secret: TypeAlias = Callable[[], bytes]


class Dealt(NamedTuple):
    """Cards by name: the hands from seat 0 on, a blind one last, and the nest."""

    deal: list[list[str]]
    nest: list[str]


def secret() -> bytes:
    """Return a fresh key from the system's secure source."""
    return secrets.token_bytes(KEY_BYTES)


def commitment(table: str, number: int, key: bytes) -> str:
    """Return what binds the server to `key` for a deal, in hexadecimal."""
    return hashlib.sha256(joined(SCHEME, table, str(number), key)).hexdigest()


def deal_cards(rules: Rules, table: str, number: int, key: bytes, shares: Sequence[str]) -> Dealt:
    """Return the deal that a key and the seats' shares (hexadecimal, or empty) stand for."""
    parts = [bytes.fromhex(share) for share in shares]
    message = joined("deal", table, str(number), rules_key(rules), *parts)
    order = permuted(rules.deck, hmac.digest(key, message, "sha256"))
    size = rules.hand_size
    hands = [order[at : at + size] for at in range(0, rules.hands * size, size)]
    # A blind hand is played in the order in which it lies; people hold theirs sorted.
    held = [by_suit(pack_cards(hand)) for hand in hands[: rules.seats]] + hands[rules.seats :]
    names = [[card_name(card, rules.pack) for card in hand] for hand in held]
    nest = [card_name(card, rules.pack) for card in order[rules.hands * size :]]
    return Dealt(names, nest)


def proof(
    rules: Rules, table: str, number: int, key: bytes, shares: Sequence[str]
) -> dict[str, Any]:
    """Return what a finished hand shows, so that anybody can check its deal; ready for JSON."""
    return {
        "scheme": SCHEME,
        "table": table,
        "number": number,
        "rules": rules_key(rules),
        "commitment": commitment(table, number, key),
        "key": key.hex(),
        "shares": list(shares),
    }


@lru_cache(maxsize=64)
def rules_key(rules: Rules) -> str:
    """Return the hash of the options, in hexadecimal: what game the deal was for."""
    text = json.dumps(rules.hashed_options(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def permuted(things: Sequence[int], seed: bytes) -> list[int]:
    """Return some numbers in the order that a seed of 32 bytes stands for.

    >>> sorted(permuted([3, 1, 2], b"seed"))
    [1, 2, 3]
    """
    order = list(things)
    words = _words(seed)
    for i in range(len(order) - 1, 0, -1):
        fair = _WORD - _WORD % (i + 1)  # no place is likelier than another
        while (word := next(words)) >= fair:
            pass
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def _words(seed: bytes) -> Iterator[int]:
    for i in range(_WORD):
        yield from _EIGHT.unpack(hmac.digest(seed, i.to_bytes(8, "big"), "sha256"))


def joined(*parts: str | bytes) -> bytes:
    """Return parts as one text, each behind its length."""
    held = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in held)
