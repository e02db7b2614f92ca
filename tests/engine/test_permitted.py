"""One action is permitted exactly where the list of legal actions has it."""

from typing import Any

import pytest
from tests.engine.stepping import OVER, WILD, Plain, house_rules

from rookery.engine.actions import ACTIONS, CHALLENGE, PASS, legal, legal_cards, permitted
from rookery.rules import Rules, catalog, load
from rookery.rules.table import compile_rules

NONSENSE = (-70, -1, ACTIONS, 1 << 40)


def disagreements(rules: Rules, hands: int) -> tuple[int, list[tuple[int, int]]]:
    """Return how many positions were looked at, and where list and answer part: phase, action."""
    table = compile_rules(rules)
    room, positions = [0] * ACTIONS, 0
    found: list[tuple[int, int]] = []
    for number in range(hands):
        game = Plain(table, [WILD] * table.seats)
        game.advance(number, number % table.seats)
        while True:
            listed = set(room[: legal(table, game.state, game.hidden, room)])
            cards = legal_cards(table, game.state, game.hidden)
            positions += 1
            for action in (*range(CHALLENGE), *NONSENSE):
                said = permitted(table, game.state, game.hidden, cards, action)
                if said != (action in listed):
                    found.append((game.state.phase, action))
            if game.advance(number) == OVER:
                break
    return positions, found


@pytest.mark.parametrize("name", catalog())
def test_it_agrees_with_the_list_at_every_position(name: str) -> None:
    positions, found = disagreements(load(name), 3)
    assert positions > 3 * 9
    assert found == []


def test_it_agrees_with_the_list_under_house_rules() -> None:
    for rules in house_rules(30):
        assert disagreements(rules, 1)[1] == []


def test_a_wrong_answer_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = permitted

    def forbids_a_pass(*position: Any) -> bool:  # noqa: ANN401
        return position[-1] != PASS and sound(*position)

    monkeypatch.setattr(f"{__name__}.permitted", forbids_a_pass)
    assert disagreements(load("kd_tournament"), 1)[1]
