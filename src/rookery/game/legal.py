"""What a seat may do now: the actions one by one, or the cards it has to choose from.

What it may not do is refused with a code and a reason.

>>> from rookery.game import Hand
>>> from rookery.rules import load
>>> legal = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7).legal()
>>> legal.actions[0], "1 pass" in legal, "1 bid 71" in legal
(<Action 1 bid 70>, True, False)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final, NamedTuple

from rookery.cards import Card, Pack, Seat, by_suit, card_name, pack_cards
from rookery.engine import actions, state
from rookery.engine.auction import bid_floor, may_redeal
from rookery.engine.card_sets import count
from rookery.engine.nest import may_change, possible_discards, required_discards
from rookery.engine.records import copy_of
from rookery.engine.score import side_of
from rookery.engine.state import Hidden, State
from rookery.game.action import Action, Verb, action_for, action_of, call_words, number_of
from rookery.game.errors import BadAction, IllegalAction, counted
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import ONE_CALL_EACH, REDEAL_AUTO, REDEAL_NEVER, RuleTable

_OUT_OF_TURN: Final = (Verb.REDEAL, Verb.CHALLENGE)  # any seat may act so, whoever is to act
_DUE: Final = {
    state.AUCTION: "a bid or a pass",
    state.NEST: "the discard",
    state.TRUMP_CALL: "the trump call",
    state.ROOK_RANK: "the rank of the Rook",
    state.CALL: "the partner card",
    state.LEADER: "who leads",
    state.CIRCUS_PASS: "a card to give",
    state.PLAY: "a card to play",
}


class CardChoice(NamedTuple):
    """Cards that one action names together: a discard, or a call of partner cards.

    Attributes:
        verb: `Verb.DISCARD` or `Verb.CALL`.
        least: the fewest cards that the action may name.
        most: the most cards.
        cards: the cards it may name, those of `must` among them.
        must: the cards it has to name.
        swap: how many cards of the nest may change, where only a part of it is exchanged.
    """

    verb: Verb
    least: int
    most: int
    cards: tuple[Card, ...]
    must: tuple[Card, ...] = ()
    swap: tuple[int, ...] | None = None


class Legal:
    """What one seat may do at one moment of a hand.

    Iterating gives every legal action, each possible discard among them, which may be thousands.
    ``action in legal`` tells of any action, or its text, whether this seat may do it. A challenge
    that would succeed is in it but never listed, for a list would give the revoke away.

    Attributes:
        seat: whose actions these are.
        choice: what to choose from where cards go together; else None.
    """

    def __init__(self, table: RuleTable, s: State, h: Hidden, pack: Pack, seat: Seat) -> None:
        """Look at a position, which must not change any more."""
        self._table, self._state, self._hidden, self._pack = table, s, h, pack
        self.seat = seat
        self._due = actions.actor(s) == seat
        self.choice = self._choice() if self._due and s.phase in (state.NEST, state.CALL) else None

    @property
    def actions(self) -> tuple[Action, ...]:
        """The legal actions in the contract's order; none of them where there is a `choice`."""
        table, s, h = self._table, self._state, self._hidden
        if self.choice is not None:
            return ()
        if self._due:
            cards = actions.legal_cards(table, s, h)
            numbers = by_suit(cards) if cards else legal_numbers(table, s, h)
            return tuple(action_of(table, s.phase, s.turn, n, self._pack) for n in numbers)
        if may_redeal(table, s, h, self.seat):
            return (Action(self.seat, Verb.REDEAL, pack=self._pack),)
        return ()

    def _choice(self) -> CardChoice:
        table, s, h = self._table, self._state, self._hidden
        if s.phase == state.NEST:
            size = table.nest_size - s.discarded
            cards, must = (
                tuple(by_suit(f(table, s, h))) for f in (possible_discards, required_discards)
            )
            swap = tuple(swaps(table, s, h)) if table.exchange else None
            return CardChoice(Verb.DISCARD, size, size, cards, must, swap)
        most = table.called_cards - s.called_count
        return CardChoice(Verb.CALL, 1, most, tuple(by_suit(actions.legal_cards(table, s, h))))

    def __contains__(self, action: object) -> bool:
        table, s = self._table, self._state
        try:
            if not isinstance(action, (Action, str)):
                return False
            action = action_for(action, self._pack, table.seats)
            check_accuser(table, s, self._hidden, action)
            numbers_for(table, s, self._hidden, action)
        except (BadAction, IllegalAction):
            return False
        if action.verb in _OUT_OF_TURN:
            return action.seat == self.seat
        return self._due

    def __iter__(self) -> Iterator[Action]:
        choice, seat = self.choice, self._state.turn
        if choice is None:
            yield from self.actions
            return
        for cards in self._groups(choice):
            yield Action(seat, choice.verb, tuple(by_suit(pack_cards(cards))), pack=self._pack)

    def _groups(self, choice: CardChoice) -> Iterator[tuple[Card, ...]]:
        h, must = self._hidden, choice.must
        free = [card for card in choice.cards if card not in must]
        if choice.swap is None:
            for size in range(choice.least, choice.most + 1):
                for rest in combinations(free, size - len(must)):
                    yield must + rest
            return
        old = [card for card in free if h.pickup >> card & 1]
        new = [card for card in free if card not in old]
        for changed in choice.swap:
            more = changed - count((h.nest | pack_cards(must)) & ~h.pickup)
            for fresh in combinations(new, more):
                for kept in combinations(old, choice.least - len(must) - more):
                    yield must + fresh + kept

    def __bool__(self) -> bool:
        return self.choice is not None or bool(self.actions)

    def as_json(self) -> list[str] | dict[str, Any]:
        """Return it ready for JSON, in the three shapes of ``replay --json``.

        That is a list of actions without their seat; for a discard ``{"discard": n, "from": [...],
        "must": [...]}``, with ``"swap"`` where only a part of the nest is exchanged; and for
        partner cards ``{"call": {"min": 1, "max": n, "from": [...]}}``.
        """
        choice = self.choice
        if choice is None:
            return [action.words for action in self.actions]
        names = [card_name(card, self._pack) for card in choice.cards]
        if choice.verb is Verb.CALL:
            return {"call": {"min": choice.least, "max": choice.most, "from": names}}
        must = [card_name(card, self._pack) for card in choice.must]
        swap = {} if choice.swap is None else {"swap": list(choice.swap)}
        return {"discard": choice.most, "from": names, "must": must, **swap}

    def __repr__(self) -> str:
        return f"<Legal for seat {self.seat}: {self.as_json()}>"


def legal_numbers(table: RuleTable, s: State, h: Hidden) -> list[int]:
    """Return the engine's numbers for what the seat to act may do, ascending."""
    room = [0] * actions.ACTIONS
    return room[: actions.legal(table, s, h, room)]


def may_accuse(table: RuleTable, s: State, h: Hidden, seat: Seat) -> list[Seat]:
    """Return the seats that are not known to be on the side of `seat`, in their order.

    Of a called partner that is not shown yet nobody is told so by a refusal.
    """
    own = 1 << seat
    if s.sides_known:
        own = side_of(table, h, seat)
    elif s.allies & own:
        own = s.allies
    return [other for other in range(table.seats) if not own >> other & 1]


def check_accuser(table: RuleTable, s: State, h: Hidden, action: Action) -> None:
    """Check that no side challenges itself; `numbers_for` reads records in which one did.

    Raises:
        IllegalAction: it does; code ``no-revoke``, whether or not there was a revoke.
    """
    if action.verb is not Verb.CHALLENGE or s.phase != state.PLAY or not table.penalised:
        return
    if action.target not in (action.seat, *may_accuse(table, s, h, action.seat)):
        raise IllegalAction("no-revoke", "only the other side may challenge")


def numbers_for(table: RuleTable, s: State, h: Hidden, action: Action) -> list[int]:
    """Return the engine's numbers that carry `action` out, several for a whole discard or call.

    Raises:
        IllegalAction: the rules do not allow it now; its code says why.
    """
    if s.phase >= state.DONE:
        raise IllegalAction("hand-over", "the hand is over; no action is due")
    if action.verb is Verb.REDEAL:
        return _redeal(table, s, h, action)
    if action.verb.phase != s.phase:
        due = f"{_DUE[s.phase]} is due from {_turn(s)}"
        raise IllegalAction("not-now", f'"{action.verb}" is not possible now; {due}')
    if s.phase == state.PLAY and action.target is not None:
        return _challenge(table, s, h, action, action.target)
    if action.seat != s.turn:
        raise IllegalAction(*_out_of_turn(table, s, action))
    if s.phase in (state.NEST, state.CALL):
        why_not = _discard_refusal if s.phase == state.NEST else _call_refusal
        refused = why_not(table, s, h, action)
        if refused is not None:
            raise IllegalAction(*refused)
        return _grouped(table, s, h, action)
    number = number_of(table, action)
    if number not in legal_numbers(table, s, h):
        raise IllegalAction(*_refusal(table, s, h, action))
    return [number]


def _turn(s: State) -> str:
    if s.phase == state.PLAY and s.turn == s.dummy:
        return f"seat {s.declarer} for the dummy, seat {s.turn}"
    return f"seat {s.turn}"


def _names(cards: int, pack: Pack) -> str:
    return " ".join(card_name(card, pack) for card in by_suit(cards))


# The functions below return the code and the reason of a refusal.


def _out_of_turn(table: RuleTable, s: State, action: Action) -> tuple[str, str]:
    out = s.phase == state.AUCTION and s.passed >> action.seat & 1
    if out and not table.return_after_pass and table.auction != ONE_CALL_EACH:
        return "already-passed", f"seat {action.seat} has passed and is out of the auction"
    due = f"{_DUE[s.phase]} is due from {_turn(s)}"
    return "not-your-turn", f"it is not seat {action.seat}'s turn; {due}"


def _redeal(table: RuleTable, s: State, h: Hidden, action: Action) -> list[int]:
    if may_redeal(table, s, h, action.seat):
        return [actions.REDEAL_DEMAND]
    if table.redeal == REDEAL_NEVER:
        reason = "these rules have no redeal"
    elif table.redeal == REDEAL_AUTO:
        reason = "these rules cancel deals by themselves"
    elif s.phase != state.AUCTION:
        reason = "a redeal may be demanded during the auction only"
    elif not h.hand[action.seat] & table.counters:
        reason = "a redeal may be demanded on one's own turn only"
    else:
        reason = "only a hand without counters may be redealt"
    raise IllegalAction("no-redeal", reason)


def _challenge(table: RuleTable, s: State, h: Hidden, action: Action, offender: int) -> list[int]:
    if actions.may_challenge(table, s, h, action.seat, offender):
        return [actions.CHALLENGE + offender]
    if not table.penalised:
        raise IllegalAction("not-now", "these rules prevent revokes; there is none to challenge")
    if offender == action.seat:
        raise IllegalAction("no-revoke", "nobody can challenge themselves; name another seat")
    raise IllegalAction("no-revoke", f"seat {offender} has not revoked")


def _refusal(table: RuleTable, s: State, h: Hidden, action: Action) -> tuple[str, str]:
    if action.verb is Verb.BID:
        return _bid_refusal(table, s, action)
    if action.verb is Verb.PASS:
        return "not-now", "the dealer has to open with a bid and cannot pass"
    if action.verb is Verb.TRUMP:
        words = call_words(action.pack)
        calls = " ".join(words[n - actions.TRUMP_CALLS] for n in legal_numbers(table, s, h))
        return "call-not-allowed", f"{action.call} may not be called; expected one of {calls}"
    if action.verb is Verb.LEADER:
        seats = " or ".join(str(n - actions.LEADS) for n in legal_numbers(table, s, h))
        return "call-not-allowed", f"seat {action.target} may not lead; expected {seats}"
    return _card_refusal(table, s, h, action)


def _bid_refusal(table: RuleTable, s: State, action: Action) -> tuple[str, str]:
    floor, top, amount = bid_floor(table, s), table.bid_maximum, action.amount
    if not isinstance(amount, int):
        return "bid-too-high", f"these rules have no Sun; {top} is the highest bid"
    if amount > top:
        return "bid-too-high", f"{amount} is too high; {top} is the highest bid"
    if amount < floor:
        least = str(floor) if floor <= top else "the Sun"
        return "bid-too-low", f"{amount} is too low; at least {least}"
    return "bid-step", f"{amount} is between two bids; expected a multiple of {table.bid_step}"


def _card_refusal(table: RuleTable, s: State, h: Hidden, action: Action) -> tuple[str, str]:
    card = action.cards[0]
    name = card_name(card, action.pack)
    hand = h.hand[s.turn]
    if not hand >> card & 1:
        return "not-held", f"seat {s.turn} does not hold {name}"
    good = actions.legal_cards(table, s, h)
    expected = f"expected {'one of ' if count(good) > 1 else ''}{_names(good, action.pack)}"
    if s.phase == state.CIRCUS_PASS:
        which = "worst" if h.allies >> s.turn & 1 else "best"
        reason = f"{name} is not the {which} card of the hand"
    else:
        reason = f"{name} {_why_not_played(table, s, hand, card)}"
    return "must-follow", f"{reason}; {expected}"


def _why_not_played(table: RuleTable, s: State, hand: int, card: int) -> str:
    """Return what is wrong with a card; of a duty that has no words here, only that it is not."""
    trump = table.mask[s.row * SUITS + TRUMP] >> card & 1
    if s.led < 0:
        if table.trump_when_broken and trump and not s.broken:
            return "is a trump, and none has been played yet"
        return "may not be led now"
    suit = table.mask[s.row * SUITS + s.led]
    if hand & suit:
        return "may not be played now" if suit >> card & 1 else "does not follow the suit led"
    if table.void_duty:
        due = "is not a trump, and one is due without the suit led"
        return "does not beat the trick" if trump else due
    return "may not be played now"


def _grouped(table: RuleTable, s: State, h: Hidden, action: Action) -> list[int]:
    """Return numbers that lay or call all the cards, in an order in which the engine takes them."""
    s, h, step = copy_of(s), copy_of(h), s.step
    numbers = []
    rest = list(action.cards)
    while rest:
        good = actions.legal_cards(table, s, h)
        card = next(card for card in rest if good >> card & 1)
        rest.remove(card)
        numbers.append(card)
        actions.apply(table, s, h, card)
    return numbers if s.step > step else [*numbers, actions.ENOUGH]


def _discard_refusal(
    table: RuleTable, s: State, h: Hidden, action: Action
) -> tuple[str, str] | None:
    cards = pack_cards(action.cards)
    size = table.nest_size - s.discarded
    if len(action.cards) != size or count(cards) != size:
        twice = " different" if count(cards) != len(action.cards) else ""
        named = counted(len(action.cards), "card")
        return "discard-count", f"{named} named; expected {size}{twice}"
    missing = cards & ~h.hand[s.turn]
    if missing:
        return "not-held", f"seat {s.turn} does not hold {_names(missing, action.pack)}"
    banned = cards & ~possible_discards(table, s, h)
    if banned:
        return "discard-ban", f"{_names(banned, action.pack)} may not be discarded"
    first = required_discards(table, s, h) & ~cards
    if first:
        return "discard-ban", f"{_names(first, action.pack)} must be discarded first"
    changed = count(cards & ~h.pickup) + count(h.nest & ~h.pickup)
    if table.exchange and not may_change(table, s, h, changed):
        good = " or ".join(map(str, swaps(table, s, h)))
        swapped = counted(changed, "card")
        return "discard-count", f"{swapped} of the nest would change; expected {good}"
    return None


def swaps(table: RuleTable, s: State, h: Hidden) -> list[int]:
    """Return how many cards of the nest may change, where the rules allow a part of it."""
    return [n for n in range(table.nest_size + 1) if may_change(table, s, h, n)]


def _call_refusal(table: RuleTable, s: State, h: Hidden, action: Action) -> tuple[str, str] | None:
    cards = pack_cards(action.cards)
    most = table.called_cards - s.called_count
    if not 1 <= len(action.cards) <= most or count(cards) != len(action.cards):
        up_to = f"up to {most} different cards" if most > 1 else "one card"
        named = counted(len(action.cards), "card")
        return "card-not-callable", f"{named} named; expected {up_to}"
    wrong = cards & ~actions.legal_cards(table, s, h)
    if wrong:
        return "card-not-callable", f"{_names(wrong, action.pack)} may not be called"
    return None
