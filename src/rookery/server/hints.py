"""Why a move is good, in a few words that are true of it, told from what its seat may know."""

from __future__ import annotations

from typing import Final, NamedTuple

from rookery.cards import ROOK, CardSet, pack_cards, unpack
from rookery.engine.state import State
from rookery.engine.trick import beating, following
from rookery.engine.worth import points_of
from rookery.game import Hand, parse_action
from rookery.rules.order import BLACK_2, SUITS, TRUMP
from rookery.rules.table import RuleTable

REASONS: Final = {
    "only-choice": "There is nothing else to do.",
    "bid-worth": "Your hand should be worth that much.",
    "pass-partner": "Your side has the bid already.",
    "pass-enough": "Your hand does not promise more than that.",
    "discard-least": "These cards help you least in this hand.",
    "trump-longest": "It is your longest suit.",
    "trump-best": "It makes the most of your high cards.",
    "rook-rank": "That rank serves your hand best.",
    "call-strongest": "Whoever holds it should help you most.",
    "leader": "That lead suits your hand best.",
    "lead-sure": "No card that is still out can beat it.",
    "lead-trumps": "It draws the others' trumps.",
    "lead-cheap": "It gives nothing away.",
    "lead-best": "It is the best you can lead.",
    "win-last": "It takes the trick, and nobody plays after you.",
    "win-sure": "It takes the trick, and nothing that is out can beat it.",
    "win-now": "It goes ahead in the trick.",
    "give-partner": "Your partner is ahead; give the trick your counters.",
    "spare-partner": "Your partner is ahead; keep your good cards.",
    "keep-counters": "You need not spend anything on this trick.",
    "lose-least": "It is the least you can lose here.",
}


class Reason(NamedTuple):
    """A reason: its word in `REASONS`, for programs and other languages, and a sentence."""

    code: str
    text: str


def why(hand: Hand, action: str) -> Reason:
    """Return why the seat to act might do `action`, a legal one written with its seat.

    >>> from rookery.rules import load
    >>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    >>> why(hand, "1 pass").text
    'Your hand does not promise more than that.'
    """
    code = _reason(hand, action)
    return Reason(code, REASONS[code])


def _reason(hand: Hand, action: str) -> str:
    seat, verb, cards, value = parse_action(action, hand.rules.pack, hand.rules.seats)
    if verb == "pass":
        return "pass-partner" if _ahead(hand, seat) else "pass-enough"
    if verb == "trump":
        return _call(hand, seat, value or 0)
    if verb == "play":
        return _card(hand, cards[0])
    return {
        "bid": "bid-worth",
        "discard": "discard-least",
        "rook": "rook-rank",
        "call": "call-strongest",
        "leader": "leader",
    }.get(verb, "only-choice")


def _ahead(hand: Hand, seat: int) -> bool:
    bidder = hand.state.bidder
    return bidder >= 0 and bool(hand.table.partners[seat] >> bidder & 1)


def _call(hand: Hand, seat: int, call: int) -> str:
    held, table = hand.hidden.hand[seat], hand.table
    lengths = [(held & table.mask[suit * SUITS + TRUMP]).bit_count() for suit in range(4)]
    longest = call < 8 and lengths[call % 4] == max(lengths)
    return "trump-longest" if longest else "trump-best"


def _card(hand: Hand, card: int) -> str:
    s, table = hand.state, hand.table
    held = hand.hidden.hand[s.turn]
    choice = following(table, s, held)
    if choice.bit_count() == 1:
        return "only-choice"
    sure = _sure(hand, card)
    worth = points_of(table, 1 << card)
    if s.led < 0:
        trump = table.suit[s.row * 57 + card] == TRUMP
        cheap = "lead-best" if worth else "lead-cheap"
        return "lead-sure" if sure else "lead-trumps" if trump else cheap
    if _beats(table, s, card):
        last = s.played + 1 == table.seats + table.blind
        return "win-last" if last else "win-sure" if sure else "win-now"
    if _friend_ahead(hand):
        return "give-partner" if worth else "spare-partner"
    return "lose-least" if worth else "keep-counters"


def _beats(table: RuleTable, s: State, card: int) -> bool:
    suits = table.mask[s.row * SUITS + s.led] | table.mask[s.row * SUITS + TRUMP]
    rivals = 1 << card & suits
    return bool(rivals and beating(table, s, rivals))


def _sure(hand: Hand, card: int) -> bool:
    """Return whether no card that this seat has not seen can beat `card`."""
    s, table = hand.state, hand.table
    base, suit = s.row * SUITS, table.suit[s.row * 57 + card]
    unseen = _unseen(hand)
    if table.black_2_beats_rook and card == ROOK and unseen >> BLACK_2 & 1:
        return False
    rivals = unseen & (table.mask[base + suit] | table.mask[base + TRUMP])
    strength = table.strength[s.row * 57 + card]
    return all(table.strength[s.row * 57 + rival] < strength for rival in unpack(rivals))


def _unseen(hand: Hand) -> CardSet:
    s, h = hand.state, hand.hidden
    seen = h.hand[s.turn] | s.heap
    for cards in s.taken:
        seen |= cards
    actor = hand.to_act
    if actor is not None:
        seen |= h.hand[actor]
    if actor == s.declarer:
        seen |= h.nest
    return pack_cards(hand.rules.deck) & ~seen


def _friend_ahead(hand: Hand) -> bool:
    """Return whether a seat that everybody knows to be on the actor's side is ahead."""
    actor, sides = hand.to_act, hand.sides
    if actor is None or sides is None:
        return False
    return any({actor, hand.state.best_place} <= set(side) for side in sides)
