"""What may be done, in words: the shapes that records, bots and browsers are given."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, TypeAlias

from rookery.cards import CardSet, Pack, Seat, by_suit, card_name, pack_cards
from rookery.engine.auction import may_redeal
from rookery.engine.bits import count
from rookery.engine.nest import may_change, may_go, must_go
from rookery.engine.state import CALL, DONE, NEST, Hidden, State
from rookery.engine.step import legal_cards
from rookery.game.legality import legal_numbers, swaps
from rookery.game.notation import Action, action_text, action_words
from rookery.game.numbers import action_of
from rookery.rules.table import RuleTable

Legal: TypeAlias = list[str] | dict[str, Any]


def legal_of(table: RuleTable, s: State, h: Hidden, pack: Pack) -> Legal:
    """Return what the seat to act may do; an empty list when the hand is over."""
    if s.phase >= DONE:
        return []
    if s.phase == NEST:
        choice: dict[str, Any] = {
            "discard": table.nest_size - s.placed,
            "from": _names(may_go(table, s, h), pack),
            "must": _names(must_go(table, s, h), pack),
        }
        return {**choice, "swap": swaps(table, s, h)} if table.exchange else choice
    if s.phase == CALL:
        most = table.called_cards - s.called_count
        return {"call": {"min": 1, "max": most, "from": _names(legal_cards(table, s, h), pack)}}
    return [action_words(action, pack) for action in _single(table, s, h)]


def redeal_words(table: RuleTable, s: State, h: Hidden, seat: Seat) -> list[str]:
    """Return ``["redeal"]`` where `seat` may demand one, else an empty list."""
    return ["redeal"] if may_redeal(table, s, h, seat) else []


def every_action(table: RuleTable, s: State, h: Hidden, pack: Pack) -> Iterator[str]:
    """Yield every legal action of the seat to act as a record writes it, whole discards too."""
    if s.phase >= DONE:
        return
    if s.phase == NEST:
        must, may = must_go(table, s, h), may_go(table, s, h)
        free = by_suit(may & ~must)
        before = count(h.nest & ~h.pickup)
        for rest in combinations(free, table.nest_size - s.placed - count(must)):
            cards = must | pack_cards(rest)
            if not table.exchange or may_change(table, s, h, before + count(cards & ~h.pickup)):
                yield action_text(Action(s.turn, "discard", tuple(by_suit(cards))), pack)
    elif s.phase == CALL:
        callable_now = by_suit(legal_cards(table, s, h))
        for most in range(1, table.called_cards - s.called_count + 1):
            for called in combinations(callable_now, most):
                yield action_text(Action(s.turn, "call", called), pack)
    else:
        yield from (action_text(action, pack) for action in _single(table, s, h))


def _single(table: RuleTable, s: State, h: Hidden) -> list[Action]:
    """Return the legal actions of a phase in which each is one for the engine too."""
    cards = legal_cards(table, s, h)
    numbers = by_suit(cards) if cards else legal_numbers(table, s, h)
    return [action_of(table, s.phase, s.turn, number) for number in numbers]


def _names(cards: CardSet, pack: Pack) -> list[str]:
    return [card_name(card, pack) for card in by_suit(cards)]
