"""A person shows the face of a bird, or the initial of their name; everybody sees which."""

from __future__ import annotations

from random import Random

from tests.server.core.tables import PEOPLE, Room, Sheet, heard, last_table, running, started
from tests.server.core.wiped import without

from rookery.bots.birds import BIRDS, flock
from rookery.server.registry.regulars import regulars_of
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.fold import evolve
from rookery.server.table.projection import snapshot

ANN, BOB, CY = PEOPLE[:3]


def faces(sheet: Sheet) -> list[str]:
    return [seat.face for seat in snapshot(sheet.table, 0).seats]


def test_everybody_is_told_which_face_somebody_shows() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(2, begin=False)
        watcher = actor.connect(CY)
        actor.take(watcher, cm.Hello())
        await room.settle()
        for line in (*lines, watcher):
            heard(line)
        actor.take(lines[1], cm.Face("f", "Egret"))
        await room.settle()
        for line in (lines[0], watcher):
            told = heard(line)
            [update] = [one for one in told if isinstance(one, ms.Update)]
            assert [(one["type"], one["seat"], one["face"]) for one in update.events] == [
                ("face_chosen", 1, "Egret")
            ]
            assert [seat["face"] for seat in last_table(told)["seats"]] == ["", "Egret", "", ""]
        await room.close()

    running(scene)


def test_only_whoever_sits_there_shows_a_face_and_only_one_that_there_is() -> None:
    sheet = Sheet(people=2)
    for bird in BIRDS:
        sheet.say(ANN, cm.Face("f", bird))
    assert faces(sheet)[0] == BIRDS[-1]
    for wrong in ("egret", "Dodo", " ", "Egret 2"):
        assert sheet.code(ANN, cm.Face("f", wrong)) == "no-face"
    assert sheet.code(CY, cm.Face("f", "Egret")) == "not-seated"
    sheet.say(ANN, cm.Face("f"))
    assert faces(sheet)[0] == ""


def test_what_is_so_already_is_no_event_and_is_acknowledged() -> None:
    async def scene() -> None:
        room = Room()
        actor, [ann] = await room.table(1)
        watcher = actor.connect(CY)
        actor.take(watcher, cm.Hello())
        await room.settle()
        for chosen in (cm.Face("f", "Wren"), cm.Halt("h")):
            actor.take(ann, chosen)
        await room.settle()
        for line in (watcher, ann):
            heard(line)
        seq = actor.table.seq
        acks = [ms.Ack(f"{n}{one}", seq) for n in range(10) for one in "fh"]
        for ack in acks:
            same = cm.Face(ack.id, "Wren") if "f" in ack.id else cm.Halt(ack.id)
            actor.take(ann, same)
        await room.settle()
        assert actor.table.seq == seq
        assert heard(ann) == acks
        assert heard(watcher) == []
        # A late copy of one that did nothing does nothing, whatever has come since.
        actor.take(ann, cm.Face("g", "Egret"))
        actor.take(ann, cm.Face("0f", "Wren"))
        await room.settle()
        assert actor.table.faces == {ANN.id: "Egret"}
        assert heard(ann)[-1] == ms.Ack("0f", seq)
        await room.close()

    running(scene)


def test_a_face_goes_with_its_person() -> None:
    sheet = Sheet(people=2)
    sheet.say(ANN, cm.Face("f", "Wren"))
    sheet.say(ANN, cm.Arrange("a", [1, 0, 2, 3]))
    assert faces(sheet) == ["", "Wren", "", ""]
    sheet.say(ANN, cm.Leave("l"))
    assert faces(sheet) == ["", "", "", ""]
    sheet.say(ANN, cm.Sit("s", 3))
    assert faces(sheet) == ["", "", "", "Wren"]


def test_a_bot_that_comes_has_another_bird() -> None:
    sheet = Sheet(people=1)
    [first] = flock(sheet.table.code, 1)
    sheet.say(ANN, cm.Face("f", first))
    sheet.say(ANN, cm.Start("g"))
    assert first not in [chair.name for chair in sheet.table.chairs]


def test_the_group_shows_them_also_of_who_has_left() -> None:
    sheet = started()
    sheet.say(BOB, cm.Face("f", "Wren"))
    sheet.play(Random(1), lambda hand: hand.over and hand.score is not None)
    sheet.say(BOB, cm.Leave("l"))
    found = {one.name: one.face for one in regulars_of(sheet.history).people}
    assert found == {"Ann": "", "Bob": "Wren", "Cy": "", "Dee": ""}


def test_whoever_is_forgotten_has_no_face() -> None:
    sheet = Sheet(people=2)
    sheet.say(BOB, cm.Face("f", "Wren"))
    sheet.say(ANN, cm.Face("f", "Egret"))
    changed = {entry.seq: entry for entry in without(sheet.entries, BOB.id)}
    table = type(sheet.table)("")
    for entry in sheet.entries:
        table = evolve(table, changed.get(entry.seq, entry))
    assert table.faces == {ANN.id: "Egret", BOB.id: ""}
