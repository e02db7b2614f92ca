"""Hands that are over are looked at while a server runs: what is wrong is counted, and no more."""

from __future__ import annotations

import asyncio
import logging
import time
from copy import copy
from random import Random

import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry, generate_latest
from tests.golden.dealt import held, said
from tests.golden.test_defaults_calls import at_the_circus
from tests.server.core.tables import (
    PATIENCE,
    Room,
    Sheet,
    heard,
    play_one,
    running,
    settled,
    started,
)

from rookery.cards import unpack
from rookery.game import Hand
from rookery.record import Record
from rookery.rules import catalog, load, variant
from rookery.server.monitoring import metrics
from rookery.server.monitoring.metrics import measured
from rookery.server.table import audit
from rookery.server.table.audit import Auditor, unknown_to
from rookery.server.table.state import Table


def played_to_its_end(name: str = "kd_tournament", seed: int = 3) -> Sheet:
    """Return a table whose first hand has been played to its end."""
    sheet = started(variant(name), seed=seed)
    sheet.play(Random(seed), lambda hand: hand.over)
    return sheet


def a_hand_over(name: str = "kd_tournament", seed: int = 3) -> Table:
    return played_to_its_end(name, seed).table


def with_hand(table: Table, hand: Hand) -> Table:
    match = copy(table.match)
    assert match is not None
    match.hands = (hand,)
    return replace(table, match=match)


def hand_of(table: Table) -> Hand:
    assert table.hand is not None
    return table.hand


def wrong(auditor: Auditor) -> dict[tuple[str, str], int]:
    return {what: count for what, count in auditor.found.items() if what[1] != "same" and count}


@pytest.mark.parametrize("name", catalog())
def test_a_hand_of_every_game_is_as_promised(name: str) -> None:
    auditor = Auditor(Random(name).randrange)
    table = a_hand_over(name)
    for _ in range(3):
        auditor.audit(table)
    assert wrong(auditor) == {}
    assert auditor.found["P11", "same"] == auditor.found["P10", "same"] == 3
    assert auditor.found["P7", "same"] > 0


def test_a_record_that_gives_another_hand_is_found() -> None:
    table, auditor = a_hand_over(), Auditor(Random(1).randrange)
    shorter, illegal = copy(hand_of(table)), copy(hand_of(table))
    shorter.actions = shorter.actions[:-1]
    auditor.audit(with_hand(table, shorter))
    assert auditor.found["P11", "different"] == 1
    illegal.actions = (*illegal.actions, illegal.actions[-1])
    auditor.audit(with_hand(table, illegal))
    assert auditor.found["P11", "different"] == 2


@pytest.mark.parametrize("another_gone", [False, True])
def test_a_card_in_two_places_is_found(another_gone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    played = audit._positions

    def doubled(record: Record) -> list[Hand]:
        first, *rest = played(record)
        broken, hidden = copy(first), first.hidden
        if another_gone:
            hidden.nest &= hidden.nest - 1
        hidden.nest |= 1 << next(unpack(hidden.hand[0]))
        broken._hidden = hidden
        return [broken, *rest]

    monkeypatch.setattr(audit, "_positions", doubled)
    auditor = Auditor(Random(1).randrange)
    auditor.audit(a_hand_over())
    assert auditor.found["P10", "different"] == 1
    assert auditor.found["P11", "same"] == 1


def test_a_screen_that_tells_too_much_is_found(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = audit.shown

    def leaky(table: Table, seat: int | None) -> bytes:
        hand = hand_of(table)
        return whole(table, seat) + repr(hand.names(unpack(hand.hidden.hand[0]))).encode()

    monkeypatch.setattr(audit, "shown", leaky)
    auditor, table = Auditor(Random(1).randrange), a_hand_over()
    for _ in range(20):
        auditor.audit(table)
    assert auditor.found["P7", "different"] > 0
    assert set(wrong(auditor)) == {("P7", "different")}
    assert caplog.messages[0] == "table ABCDEF2: a hand is not as P7 promises"


def test_it_fails_without_a_card_and_without_anybodys_noticing(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> bytes:
        raise ValueError("R14")

    table = a_hand_over()
    auditor = Auditor(Random(1).randrange)
    monkeypatch.setattr(audit, "shown", broken)
    for _ in range(3):
        auditor.audit(table)
    monkeypatch.setattr(audit, "dumps", broken)
    auditor.audit(table)
    assert wrong(auditor) == {("P7", "failed"): 3, ("P11", "failed"): 1}
    assert {record.levelno for record in caplog.records} == {logging.ERROR}
    assert "R14" not in caplog.text
    assert "ABCDEF2" in caplog.text


def test_whoever_gave_a_card_knows_where_it_lies() -> None:
    gifts = ("G5", "R14", "B5", "R1")
    hand = said(at_the_circus(load("circus")), *(f"give {gifts[seat]}" for seat in (1, 2, 3, 0)))
    for seat, gift in enumerate(gifts):
        assert gift in held(hand, (seat + 1) % 4)
        nest = set[str]() if seat == hand.declarer else set(hand.names(unpack(hand.hidden.nest)))
        others = nest.union(*(held(hand, other) for other in range(4) if other != seat))
        assert set(hand.names(unpack(unknown_to(hand, seat)))) == others - {gift}


async def to_the_end(room: Room) -> None:
    """Play the first hand of a table to its end."""
    actor, lines = await room.table()
    number = 0
    while not hand_of(actor.table).over:
        play_one(actor, lines, number)
        await room.settle()
        for line in lines:
            heard(line)
        number += 1


def test_a_server_looks_at_the_hands_of_its_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "PAUSE", 0)

    async def story() -> None:
        room = Room()
        await to_the_end(room)
        until = time.monotonic() + PATIENCE
        while not room.registry.auditor.found["P11", "same"]:
            assert time.monotonic() < until
            await asyncio.sleep(0.001)
        collectors = CollectorRegistry()
        measured(room.registry, collectors)
        told = generate_latest(collectors).decode()
        assert 'rookery_audits_total{found="same",promise="P11"} 1.0' in told
        assert 'rookery_audits_total{found="different",promise="P11"} 0.0' in told
        assert f'rookery_same_match_info{{sha256="{metrics.same_hands()}"}} 1.0' in told
        await room.close()

    running(story)


def test_hands_that_end_at_once_are_looked_at_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(audit, "PAUSE", 0)

    async def story() -> None:
        auditor, sheet = Auditor(), played_to_its_end()
        for ended, looked_at in ((3, 3), (1, 4)):
            for _ in range(ended):
                auditor.observe(sheet.table, sheet.entries[-1:])
            await settled()
            assert auditor.found["P11", "same"] == looked_at

    running(story)


def test_a_server_that_is_behind_leaves_hands_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "ROOM", 0)

    async def story() -> None:
        room = Room()
        await to_the_end(room)
        assert wrong(room.registry.auditor) == {(promise, "left out"): 1 for promise in audit.LOOKS}
        await room.close()

    running(story)


def test_the_hash_is_the_same_until_somebody_plays_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = metrics.same_hands()
    metrics.same_hands.cache_clear()
    assert metrics.same_hands() == first
    # The control: other dice are another hash.
    monkeypatch.setattr(metrics, "SEED", 2027)
    metrics.same_hands.cache_clear()
    try:
        assert metrics.same_hands() != first
    finally:
        metrics.same_hands.cache_clear()
