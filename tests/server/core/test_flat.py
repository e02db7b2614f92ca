"""P6: a table that plays on for ever holds no more than one that has just begun."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from random import Random
from types import FunctionType, ModuleType

from tests.server.core.tables import KENTUCKY, PEOPLE, Sheet, started
from tests.server.memory.store import MemoryStore

from rookery.game import Hand
from rookery.rules import Rules, load
from rookery.server.live import idempotency as answered
from rookery.server.live.idempotency import RecentCommands
from rookery.server.registry.history import PlayedHand
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.refusals import refused

QUICK = load({"base": "kd_tournament", "target": 60})


def held(whole: object) -> Iterator[object]:
    """Yield everything that something holds, each once, besides programs and rules."""
    seen, waiting = {id(whole)}, [whole]
    while waiting:
        one = waiting.pop()
        yield one
        for other in gc.get_referents(one):
            apart = isinstance(other, type | ModuleType | FunctionType | Rules)
            if not apart and id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)


def hands_in(whole: object) -> int:
    return sum(isinstance(one, Hand) for one in held(whole))


def played_on(sheet: Sheet, rng: Random, matches: int) -> None:
    """Play so many matches to their end, and begin the one after them."""
    for _ in range(matches):
        sheet.play(rng, lambda _: False)
        sheet.say(sheet.person(sheet.table.host), cm.Rematch("r"))


def test_a_table_holds_the_last_hand_alone_however_many_it_has_seen() -> None:
    sheet, rng = started(QUICK, seed=3), Random(3)
    played_on(sheet, rng, 2)
    first, size = len(sheet.hands), len(list(held(sheet.table)))
    played_on(sheet, rng, 8)
    assert len(sheet.hands) > first + 8
    assert hands_in(sheet.table) == 1
    # Totals and numbers above 256 are things of their own, and there are some of them.
    assert abs(len(list(held(sheet.table))) - size) < 20
    # The control: what was played, all of it, grows with every hand, though it keeps none whole.
    kept = sum(isinstance(one, PlayedHand) for one in held(sheet.history))
    assert kept == len(sheet.hands) - 1 > first  # the last one has just begun
    assert hands_in(sheet.history) == 1


def test_within_a_match_a_line_of_the_score_sheet_is_all_that_stays_of_a_hand() -> None:
    sheet = started(KENTUCKY, seed=5)
    sheet.play(Random(5), lambda hand: hand.over and len(sheet.hands) > 5)
    assert (hands_in(sheet.table), len(sheet.table.scores)) == (1, len(sheet.hands))
    assert sheet.table.place == len(sheet.hands) - 1
    assert sheet.table.finished == sum(hand.phase == "done" for hand in sheet.hands)


def test_a_table_remembers_so_many_answers_and_no_more() -> None:
    store = MemoryStore()
    log = [ev.Entry(i, i, ev.Left(0), f"{PEOPLE[0].id}:{i}") for i in range(1, 3_000)]
    for begun in ([], log):
        answers = RecentCommands("ABCDEF2", begun, store)
        for number in range(3_000, 6_000):
            answers.did(f"p:{number}", number)
            answers.deny(f"p:no-{number}", refused("too-late"))
        assert len(answers._done) + len(answers._denied) == answered.DONE + answered.DENIED
        assert answers.seq_of("p:5999") == 5_999
        assert answers.seq_of("p:3000") is None
