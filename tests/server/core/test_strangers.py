"""Quick match: where strangers are shown to, and beside whom nobody is ever seated."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from tests.server.core.tables import KENTUCKY, PEOPLE, Room, heard, running

from rookery.rules import Rules, load
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.settings import Settings
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.state import Who

ANN, BOB, CY, DEE, EVE = PEOPLE[:5]
OTHER = load("call_partner_4_short")


async def waiting(room: Room, *people: Who, rules: Rules = KENTUCKY) -> list[Connection]:
    """Have people wait at an open table; return their connections, the host's first."""
    made = await room.registry.create(people[0], rules, listed=True)
    assert isinstance(made, Actor)
    lines = [made.connect(who) for who in people]
    for line in lines:
        made.take(line, cm.Hello())
        if line.who != people[0]:
            made.take(line, cm.Sit(f"sit-{line.who.id}"))
    await room.settle()
    assert len([chair for chair in made.table.chairs if chair.here]) == len(people)
    return lines


def at(room: Room, person: Who) -> Actor:
    [found] = [one for one in room.registry.actors if one.table.seat_of(person.id) is not None]
    return found


async def shown(
    room: Room, who: Who, rules: Rules | None = KENTUCKY, but: tuple[str, ...] = ()
) -> tuple[str, int, bool] | None:
    found = await room.registry.strangers.find(who, rules, but)
    return None if found is None else (found.table.code, found.people, found.seated)


async def answered(room: Room, actor: Actor, line: Connection, command: cm.Changing) -> str:
    """Return the answer to a command: ``ack``, the code of a refusal, or nothing yet."""
    heard(line)
    actor.take(line, command)
    await room.settle()
    told = [one for one in heard(line) if isinstance(one, ms.Ack | ms.Refused)]
    assert len(told) <= 1
    return "" if not told else "ack" if isinstance(told[0], ms.Ack) else told[0].code


def test_most_company_before_the_match_comes_first_and_nobody_is_no_company() -> None:
    async def scene() -> None:
        room = Room()
        assert await shown(room, EVE) is None
        await waiting(room, ANN)
        assert await shown(room, EVE) == (at(room, ANN).table.code, 1, False)
        await waiting(room, BOB, CY)
        assert await shown(room, EVE) == (at(room, BOB).table.code, 2, False)
        assert await shown(room, EVE, but=(at(room, BOB).table.code,)) == (
            at(room, ANN).table.code,
            1,
            False,
        )
        # Whoever waits is led to where more wait, and else back to their own table.
        assert await shown(room, ANN) == (at(room, BOB).table.code, 2, False)
        assert await shown(room, BOB) == (at(room, BOB).table.code, 1, True)
        assert await shown(room, ANN, but=(at(room, BOB).table.code,)) == (
            at(room, ANN).table.code,
            0,
            True,
        )
        await room.close()

    running(scene)


def test_only_the_same_game_counts_where_one_is_asked_for() -> None:
    async def scene() -> None:
        room = Room()
        await waiting(room, ANN, BOB, rules=OTHER)
        assert await shown(room, EVE) is None
        assert await shown(room, EVE, rules=None) == (at(room, ANN).table.code, 2, False)
        named = KENTUCKY.model_copy(update={"name": "Ours", "id": None})
        await waiting(room, CY, rules=named)
        assert await shown(room, EVE) == (at(room, CY).table.code, 1, False)
        await room.close()

    running(scene)


def test_a_table_that_is_closed_full_or_deserted_is_shown_to_nobody() -> None:
    async def scene() -> None:
        room = Room(settings=Settings(unseen=10))
        made = await room.registry.create(ANN, KENTUCKY)
        assert isinstance(made, Actor)
        await waiting(room, BOB, CY, DEE, PEOPLE[5])
        assert await shown(room, EVE, rules=None) is None
        [line] = await waiting(room, PEOPLE[6])
        assert await shown(room, EVE, rules=None) is not None
        at(room, PEOPLE[6]).disconnect(line)
        await room.settle()
        assert await shown(room, EVE, rules=None) is None
        # The table sleeps, and is still the one of whoever waited there.
        code = at(room, PEOPLE[6]).table.code
        assert await shown(room, PEOPLE[6]) == (code, 0, True)
        await room.registry.stop(code, 4012, "asleep")
        assert await shown(room, EVE, rules=None) is None
        assert await shown(room, PEOPLE[6]) == (code, 0, True)
        # But not where it is among those that they have left behind.
        assert await shown(room, PEOPLE[6], but=(code,)) is None
        await room.close()

    running(scene)


@pytest.mark.parametrize("why", ["blocks", "blocked", "removed", "sent away"])
def test_who_must_not_sit_there_is_not_shown_there(why: str) -> None:
    async def scene() -> None:
        room = Room()
        lines = await waiting(room, ANN, BOB)
        table = at(room, ANN)
        cys = table.connect(CY)
        table.take(cys, cm.Hello())
        if why == "blocks":
            assert await answered(room, table, cys, cm.Block("b", 1)) == "ack"
        elif why == "blocked":
            assert await answered(room, table, cys, cm.Sit("s")) == "ack"
            assert await answered(room, table, lines[1], cm.Block("b", 2)) == "ack"
            assert await answered(room, table, cys, cm.Leave("l")) == "ack"
        elif why == "removed":
            assert await answered(room, table, cys, cm.Sit("s")) == "ack"
            assert await answered(room, table, lines[0], cm.Replace("r", 2)) == "ack"
        else:
            assert await answered(room, table, cys, cm.Chat("c", "Hello")) == "ack"
            seq = table.table.seq
            assert await answered(room, table, lines[0], cm.SendAway("w", seq)) == "ack"
        assert await shown(room, CY) is None
        # Not even under a name that somebody there has, by which they would be refused first.
        assert await shown(room, Who(CY.id, "ANN")) is None
        assert await shown(room, EVE) == (table.table.code, 2, False)
        assert await shown(room, Who("p99", "ANN")) == (table.table.code, 2, False)
        await waiting(room, DEE)
        assert await shown(room, CY) == (at(room, DEE).table.code, 1, False)
        await room.close()

    running(scene)


def test_who_is_blocked_meanwhile_is_not_seated_and_hears_no_more_than_that() -> None:
    async def scene() -> None:
        room = Room()
        lines = await waiting(room, ANN)
        table = at(room, ANN)
        bobs = table.connect(BOB)
        table.take(bobs, cm.Hello())
        assert await shown(room, BOB) == (table.table.code, 1, False)
        # At another table, on another line: what is stored is asked, not what a connection knew.
        await waiting(room, BOB, ANN, rules=OTHER)
        other = next(one for one in room.registry.actors if one is not table)
        anns = other.connect(ANN)
        other.take(anns, cm.Hello())
        assert await answered(room, other, anns, cm.Block("b", 0)) == "ack"
        assert lines[0].blocked == set()
        sit = cm.Sit("s1", matched=True)
        assert await answered(room, table, bobs, sit) == "table-full"
        assert await answered(room, table, bobs, sit) == "table-full"
        assert table.table.seat_of(BOB.id) is None
        # Word for word what a table without a free seat says: not that somebody there blocks them.
        full = await room.registry.create(CY, KENTUCKY, bots=["papa"] * 3)
        assert isinstance(full, Actor)
        there = full.connect(BOB)
        full.take(there, cm.Sit("s1", matched=True))
        table.take(bobs, sit)
        await room.settle()
        [why] = [one for one in heard(there) if isinstance(one, ms.Refused)]
        assert heard(bobs) == [why]
        # By a link, or out of the list, people choose for themselves.
        assert await answered(room, table, bobs, cm.Sit("s2")) == "ack"
        await room.close()

    running(scene)


def test_a_table_that_has_begun_with_bots_still_takes_the_next_stranger() -> None:
    async def scene() -> None:
        room = Room()
        [line] = await waiting(room, ANN)
        table = at(room, ANN)
        assert await answered(room, table, line, cm.Start("go")) == "ack"
        assert table.table.in_hand
        assert await shown(room, EVE) == (table.table.code, 1, False)
        eves = table.connect(EVE)
        table.take(eves, cm.Hello())
        assert await answered(room, table, eves, cm.Sit("s", wait=True, matched=True)) == ""
        dees = table.connect(DEE)
        table.take(dees, cm.Hello())
        assert await answered(room, table, dees, cm.Block("b", 0)) == "ack"
        sit = cm.Sit("d", wait=True, matched=True)
        assert await answered(room, table, dees, sit) == "table-full"
        # A table before its match comes first, however few wait there.
        await waiting(room, BOB)
        assert await shown(room, CY) == (at(room, BOB).table.code, 1, False)
        await room.close()

    running(scene)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_people_do_nobody_is_matched_with_whom_they_are_apart(seed: int) -> None:
    async def scene() -> None:
        room, rng = Room(seed=seed), Random(seed)
        apart: set[frozenset[str]] = set()
        lines: dict[tuple[str, str], Connection] = {}
        together: dict[str, set[str]] = {}  # who has been put together with whom by a table's code
        for turn in range(80):
            who = rng.choice(PEOPLE)
            seats = [one for one in room.registry.actors if one.table.seat_of(who.id) is not None]
            if seats and rng.random() < 0.5:
                table = rng.choice(seats)
                line = lines[who.id, table.table.code]
                others = [
                    (seat, chair.person)
                    for seat, chair in enumerate(table.table.chairs)
                    if chair.person not in (None, who.id)
                ]
                if others and rng.random() < 0.4:
                    seat, person = rng.choice(others)
                    assert person is not None
                    await answered(room, table, line, cm.Block(f"b{turn}", seat))
                    apart.add(frozenset((who.id, person)))
                elif rng.random() < 0.2:
                    await answered(room, table, line, cm.Leave(f"l{turn}"))
                continue
            found = await room.registry.strangers.find(who, KENTUCKY, ())
            if found is None:
                [line] = await waiting(room, who)
                table = next(one for one in room.registry.actors if line in one.company.lines)
                lines[who.id, table.table.code] = line
                continue
            code = found.table.code
            actor = room.registry._actors[code]
            here = {chair.person for chair in actor.table.chairs if chair.here} - {who.id}
            assert found.people == len(here)
            assert found.seated is (actor.table.seat_of(who.id) is not None)
            if found.seated:
                continue
            sat = {chair.person for chair in actor.table.chairs if chair.person} - {who.id}
            assert not any(frozenset((who.id, one)) in apart for one in sat)
            line = actor.connect(who)
            actor.take(line, cm.Hello())
            lines[who.id, code] = line
            assert await answered(room, actor, line, cm.Sit(f"s{turn}", matched=True)) == "ack"
            together.setdefault(code, set()).add(who.id)
        assert any(len(people) > 1 for people in together.values())
        assert apart
        assert len(list(combinations(PEOPLE, 2))) > len(apart)
        await room.close()

    running(scene)
