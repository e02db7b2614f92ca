"""P24: neither many cookies nor a host who leaves bring anybody a card or a seat of others."""

from __future__ import annotations

import asyncio

import pytest
from tests.faults.strangers import PLANTED, besieged

ATTEMPTS = 6_000
COMMANDS = {"sit", "leave", "replace", "table", "claim", "undo", "vote", "act", "start", "reload"}


def test_no_stranger_sees_a_card_or_takes_a_seat() -> None:
    siege = asyncio.run(besieged(ATTEMPTS, seed=1))
    assert siege.wrong == []
    assert siege.size >= ATTEMPTS
    # They had hands of their own, tried it all, and owners reloaded all the time.
    assert siege.looked > 100
    assert {told.partition(":")[0] for told in siege.tried} >= COMMANDS
    assert {"auction", "nest", "play"} <= siege.phases.keys()
    assert siege.tried["sit: hand-under-way"] > 100
    assert siege.tried["replace: may-return"] + siege.tried["replace: not-away"] > 0


@pytest.mark.parametrize("fault", PLANTED)
def test_the_control_what_was_so_once_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, wrong = PLANTED[fault]
    monkeypatch.setattr(where, name, wrong)
    assert asyncio.run(besieged(4 * ATTEMPTS, seed=1)).wrong
