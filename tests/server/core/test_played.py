"""What has been played: one number a hand for the whole table, and the proof of every deal."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest
from tests.server.core.tables import PEOPLE, Sheet, started
from typer.testing import CliRunner

from rookery import record
from rookery.cli.main import app
from rookery.fairness.check import proven
from rookery.game import Hand
from rookery.record import HandRecord
from rookery.rules import load
from rookery.server.live.connection import Audience, Connection, Outbox
from rookery.server.registry.history import History
from rookery.server.registry.played import finished, record_of, replayed
from rookery.server.store.timeline import fresh
from rookery.server.table import commands as cm
from rookery.server.table import state
from rookery.server.table.events import Entry
from rookery.server.table.fold import evolve
from rookery.server.table.messages import encoded
from rookery.server.table.projection import Showing, snapshot
from rookery.server.table.state import Table

QUICK = load({"base": "kd_tournament", "target": 60})


def two_matches() -> History:
    return two_matches_sheet().history


def two_matches_log() -> list[Entry]:
    return two_matches_sheet().entries


@lru_cache(maxsize=1)
def two_matches_sheet() -> Sheet:
    sheet: Sheet = started(QUICK, seed=3)
    rng = Random(3)
    sheet.play(rng, lambda _: False)
    sheet.say(PEOPLE[0], cm.Rematch("r"))
    sheet.play(rng, lambda _: False)
    return sheet


def test_a_hand_has_one_number_wherever_it_is_shown() -> None:
    past = two_matches()
    table = past.table
    shown = snapshot(table, 0)
    assert shown.match_number == 1
    first = len(past.matches[0].hands)
    listed = [one.listed() for one in finished(past) if one.match_number == 1]
    assert [hand.number for hand in shown.hands if hand.score] == [one.number for one in listed]
    assert [hand.hand for hand in shown.hands if hand.score] == [one.hand for one in listed]
    assert listed[0].number >= first > 0
    assert shown.hand_number is not None
    assert shown.hand_number == listed[-1].number
    told = replayed(past, shown.hand_number, None)
    assert told is not None
    assert table.hand is not None
    assert told.actions == [str(action) for action in table.hand.actions]


@pytest.mark.parametrize("size", [state.SHEET, 1])
def test_a_sheet_sent_in_parts_is_the_whole_sheet(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a long match only the last hands are told again; whoever was told the others has them."""
    monkeypatch.setattr(state, "SHEET", size)
    log = two_matches_log()
    lines = [Connection(PEOPLE[0], Outbox(), set(), greeted=True) for _ in range(2)]
    lines[1].parts = True
    table, weights, firsts = Table(""), list[tuple[int, int]](), set[int]()
    kept, shown = list[object](), Showing(table)
    for entry in log:
        table = evolve(table, entry)
        audience = Audience(table, 0, fresh(), shown)
        shown = audience.showing
        for line in lines:
            audience.tell(line, [entry])
        sent = [json.loads(encoded(line.outbox.take()))["table"] for line in lines]
        whole, part = (one.pop("hands") for one in sent)
        first, known = (one.pop("hands_from") for one in sent)
        kept = [*kept[:known], *part]
        assert kept[first:] == whole
        assert len(whole) < 2 * size
        assert sent[0] == sent[1]
        firsts.add(first)
        weights.append((len(whole), len(part)))
    assert max(weights)[0] > (size > 1)
    assert max(part for _, part in weights) == 1
    assert (max(firsts) > 0) == (size == 1)


def test_totals_under_a_cap_are_the_tables_own() -> None:
    capped = {"base": "kd_tournament", "target": 300, "own_contract_to_go_out": {"cap": 60}}
    sheet = started(load(capped), seed=3)
    sheet.play(Random(3), lambda _: len(sheet.table.scores) > 8)
    shown = [list(hand.totals) for hand in snapshot(sheet.history.table, 0).hands if hand.score]
    listed = [one.listed() for one in finished(sheet.history)]
    assert [one.totals for one in listed] == shown
    scores = zip(*(hand.score for hand in listed), strict=True)
    assert list(map(sum, scores)) != shown[-1]  # the control: somebody was held at the cap


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_4", "rook_1906", "dixie_6"])
def test_a_line_says_who_scored_together(name: str) -> None:
    sheet = started(load(name), seed=5)
    sheet.play(Random(5), lambda _: len(sheet.table.scores) > 3)
    found = list(finished(sheet.history))
    assert len(found) > 2
    for one in found:
        rules, written = one.match.rules, one.hand.written
        hand = Hand.deal(rules, written.dealer, written.deal or [], written.nest)
        for action in written.actions:
            hand = hand.act(action)
        assert hand.sides is not None
        assert one.listed().sides == [list(side) for side in hand.sides]


@pytest.mark.parametrize("match", [0, 1])
def test_a_record_proves_its_deals_and_can_be_played_again(match: int, tmp_path: Path) -> None:
    text = record_of(two_matches(), match)
    assert text is not None
    kept = record.loads(text)
    assert len({hand.extra["proof"]["number"] for hand in kept.hands}) == len(kept.hands)
    for hand in kept.hands:
        assert proven(QUICK, hand)
        assert proven(QUICK, replace(hand, nest=hand.nest[::-1])) is False
    assert record.dumps(kept) == text
    assert record.replay(kept).winners is not None
    file = tmp_path / "match.json"
    file.write_text(text)
    assert CliRunner().invoke(app, ["replay", str(file)]).exit_code == 0


def test_a_replay_proves_its_deal_in_earlier_matches_too() -> None:
    past = two_matches()
    done = list(finished(past))
    assert {one.match_number for one in done} == {0, 1}
    for one in (done[0], done[-1]):
        told = replayed(past, one.number, None)
        assert told is not None
        assert told.proof is not None
        assert proven(QUICK, HandRecord(0, told.deal, told.nest, extra={"proof": told.proof}))
