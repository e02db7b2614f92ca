"""A hand that is followed beside an environment's table, as the oracle of what it shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.cards import CARDS, pack_cards, parse_card, unpack
from rookery.engine.records import Attributes
from rookery.engine.state import PHASES
from rookery.envs.observations.compact import places_of
from rookery.envs.tables import Tables
from rookery.game import Hand
from rookery.game.action import call_words
from rookery.rules.table import compile_rules
from rookery.view import trumps_of, view_of


def dealt_at(tables: Tables, table: int = 0) -> Hand:
    """Return the hand that has just been dealt at a table."""
    hidden, rules = Attributes(tables.hiddens[table]), tables.rules
    from rookery.cards import card_name

    named = [
        [card_name(card, rules.pack) for card in unpack(int(hidden.hand[place]))]
        for place in range(rules.hands)
    ]
    if rules.blind:
        named[-1] = [card_name(int(card), rules.pack) for card in hidden.blind[: rules.hand_size]]
    nest = [card_name(card, rules.pack) for card in unpack(int(hidden.nest))]
    return Hand.deal(rules, int(Attributes(tables.states[table]).dealer), named, nest)


def followed(tables: Tables, actions: int) -> Iterator[Hand]:
    """Draw actions at the first table and yield its hand, before each of them and at each end."""
    hand = dealt_at(tables)
    for _ in range(actions):
        yield hand
        number = int(tables.draw()[0])
        tables.step([number, *tables.draw()[1:]])
        hand = hand.do(number)
        if hand.phase == "redealt":
            hand = dealt_at(tables)
        if hand.over:
            yield hand
            return


def wrong_in(row: npt.NDArray[np.int8], hand: Hand, seat: int) -> list[str]:
    """Return the fields of an observation that are not what the seat's view of the hand says."""
    view, rules = view_of(hand, seat), hand.rules
    table = compile_rules(rules)

    def cards(names: Any) -> list[int]:  # noqa: ANN401
        held = pack_cards(parse_card(name, rules.pack) for name in names or ())
        return [held >> i & 1 for i in range(CARDS)] + [0] * 7

    def one(place: int | None, size: int) -> list[int]:
        return [int(i == place) for i in range(size)]

    def points(amount: int | str | None) -> int:
        return hand.state.high // 5 if amount == "sun" else int(amount or 0) // 5

    tricks = list(hand.tricks)
    trick = [] if hand.over else view.trick
    called = call_words(rules.pack)
    call = None if view.call is None or view.circus else called.index(view.call)
    contract = 0 if hand.state.declarer < 0 else hand.state.contract // 5
    said = view.nest_statement
    said_number = said if isinstance(said, int) else {"points": 1, "none": 0, None: -1}[said]
    expected: dict[str, list[int]] = {
        "hand": cards(view.hand),
        "pickup": cards(view.nest_found),
        "discards": cards(view.discards),
        "face_up": cards(view.nest_face_up),
        "dummy": cards(view.dummy_hand),
        "trick": cards(played.card for played in trick),
        "trumps": cards(trumps_of(hand)),
        "called": cards(view.called),
        "phase": one(PHASES.index(view.phase), 16),
        "numbers": [
            points(view.high_bid), contract, said_number + 1, hand.state.calls, len(tricks),
            0, 0, 0,
        ],
        "flags": [
            int(view.high_bid == "sun"), int(view.circus), int(view.rook == "low"),
            hand.state.broken, int(view.sides is not None), 0, 0, 0,
        ],
    }  # fmt: skip
    if not view.circus:
        expected["call"] = one(call, 16)
    for k in range(rules.hands):
        place = (seat + k) % rules.seats if k < rules.seats else k
        fallen = [
            card
            for one_trick in tricks
            for at, card in zip(hand.order_from(one_trick.leader), one_trick.cards, strict=False)
            if at == place
        ]
        mine = cards(played.card for played in trick if played.place == place)
        before = [int(i in fallen) for i in range(64)]
        won = [one_trick for one_trick in tricks if one_trick.winner == place]
        expected[f"played[{k}]"] = [a | b for a, b in zip(mine, before, strict=True)]
        expected[f"won[{k}]"] = [
            len(won), sum(one_trick.points for one_trick in won) // 5, 0, 0, 0, 0, 0, 0
        ]  # fmt: skip
        expected[f"roles[{k}]"] = [
            int(place == view.dealer), int(place == hand.state.turn),
            hand.state.passed >> place & 1, int(place == view.high_bidder),
            int(place == view.declarer), int(place in view.allies), int(place == hand.state.leader),
            0,
        ]  # fmt: skip
    where = places_of(table)
    return [name for name, values in expected.items() if row[where[name]].tolist() != values]
