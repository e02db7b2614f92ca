"""What a seat may do now: the actions one by one, or the cards it has to choose from.

>>> from rookery.game import Hand
>>> from rookery.rules import load
>>> legal = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7).legal()
>>> legal.actions[0], "1 pass" in legal, "1 bid 71" in legal
(<Action 1 bid 70>, True, False)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

from rookery.cards import Card, CardSet, Pack, Seat, by_suit, card_name, pack_cards
from rookery.engine.actions import actor, legal_cards
from rookery.engine.auction import may_redeal
from rookery.engine.card_sets import count
from rookery.engine.nest import may_change, possible_discards, required_discards
from rookery.engine.state import CALL, NEST, Hidden, State
from rookery.game.action import OUT_OF_TURN, Action, Verb, action_for, action_of
from rookery.game.errors import BadAction, IllegalAction
from rookery.game.refusal import legal_numbers, numbers_for, swaps
from rookery.rules.table import RuleTable


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
    ``action in legal`` tells of any action, or its text, whether `Hand.act` takes it from this
    seat. A challenge that would succeed is in it but never listed, for a list would give the
    revoke away.

    Attributes:
        seat: whose actions these are.
        choice: what to choose from where cards go together; else None.
    """

    def __init__(
        self, table: RuleTable, state: State, hidden: Hidden, pack: Pack, seat: Seat
    ) -> None:
        """Look at a position, which must not change any more."""
        self._table, self._state, self._hidden, self._pack = table, state, hidden, pack
        self.seat = seat
        self._due = actor(state) == seat
        self.choice = self._choice() if self._due and state.phase in (NEST, CALL) else None

    @property
    def actions(self) -> tuple[Action, ...]:
        """The legal actions in the contract's order; none of them where there is a `choice`."""
        table, s, h = self._table, self._state, self._hidden
        if self.choice is not None:
            return ()
        if self._due:
            cards = legal_cards(table, s, h)
            numbers = by_suit(cards) if cards else legal_numbers(table, s, h)
            return tuple(action_of(table, s.phase, s.turn, n, self._pack) for n in numbers)
        if may_redeal(table, s, h, self.seat):
            return (Action(self.seat, Verb.REDEAL, pack=self._pack),)
        return ()

    def _choice(self) -> CardChoice:
        table, s, h = self._table, self._state, self._hidden
        if s.phase == NEST:
            size = table.nest_size - s.discarded
            cards, must = (
                tuple(by_suit(f(table, s, h))) for f in (possible_discards, required_discards)
            )
            swap = tuple(swaps(table, s, h)) if table.exchange else None
            return CardChoice(Verb.DISCARD, size, size, cards, must, swap)
        most = table.called_cards - s.called_count
        return CardChoice(Verb.CALL, 1, most, tuple(by_suit(legal_cards(table, s, h))))

    def __contains__(self, action: object) -> bool:
        table, s = self._table, self._state
        try:
            if not isinstance(action, (Action, str)):
                return False
            action = action_for(action, self._pack, table.seats)
            numbers_for(table, s, self._hidden, action)
        except (BadAction, IllegalAction):
            return False
        if action.verb in OUT_OF_TURN:
            return action.seat == self.seat
        return self._due

    def __iter__(self) -> Iterator[Action]:
        choice, seat = self.choice, self._state.turn
        if choice is None:
            yield from self.actions
            return
        must = pack_cards(choice.must)
        free = [card for card in choice.cards if not must >> card & 1]
        for size in range(choice.least, choice.most + 1):
            for rest in combinations(free, size - len(choice.must)):
                cards = must | pack_cards(rest)
                if choice.verb is Verb.CALL or self._may_change(cards):
                    yield Action(seat, choice.verb, tuple(by_suit(cards)), pack=self._pack)

    def _may_change(self, cards: CardSet) -> bool:
        table, s, h = self._table, self._state, self._hidden
        changed = count(h.nest & ~h.pickup) + count(cards & ~h.pickup)
        return not table.exchange or may_change(table, s, h, changed)

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
