"""A position in words: all of it, or what one seat has been told."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rookery.cards import Pack, by_suit, card_name
from rookery.envs.open_spiel.setting import Setting
from rookery.envs.positions import (
    CLOSED_PHASES,
    Done,
    done,
    is_known_to,
    lies_closed,
    lies_open,
)
from rookery.game.action import action_of
from rookery.rules.table import compile_rules


@lru_cache(maxsize=1 << 16)
def cards_in_words(cards: int, pack: Pack) -> str:
    """Return the names of a set of cards.

    >>> cards_in_words(0b11, "rook")
    'R1 G1'
    """
    return " ".join(card_name(card, pack) for card in by_suit(cards))


def act_in_words(setting: Setting, one: Done, *, closed: bool = False) -> str:
    """Return what was done as a record has it: ``1 bid 75``; of a closed card only that it went."""
    rules = setting.rules
    action = action_of(compile_rules(rules), one.phase, one.place, one.action, rules.pack)
    return f"{one.place} {action.verb}" if closed else str(action)


def deal_in_words(setting: Setting, outcome: int) -> str:
    """Return what chance does: the seed of a deal, or its number, or that it was drawn anew."""
    if setting.deals is not None:
        return f"deal {outcome}"
    return "deal drawn anew" if outcome == setting.drawn_anew else f"seed {setting.first + outcome}"


def acts_in_words(setting: Setting, position: bytes) -> str:
    """Return a hand that is dealt as a text, all cards open."""
    rules = setting.rules
    held = lies_closed(position, "hand")[: rules.hands]
    lines = [f"{place}: {cards_in_words(hand, rules.pack)}" for place, hand in enumerate(held)]
    if rules.nest_size:
        lines.append(f"nest: {cards_in_words(lies_closed(position, 'nest')[0], rules.pack)}")
        face_up = cards_in_words(lies_open(position, "face_up")[0], rules.pack)
        lines += [f"face up: {face_up}"] if face_up else []
    gifts = lies_closed(position, "gift")[: rules.seats]
    given = [card_name(card, rules.pack) for card in gifts if card >= 0]
    if given:
        lines.append(f"given: {' '.join(given)}")
    if rules.blind:
        turned = lies_closed(position, "blind")[: rules.hand_size]
        lines.append(f"blind: {' '.join(card_name(card, rules.pack) for card in turned)}")
    lines.append(", ".join(act_in_words(setting, one) for one in done(position)))
    return "\n".join(lines)


def told_in_words(
    setting: Setting, position: bytes, seat: int, *, private: bool, public: bool
) -> Iterator[str]:
    """Yield all that a seat has been told since the deal: its own cards, and what lay open."""
    told, pack = setting.positions.told(position, seat), setting.rules.pack
    if private:
        yield f"seat {seat}"
        yield f"dealt {cards_in_words(told.dealt, pack)}"
        yield f"hand {cards_in_words(told.hand, pack)}"
        if told.pickup:
            yield f"nest {cards_in_words(told.pickup, pack)}"
    if public:
        if told.face_up:
            yield f"nest face up {cards_in_words(told.face_up, pack)}"
        if told.dummy:
            yield f"dummy {cards_in_words(told.dummy, pack)}"
        if told.statement >= 0:
            yield f"said of the nest {told.statement}"
    for one in done(position):
        known = is_known_to(one, seat) if private else one.phase not in CLOSED_PHASES
        if public or (known and one.phase in CLOSED_PHASES):
            yield act_in_words(setting, one, closed=not known)
