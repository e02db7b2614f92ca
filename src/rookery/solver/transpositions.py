"""The transposition table: what the search keeps of positions at the start of a trick.

A position is looked up by its *shape*, who leads and how many cards of each kind each hand holds in
each suit, and then by the owners of the highest cards of each suit, as many as mattered when the
entry was made. So one entry speaks for every position that differs only in small cards.

The owners are *words*, one a suit: fields of ``w.bits`` bits, the highest live card in the lowest
field. The words of a trick's start are those of the trick before, with four fields cut out.

Entries lie one behind the other as they were made, so that a search with few of them stays in the
cache. Those whose keys end alike are a chain, the newest first. When the room is used up, the
oldest are overwritten: a chain that ran through one goes on in another, which does no harm, since
every entry has its key.
"""

from __future__ import annotations

from typing import Final

from rookery.engine.card_sets import count, highest, lowest
from rookery.engine.kernel import kernel
from rookery.engine.rng import mixed
from rookery.solver.ending import SUITS, Ending

KEYS: Final = (1 << 62) - 1
ENTRY: Final = 10  # numbers an entry takes: link, key, bounds and move, depths, and six words
BUCKET: Final = 16  # entries of a chain that are looked at
LINK, KEY, BOUNDS, RELEVANT_DEPTHS, WORDS = 0, 1, 2, 3, 4
HEAD_BITS: Final = 32  # of a place in the memory; above them a head has its epoch
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
        write_word(w, depth, suit, w.alive[depth])
    check_words(w, depth)


@kernel
def write_word(w: Ending, depth: int, suit: int, alive: int) -> None:
    """Write the word of a suit from the live cards; a suit that is too long gets none."""
    cards = alive & w.mask[suit]
    word = 0
    if count(cards) <= w.most:
        while cards:
            card = lowest(cards)
            word = word << w.bits | w.code[card]
            cards &= cards - 1
    w.word[depth * SUITS + suit] = word


@kernel
def describe(w: Ending, ply: int) -> None:
    """Write the words and the key of the trick that starts at `ply` from those of the one before.

    Most tricks are settled before anybody looks them up, so it is not done as cards are played.
    """
    after = w.depth[ply]
    depth = after - 1
    for suit in range(w.suits):
        w.word[after * SUITS + suit] = w.word[depth * SUITS + suit]
    alive = w.alive[depth]
    key = w.key[depth]
    for i in range(ply - w.places, ply):
        card = w.played[i]
        remove_card(w, after, alive, card)
        alive ^= 1 << card
        key -= w.key_of[card]
    w.key[after] = key & KEYS
    w.has_words[after] = 1
    if not w.has_words[depth]:
        check_words(w, after)


@kernel
def remove_card(w: Ending, depth: int, alive: int, card: int) -> None:
    """Take a card, one of those alive, out of the words of a depth."""
    suit = w.suit[card]
    length = count(alive & w.mask[suit])
    at = depth * SUITS + suit
    if length <= w.most:
        word = w.word[at]
        above = alive & w.mask[suit] & -(2 << card)
        low = (1 << w.bits * count(above)) - 1
        w.word[at] = (word & low) | (word >> w.bits & ~low)
    elif length == w.most + 1:
        write_word(w, depth, suit, alive ^ 1 << card)


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
def heads_in(memory: list[int]) -> int:
    """Return how many numbers behind the first are kept for the heads of chains."""
    return len(memory) // (2 * ENTRY)


@kernel
def new_epoch(w: Ending, memory: list[int]) -> None:
    """Start with a new position: entries of earlier ones no longer count.

    A small position has few chains, so that their heads stay in the cache. Where cards differ in
    worth, there are more entries, and more chains keep them short.
    """
    memory[0] += 1
    w.epoch = memory[0]
    size = w.cards * w.cards // 64 if w.counters else 2 * w.cards // 5
    room = min(heads_in(memory), 2 << size)
    slots = 1
    while slots * 2 <= room:
        slots *= 2
    w.slots = slots - 1
    w.clock = 1 + heads_in(memory)


@kernel
def first_in_chain(w: Ending, memory: list[int], key: int) -> int:
    """Return where the newest entry lies of those whose keys end like `key`, 0 for none."""
    head = memory[1 + (key & w.slots)]
    return head & (1 << HEAD_BITS) - 1 if head >> HEAD_BITS == w.epoch else 0


@kernel
def look_up(w: Ending, memory: list[int], depth: int, leader: int, need: int) -> int:
    """Return 1 if the side is known to reach `need` in a position, 0 if it cannot, else -1.

    Sets ``w.move`` to the best card known, -1 if there is none, and ``w.relevant`` where the
    answer is known.
    """
    key = full_key(w, depth, leader)
    at = first_in_chain(w, memory, key)
    w.move = -1
    for _ in range(BUCKET):
        if not at:
            break
        if memory[at + KEY] == key:
            seen = memory[at + RELEVANT_DEPTHS]
            if same_words(w, memory, depth, at, seen):
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
                if rank and w.move < 0:
                    w.move = rank - 1
        at = memory[at + LINK]
    return -1


@kernel
def same_words(w: Ending, memory: list[int], depth: int, at: int, seen: int) -> int:
    """Return whether the cards that mattered to the entry at `at` have the same owners here."""
    for suit in range(w.suits):
        mask = (1 << w.bits * (seen >> 4 * suit & 15)) - 1
        if (w.word[depth * SUITS + suit] ^ memory[at + WORDS + suit]) & mask:
            return 0
    return 1


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
    newest = first_in_chain(w, memory, key)
    seen = 0
    for suit in range(w.suits):
        cards = relevant & w.mask[suit]
        if cards:
            deep = count(w.alive[depth] & w.mask[suit] & -(1 << lowest(cards)))
            seen |= deep << 4 * suit
    low = need + slack if reached else 0
    high = w.left[depth] if reached else need - 1 - slack
    rank = w.move + 1
    at = newest
    for _ in range(BUCKET):
        if not at:
            break
        if (
            memory[at + KEY] == key
            and memory[at + RELEVANT_DEPTHS] == seen
            and same_words(w, memory, depth, at, seen)
        ):
            bounds = memory[at + BOUNDS]
            low = max(low, bounds & (1 << BOUND_BITS) - 1)
            high = min(high, bounds >> BOUND_BITS & (1 << BOUND_BITS) - 1)
            rank = rank if rank else bounds >> 2 * BOUND_BITS
            memory[at + BOUNDS] = rank << 2 * BOUND_BITS | high << BOUND_BITS | low
            return
        at = memory[at + LINK]
    at = w.clock
    w.clock += ENTRY
    if w.clock + ENTRY > len(memory):
        w.clock = 1 + heads_in(memory)
    memory[1 + (key & w.slots)] = w.epoch << HEAD_BITS | at
    memory[at + LINK] = newest
    memory[at + KEY] = key
    memory[at + BOUNDS] = rank << 2 * BOUND_BITS | high << BOUND_BITS | low
    memory[at + RELEVANT_DEPTHS] = seen
    for suit in range(w.suits):
        memory[at + WORDS + suit] = w.word[depth * SUITS + suit]
