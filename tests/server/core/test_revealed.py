"""What an act has shown beyond itself cannot be taken back, and all else can be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.laws.playing import random_action
from tests.server.core.tables import started

from rookery.cards import pack_cards
from rookery.game import Action, Hand
from rookery.rules import Rules, catalog, load, variant
from rookery.server.table import voting
from rookery.server.table.audit import unknown_to
from rookery.server.table.refusals import Refused


def shows_more(before: Hand, after: Hand) -> bool:
    """Return whether somebody knows more after an act than before it, and than what it says."""
    if after.over or len(after.tricks) > len(before.tricks):
        return True
    said = pack_cards(after.actions[-1].cards)
    seats = (None, *range(after.rules.seats))
    return any(unknown_to(before, seat) & ~unknown_to(after, seat) & ~said for seat in seats)


def judged_wrongly(rules: Rules, seed: int) -> Iterator[Action]:
    """Yield the acts of a hand that somebody may take back and should not, or the reverse."""
    sheet, rng = started(rules, seed=seed), Random(seed)
    while not sheet.hand.over:
        before = sheet.hand
        sheet.act(random_action(before, rng))
        seat = voting.actor_of_last(sheet.hand)
        assert seat is not None
        if sheet.table.phase == "playing":
            outcome = voting.undo(sheet.table, seat)
            stays = isinstance(outcome, Refused) and outcome.code == "too-late"
            if stays != shows_more(before, sheet.hand):
                yield sheet.hand.actions[-1]


@pytest.mark.parametrize("name", catalog())
def test_an_act_that_has_shown_more_than_itself_stays(name: str) -> None:
    for seed in range(2):
        assert list(judged_wrongly(variant(name), seed)) == []


@pytest.mark.parametrize(
    "house",
    [
        {"base": "rook_two_1914", "nest_shown": "after_auction"},
        {"base": "kd_tournament", "all_pass": "redeal"},
        {"base": "kd_tournament", "trump_calls": ["notrump", "circus"], "first_lead": "caller"},
    ],
    ids=["nest shown", "all pass", "circus"],
)
def test_what_a_nest_a_redeal_or_a_circus_has_shown_stays(house: dict[str, Any]) -> None:
    for seed in range(12):
        assert list(judged_wrongly(load(house), seed)) == []
