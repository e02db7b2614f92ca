"""Whoever sits at a table is told at once who watches; those who watch are not."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from tests.server.core.tables import PEOPLE, Room, heard, running

from rookery.server.live.company import NAMED
from rookery.server.live.connection import Connection
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.state import Table, Who


def told(line: Connection) -> list[tuple[int, Sequence[str]]]:
    """Return what a connection has been told of watchers since the last look."""
    return [(one.count, one.names) for one in heard(line) if isinstance(one, ms.Watching)]


def test_whoever_sits_there_is_told_who_comes_and_goes() -> None:
    async def scene() -> None:
        room = Room()
        actor, [ann, bob] = await room.table(2, begin=False)
        assert told(ann)[-1:] == [(0, [])]  # Bob watched before they sat down
        assert told(bob) == []
        seq = actor.table.seq
        eve, flo = actor.connect(PEOPLE[4]), actor.connect(PEOPLE[5])
        for line in (eve, flo):
            actor.take(line, cm.Hello())
            await room.settle()
        assert told(ann) == told(bob) == [(1, ["Eve"]), (2, ["Eve", "Flo"])]
        assert (told(eve), told(flo)) == ([], [])
        actor.rename(PEOPLE[4]._replace(name="Eva"))
        await room.settle()
        assert told(ann) == [(2, ["Eva", "Flo"])]
        actor.disconnect(eve)
        await room.settle()
        assert told(ann) == [(1, ["Flo"])]
        assert actor.table.seq == seq  # no event is stored for that
        actor.take(flo, cm.Sit("s"))
        await room.settle()
        assert told(ann) == [(0, [])]
        # Who comes back is told anew.
        actor.take(ann, cm.Leave("l"))
        await room.settle()
        assert told(flo)[-1] == (1, ["Ann"])
        again = actor.connect(PEOPLE[5])
        actor.take(again, cm.Hello())
        await room.settle()
        assert told(again) == [(1, ["Ann"])]
        await room.close()

    running(scene)


def test_whoever_is_sent_the_whole_table_again_is_told_again() -> None:
    async def scene() -> None:
        room = Room()
        actor, [ann, bob] = await room.table(2, begin=False)
        for line in (ann, bob):
            heard(line)
        eve = actor.connect(PEOPLE[4])
        actor.take(eve, cm.Hello())
        await room.settle()
        assert told(ann) == told(bob) == [(1, ["Eve"])]
        actor.take(ann, cm.Hello())
        await room.settle()
        # A browser forgets the names with each `welcome`, and so they come after it.
        assert [type(one) for one in heard(ann)] == [ms.Welcome, ms.Watching]
        assert told(bob) == []

        async def called_otherwise(*_: object) -> Table:
            return replace(actor.table, title="Another")

        assert await actor.rewritten(called_otherwise)
        await room.settle()
        for line in (ann, bob):
            welcome, watching = heard(line)
            assert isinstance(welcome, ms.Welcome)
            assert watching == ms.Watching(1, ["Eve"])
        assert [type(one) for one in heard(eve)] == [ms.Welcome, ms.Welcome]
        await room.close()

    running(scene)


def test_whoever_is_muted_says_nothing_by_their_name_either() -> None:
    async def scene() -> None:
        room = Room()
        actor, [ann, bob] = await room.table(2, begin=False)
        eve = actor.connect(PEOPLE[4])
        for command in (cm.Hello(), cm.Chat("c", text="boo")):
            actor.take(eve, command)
        await room.settle()
        said = actor.table.seq
        assert told(bob)[-1] == (1, ["Eve"])
        actor.rename(PEOPLE[4]._replace(name="Boo"))
        await room.settle()
        assert told(bob) == [(1, ["Boo"])]  # the control
        actor.take(ann, cm.Mute("m", said))
        actor.rename(PEOPLE[4]._replace(name="Boo to Bob"))
        await room.settle()
        assert told(bob) == [(1, [])]
        actor.rename(PEOPLE[4]._replace(name="Boo to Ann"))
        await room.settle()
        assert told(bob) == []
        actor.take(ann, cm.Mute("n", said, on=False))
        actor.rename(PEOPLE[4])
        await room.settle()
        assert told(bob) == [(1, ["Eve"])]
        await room.close()

    running(scene)


def test_a_slow_player_is_not_drowned_and_hears_of_it_later() -> None:
    async def scene() -> None:
        room = Room()
        actor, [ann] = await room.table(1, begin=False)
        heard(ann)
        for number in range(100):
            line = actor.connect(Who(f"w{number}", f"Guest {number}"))
            actor.take(line, cm.Hello())
            await room.settle()
        assert not ann.outbox.ended
        assert len(told(ann)) < 10
        actor.take(ann, cm.Ping())
        await room.settle()
        [(count, names)] = told(ann)
        assert (count, len(names)) == (100, NAMED)
        await room.close()

    running(scene)
