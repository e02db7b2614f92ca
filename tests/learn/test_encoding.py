"""What the network is told: named, finite at every rule set, and nothing that is closed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.learn.networks import any_net, generator
from tests.search.test_secrets import twins

from rookery.bots.club.play import club_card
from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.engine.state import PLAY
from rookery.game import Hand
from rookery.learn import encoding, inputs
from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS
from rookery.learn.scoring import OF_CARD, OF_TABLE, WORK
from rookery.rules import Rules, catalog, load
from rookery.rules.table import compile_rules
from rookery.search.state import SearchState


def test_every_input_has_its_name() -> None:
    numbers = {name: value for name, value in vars(inputs).items() if type(value) is int}
    assert len(numbers) == len(TABLE_INPUTS) + len(CARD_INPUTS)
    assert sorted(numbers.values()) == sorted([*range(len(TABLE_INPUTS)), *range(len(CARD_INPUTS))])
    same = sum(
        name.lower() in (TABLE_INPUTS[value : value + 1] + CARD_INPUTS[value : value + 1])
        for name, value in numbers.items()
    )
    assert same > len(numbers) - 10  # those of a card that the table has too are called otherwise


def uncommon() -> list[Rules]:
    """Return house rules with what no variant of the catalogue is played with."""
    strict = {"void_duty": "must_trump", "trump_lead": "when_broken", "set_penalty": "double"}
    return [
        Rules.model_validate(load(name).model_dump() | {"id": "house", **changes})
        for name, changes in (
            ("kd_tournament", {**strict, "defenders_score": False}),
            ("wanamingo", {"trump_calls": ["notrump"]}),
        )
    ]


def test_everything_said_is_finite_and_every_input_says_something() -> None:
    tables = [compile_rules(load(name)) for name in catalog()]
    tables += [compile_rules(rules) for rules in uncommon()]
    examples = generator().examples(tables, 60, 5, any_net(), stray=128)
    assert np.isfinite(examples.table).all()
    assert np.isfinite(examples.cards).all()
    assert np.abs(examples.table).max() <= 4
    assert np.abs(examples.cards).max() <= 16
    for names, said in ((TABLE_INPUTS, examples.table), (CARD_INPUTS, examples.cards)):
        still = [name for name, column in zip(names, said.T, strict=True) if not np.ptp(column)]
        assert still == []


def described(hand: Hand) -> tuple[list[float], ...]:
    """Return what the seat to act would be told, in plain Python."""
    table, state, mine, thought = hand.table, hand.state, SeatInfo(), SearchState()
    observe_trick(table, state, hand.hidden, mine)
    work = [0.0] * WORK
    script = club_card(table, state, mine)
    encoding.list_cards(table, state, mine, thought)
    place = encoding.place_of(table, state, mine, thought, script)
    encoding.encode_rules(table, state, work)
    encoding.encode(table, state, mine, thought, place, work)
    return work[:OF_TABLE], work[OF_TABLE : OF_TABLE + thought.count * OF_CARD]


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5", "buckeye"])
def test_what_a_seat_cannot_see_changes_nothing(name: str) -> None:
    pairs = [pair for pair in twins(name, 1, 3) if pair[0].state.phase == PLAY]
    assert len(pairs) > 8
    for hand, other in pairs:
        assert described(hand) == described(other)


def test_a_net_that_peeps_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    # The control: here the unseen cards are those of one opponent alone.
    truth: list[Hand] = []
    monkeypatch.setattr(
        encoding, "unseen", lambda *_: truth[0].hidden.hand[((truth[0].to_act or 0) + 1) % 4]
    )
    caught = 0
    for hand, other in twins("kd_tournament", 1, 3):
        if hand.state.phase == PLAY:
            found = []
            for one in (hand, other):
                truth[:] = [one]
                found.append(described(one))
            caught += found[0] != found[1]
    assert caught
