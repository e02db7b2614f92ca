"""Deals and positions as text, and as pictures for a notebook.

Drawing is imported when something is drawn, and not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle

from rookery.cards import Card, Seat, by_suit, card_name, pack_cards
from rookery.game.position import Position
from rookery.rules import Rules


def place_name(rules: Rules, place: int) -> str:
    """Return what a place is called: a seat by its number, then the blind hand.

    >>> from rookery.rules import load
    >>> place_name(load("kd_tournament"), 2)
    'seat 2'
    """
    return f"seat {place}" if place < rules.seats else "the blind hand"


def game_name(rules: Rules) -> str:
    """Return the variant's id, or the name of the house rules."""
    return rules.id or rules.name


def from_seed(seed: int | None) -> str:
    """Return where the cards are from."""
    return "cards as named" if seed is None else f"seed {seed}"


def _sorted(cards: Iterable[Card]) -> list[Card]:
    return by_suit(pack_cards(cards))


def lines_of(rules: Rules, hands: Sequence[Sequence[Card]], nest: Sequence[Card]) -> str:
    """Return hands and nest by name, a line each, sorted as a player sorts a hand."""
    rows = [(place_name(rules, i), cards) for i, cards in enumerate(hands)]
    if nest:
        rows.append(("nest", nest))
    lines = []
    for place, cards in rows:
        names = " ".join(card_name(card, rules.pack) for card in _sorted(cards)) or "-"
        lines.append(f"{place + ':':10}{names}")
    return "\n".join(lines)


def deal_picture(
    rules: Rules,
    dealer: Seat,
    hands: Sequence[Sequence[Card]],
    nest: Sequence[Card],
    seed: int | None,
) -> str:
    """Return a deal as SVG."""
    from rookery.show.notebook import Row, drawn

    rows = [
        Row(place_name(rules, i).capitalize(), "deals" if i == dealer else "", _sorted(cards))
        for i, cards in enumerate(hands)
    ]
    if nest:
        rows.append(Row("The nest", "", _sorted(nest)))
    title = f"{rules.name}: a deal, {from_seed(seed)}"
    return drawn(title, rows, pack=rules.pack, worth=rules.card_points)


def hand_line(hand: Position) -> str:
    """Return where a hand stands, in one line."""
    if hand.phase == "redealt":
        return "the deal was cancelled"
    if hand.phase == "done":
        return f"{contract_line(hand)}; {score_line(hand)}"
    doing = f"{hand.phase}, seat {hand.to_act} to act"
    return doing if hand.declarer is None else f"{contract_line(hand)}; {doing}"


def contract_line(hand: Position) -> str:
    """Return who plays what for how much, as far as it is known."""
    if hand.declarer is None:
        return "no contract"
    call = f" in {hand.call}" if hand.call else ""
    return f"seat {hand.declarer} bid {hand.bid}{call}"


def hand_lines(hand: Position) -> str:
    """Return what everybody holds, a line each; of a hand that is over, what was dealt."""
    if hand.over:
        return lines_of(hand.rules, hand.dealt, hand.nest_dealt)
    return lines_of(hand.rules, hand.cards_held, by_suit(hand.hidden.nest))


def score_line(hand: Position) -> str:
    """Return what each side took and what each seat scores; only of a hand that is done."""
    sides = [" and ".join(map(str, side)) for side in hand.sides or ()]
    took = ", ".join(f"{side} took {n}" for side, n in zip(sides, hand.points or (), strict=True))
    return f"{took}; score {' '.join(map(str, hand.score or ()))}"


def hand_picture(hand: Position) -> str:
    """Return a hand as SVG: what everybody holds and, faintly while it lasts, has played."""
    from rookery.show.notebook import Row, drawn

    rules = hand.rules
    rows = [Row(*_held(hand, place)) for place in range(rules.hands)]
    state, hidden = hand.state, hand.hidden
    if rules.nest_size:
        away = hand.declarer is not None and hand.phase not in ("auction", "nest")
        name = "The discards" if away else "The nest"
        rows.append(Row(name, "", by_suit(hidden.nest)))
    if hand.trick:
        rows.append(Row("On the table", f"seat {state.leader} led", hand.trick))
    title = f"{rules.name}: {from_seed(hand.seed)}"
    line = hand_line(hand)
    foot = [line[0].upper() + line[1:] + "."]
    return drawn(title, rows, pack=rules.pack, worth=rules.card_points, foot=foot)


def _held(hand: Position, place: int) -> tuple[str, str, list[Card], frozenset[Card]]:
    """Return whose hand it is, what is to say of it, its cards, and those that are played."""
    rules, played = hand.rules, _played(hand, place)
    won = sum(trick.winner == place for trick in hand.tricks)
    points = sum(trick.points for trick in hand.tricks if trick.winner == place)
    notes = ["deals"] if place == hand.dealer else []
    if place == hand.declarer:
        notes.append("declares")
    if place == hand.to_act:
        notes.append("to act")
    if won:
        notes.append(f"{won} trick{'s' if won > 1 else ''}, {points} points")
    cards = _sorted([*hand.cards_held[place], *played])
    gone = frozenset() if hand.over else frozenset(played)
    return place_name(rules, place).capitalize(), ", ".join(notes), cards, gone


def _played(hand: Position, place: int) -> list[Card]:
    """Return the cards that a place has played, by who led and who follows whom."""
    tricks = [(trick.leader, trick.cards) for trick in hand.tricks]
    if hand.trick and hand.leader is not None:
        tricks.append((hand.leader, hand.trick))
    return [
        card
        for leader, cards in tricks
        for who, card in zip(cycle(hand.order_from(leader)), cards, strict=False)
        if who == place
    ]
