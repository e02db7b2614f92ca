"""The transposition table: what the search keeps of positions at the start of a trick.

A position is looked up by its *shape*, who leads and how many cards of each kind each hand holds in
each suit, and then by the owners of the highest cards of each suit, as many as mattered when the
entry was made. So one entry speaks for every position that differs only in small cards.

The owners are *words*, one a suit: fields of ``w.bits`` bits, the highest live card in the lowest
field. A word is kept up to date by cutting fields out of it.
"""

from __future__ import annotations

from typing import Final

from rookery.engine.card_sets import count, highest, lowest
from rookery.engine.kernel import kernel
from rookery.engine.rng import mixed
from rookery.solver.ending import SUITS, Ending

KEYS: Final = (1 << 62) - 1
ENTRY: Final = 10  # numbers an entry takes: stamp, key, bounds and depths, move, and six words
BUCKET: Final = 16  # entries looked at
STAMP, KEY, BOUNDS, RELEVANT_DEPTHS, WORDS = 0, 1, 2, 3, 4
BOUND_BITS: Final = 24  # bits of a bound


@kernel
def write_words(w: Ending, depth: int) -> None:
    """Write all words and the key of the shape of a depth from its live cards."""
    key = 0
    cards = w.alive[depth]
    while cards:
        key = (key + w.key_of[lowest(cards)]) & KEYS
        cards &= cards - 1
    w.key[depth] = key
    for suit in range(w.suits):
        write_word(w, depth, suit)
    check_words(w, depth)


@kernel
def write_word(w: Ending, depth: int, suit: int) -> None:
    """Write the word of a suit from its live cards; a suit that is too long gets none."""
    cards = w.alive[depth] & w.mask[suit]
    word = 0
    if count(cards) <= w.most:
        while cards:
            card = lowest(cards)
            word = word << w.bits | w.code[card]
            cards &= cards - 1
    w.word[depth * SUITS + suit] = word


@kernel
def remove_card(w: Ending, depth: int, card: int) -> None:
    """Take a card out of the words, the key and the live cards of a depth."""
    suit = w.suit[card]
    above = w.alive[depth] & w.mask[suit] & -(2 << card)
    length = count(w.alive[depth] & w.mask[suit])
    w.alive[depth] ^= 1 << card
    w.key[depth] = (w.key[depth] - w.key_of[card]) & KEYS
    at = depth * SUITS + suit
    if length <= w.most:
        word = w.word[at]
        low = (1 << w.bits * count(above)) - 1
        w.word[at] = (word & low) | (word >> w.bits & ~low)
    elif length == w.most + 1:
        write_word(w, depth, suit)


@kernel
def check_words(w: Ending, depth: int) -> None:
    """Set ``w.has_words[depth]`` to whether every suit has its word."""
    longest = 0
    for suit in range(w.suits):
        longest = max(longest, count(w.alive[depth] & w.mask[suit]))
    w.has_words[depth] = 1 if longest <= w.most else 0


@kernel
def full_key(w: Ending, depth: int, leader: int) -> int:
    """Return the key of a position: its shape, who leads, and what of the past still matters."""
    key = w.key[depth] + w.history_key[leader * 2 + w.broken[depth]]
    if w.open[depth]:
        won = w.won[depth]
        key += hashed(won & 0xFFFFFFF) + hashed(won >> 28 ^ 0x5BD1E995)
    return key & KEYS


@kernel
def hashed(x: int) -> int:
    """Return a number below 2^60 that looks random, for one below 2^32."""
    return (mixed(x ^ 0x2545F491) << 28) ^ mixed(x ^ 0x1B873593)


@kernel
def relevant_of(w: Ending, depth: int, seen: int) -> int:
    """Return the lowest relevant card of each suit, from the depths that an entry keeps."""
    found = 0
    for suit in range(w.suits):
        deep = seen >> 4 * suit & 15
        if deep:
            cards = w.alive[depth] & w.mask[suit]
            for _ in range(deep - 1):
                cards ^= 1 << highest(cards)
            found |= 1 << highest(cards)
    return found


@kernel
def new_epoch(w: Ending, memory: list[int]) -> None:
    """Start with a new position: entries of earlier ones no longer count.

    A small position uses a small part of the table, which stays in the cache.
    """
    memory[0] += 1
    w.epoch = memory[0]
    room = min(len(memory) // ENTRY - BUCKET, 2 << w.cards // 2)
    slots = 1
    while slots * 2 <= room:
        slots *= 2
    w.slots = slots - 1


@kernel
def bucket_of(w: Ending, key: int) -> int:
    """Return where the entries begin that may hold a key."""
    return (1 + (key & w.slots)) * ENTRY


@kernel
def look_up(w: Ending, memory: list[int], depth: int, leader: int, need: int) -> int:
    """Return 1 if the side is known to reach `need` in a position, 0 if it cannot, else -1.

    Sets ``w.move`` to the best card known, -1 if there is none, and ``w.relevant`` where the
    answer is known.
    """
    key = full_key(w, depth, leader)
    at = bucket_of(w, key)
    w.move = -1
    for _ in range(BUCKET):
        if memory[at + STAMP] != w.epoch:
            break
        if memory[at + KEY] == key:
            seen = memory[at + RELEVANT_DEPTHS]
            same = 1
            for suit in range(w.suits):
                mask = (1 << w.bits * (seen >> 4 * suit & 15)) - 1
                if (w.word[depth * SUITS + suit] ^ memory[at + WORDS + suit]) & mask:
                    same = 0
                    break
            if same:
                bounds = memory[at + BOUNDS]
                low = bounds & (1 << BOUND_BITS) - 1
                high = bounds >> BOUND_BITS & (1 << BOUND_BITS) - 1
                if low >= need:
                    w.slack = low - need
                    w.relevant = relevant_of(w, depth, seen)
                    return 1
                if high < need:
                    w.slack = need - 1 - high
                    w.relevant = relevant_of(w, depth, seen)
                    return 0
                rank = bounds >> 2 * BOUND_BITS
                if rank:
                    w.move = rank - 1
        at += ENTRY
    return -1


@kernel
def store(
    w: Ending,
    memory: list[int],
    depth: int,
    leader: int,
    need: int,
    reached: int,
    relevant: int,
    slack: int,
) -> None:
    """Store whether a position reaches `need`, and the cards that the answer depended on."""
    key = full_key(w, depth, leader)
    first = bucket_of(w, key)
    seen = 0
    for suit in range(w.suits):
        cards = relevant & w.mask[suit]
        if cards:
            deep = count(w.alive[depth] & w.mask[suit] & -(1 << lowest(cards)))
            seen |= deep << 4 * suit
    at = -1
    for i in range(BUCKET):
        if memory[first + i * ENTRY + STAMP] != w.epoch:
            at = first + i * ENTRY
            break
        if (
            memory[first + i * ENTRY + KEY] == key
            and memory[first + i * ENTRY + RELEVANT_DEPTHS] == seen
        ):
            same = 1
            for suit in range(w.suits):
                mask = (1 << w.bits * (seen >> 4 * suit & 15)) - 1
                stored = memory[first + i * ENTRY + WORDS + suit]
                if (w.word[depth * SUITS + suit] ^ stored) & mask:
                    same = 0
                    break
            if same:
                old = first + i * ENTRY
                low = memory[old + BOUNDS] & (1 << BOUND_BITS) - 1
                high = memory[old + BOUNDS] >> BOUND_BITS & (1 << BOUND_BITS) - 1
                if reached:
                    low = max(low, need + slack)
                else:
                    high = min(high, need - 1 - slack)
                rank = w.move + 1 if w.move >= 0 else memory[old + BOUNDS] >> 2 * BOUND_BITS
                memory[old + BOUNDS] = rank << 2 * BOUND_BITS | high << BOUND_BITS | low
                return
    if at < 0:
        w.clock += 1
        at = first + w.clock % BUCKET * ENTRY
    low = need + slack if reached else 0
    high = w.left[depth] if reached else need - 1 - slack
    memory[at + STAMP] = w.epoch
    memory[at + KEY] = key
    memory[at + BOUNDS] = (w.move + 1) << 2 * BOUND_BITS | high << BOUND_BITS | low
    memory[at + RELEVANT_DEPTHS] = seen
    for suit in range(w.suits):
        memory[at + WORDS + suit] = w.word[depth * SUITS + suit]
