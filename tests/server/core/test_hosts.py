"""Who is host: somebody who sits there, or nobody, whatever is done at a table and however late."""

from __future__ import annotations

from random import Random

import pytest
from tests.server.core.tables import KENTUCKY, PEOPLE, Room, Sheet, heard, running

from rookery.server.settings import Settings
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table import timers
from rookery.server.table.refusals import Refused
from rookery.server.table.state import Table

ANN, BOB = PEOPLE[:2]
SETTINGS = Settings()
STEPS = 150


def lawful(table: Table) -> bool:
    """Return whether a person is host, or nobody where no person sits."""
    if table.host is None:
        return not any(chair.kind == "person" for chair in table.chairs)
    return table.chairs[table.host].kind == "person"


def any_command(rng: Random, table: Table) -> cm.Changing:
    seats = list(range(len(table.chairs)))
    seat = rng.choice(seats)
    arranged = rng.sample(seats, len(seats))
    commands: list[cm.Changing] = [
        cm.Sit("c", seat=rng.choice([None, seat])),
        cm.Leave("c"),
        cm.Replace("c", seat),
        cm.Host("c", seat),
        cm.StandIn("c", seat),
        cm.Bot("c", seat, rng.choice([None, "papa"])),
        cm.Arrange("c", arranged),
    ]
    if rng.random() < 0.3:
        commands += [cm.Start("c"), cm.Rematch("c")]
    return rng.choice(commands)


def step(sheet: Sheet, rng: Random) -> None:
    """Have somebody do something, come or go, or let time pass."""
    who, what = rng.choice(PEOPLE[:5]), rng.random()
    if what < 0.6:
        outcome = sheet.ask(who, any_command(rng, sheet.table))
        sheet.add([] if isinstance(outcome, Refused) else outcome)
    elif what < 0.75:
        sheet.add(timers.disconnected(sheet.table, who.id))
    elif what < 0.9:
        sheet.add(timers.connected(sheet.table, who.id, who.name))
    else:
        sheet.now += rng.choice([1_000, SETTINGS.grace + 1])
        due = timers.due(sheet.table, SETTINGS, 0)
        if due is not None and due.at <= sheet.now and due.what in ("host", "stand-in"):
            sheet.add(timers.happens(sheet.table, due, SETTINGS, sheet.chances))


@pytest.mark.parametrize("seed", range(20))
def test_the_host_is_somebody_who_sits_there(seed: int) -> None:
    rng = Random(seed)
    sheet = Sheet(people=rng.randrange(1, 4), seed=seed)
    for _ in range(STEPS):
        step(sheet, rng)
        assert lawful(sheet.table), sheet.entries[-3:]


def test_a_host_who_goes_while_they_give_their_own_seat_away_is_host_no_more() -> None:
    async def scene() -> None:
        room = Room()
        actor, [ann, bob] = await room.table(2, KENTUCKY, begin=False)
        heard(bob)
        # Ann is gone by the time that the second is heard.
        actor.take(ann, cm.Chat("c", text="bye"))
        actor.take(ann, cm.Replace("r", 0))
        actor.disconnect(ann)
        await room.settle()
        assert actor.table.chairs[0].kind == "bot"
        assert actor.table.host == actor.table.seat_of(BOB.id) == 1
        actor.take(bob, cm.Start("g"))
        await room.settle()
        assert [one.id for one in heard(bob) if isinstance(one, ms.Ack)] == ["g"]
        await room.close()

    running(scene)


def test_the_last_person_who_does_leaves_a_table_without_a_host() -> None:
    sheet = Sheet(people=1)
    sheet.add(timers.disconnected(sheet.table, ANN.id))
    sheet.say(ANN, cm.Replace("r", 0))
    assert sheet.table.host is None
    sheet.say(BOB, cm.Sit("s"))
    assert sheet.table.host == sheet.table.seat_of(BOB.id)
