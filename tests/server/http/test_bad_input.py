"""What goes wrong at a table: a clear answer, the table as it was, and a way on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.server.http.served import QUICK, Line, Served, first_legal, line, served, table_for
from websockets.asyncio.client import ClientConnection

from rookery.server.live.sockets import CLOSINGS
from rookery.server.registry.people import TOKEN_MAX

# What somebody sends who sits there and is not on turn, and the code of the answer.
FORGED: list[tuple[dict[str, Any], str]] = [
    ({"type": "act", "action": "MINE", "seen": "SEQ"}, "not-your-turn"),
    ({"type": "act", "action": "MINE", "seen": 0}, "late"),
    ({"type": "act", "action": "MINE", "seen": 9_999}, "late"),
    ({"type": "act", "action": "0 MINE", "seen": "SEQ"}, "bad-action"),
    ({"type": "act", "action": "win", "seen": "SEQ"}, "bad-action"),
    ({"type": "sit", "seat": 1}, "already-seated"),
    ({"type": "start"}, "not-host"),
    ({"type": "contribute", "number": 99, "share": "0" * 32}, "bad-share"),
    ({"type": "vote", "yes": True}, "no-vote"),
    ({"type": "undo"}, "nothing-to-undo"),
    ({"type": "chat", "text": "\u202e"}, "bad-text"),
    ({"type": "chat", "text": "hello \ud800"}, "not-unicode"),
    ({"type": "report", "seat": 7}, "no-person"),
]
# What is no Unicode, and where the answer says that it stands.
HALVES: list[tuple[dict[str, Any], str]] = [
    ({"type": "chat", "text": "Marigold \ud800"}, "text"),
    ({"type": "act", "action": "Marigold \udfff", "seen": 0}, "action"),
    ({"type": "chat", "Marigold": "\ud800"}, "?"),
    ({"type": "chat", "text": ["Marigold", {"phrase": "\ud800"}]}, "text.1.phrase"),
    ({"type": "chat", "text": "hello", "Marigold \ud800": 1}, "?"),
]
MALFORMED = [
    *("", "null", "[]", "{", '{"type":"act"}', '{"type":"sit","id":"x","seat":99}'),
    *(
        '{"type":"nothing","id":"x"}',
        '{"type":"sit","id":"x","more":1}',
        "1e999",
        '{"type":"ping","type":"ping"}',
    ),
]


def plain(reason: str) -> None:
    """Assert that a reason is a sentence for people, and gives nothing of the program away."""
    assert 8 < len(reason) < 250
    assert " " in reason
    assert not any(word in reason for word in ("Traceback", "Error(", ".py", "object at"))


async def begun(one: Line, two: Line) -> tuple[Line, Line]:
    """Begin a match; return the line of the person on turn, and the other."""
    assert (await two.do(type="sit"))["type"] == "ack"
    assert (await one.do(type="start"))["type"] == "ack"
    while one.table["view"] is None or one.table["view"]["to_act"] not in (0, 3):
        await one.hear_type("update")
    while two.table["seq"] < one.table["seq"]:
        await two.hear_type("update")
    mine = one.table["view"]["to_act"] == one.table["you"]
    return (one, two) if mine else (two, one)


def test_forged_late_and_malformed_messages_leave_the_table_as_it_was() -> None:
    async def story(here: Served) -> None:
        ann, bob = here.browser("Ann"), here.browser("Bob")
        code = table_for(ann, rules=QUICK, bots=["papa", "papa"])
        async with line(here, ann, code) as one, line(here, bob, code) as two:
            actor = here.registry._actors[code]
            on_turn, forger = await begun(one, two)
            table, mine = actor.table, first_legal(on_turn.table["view"])
            held = {"MINE": mine, "0 MINE": f"0 {mine}", "SEQ": table.seq}
            for command, wanted in FORGED:
                if command["type"] == "start" and forger is one:
                    continue  # the host may ask for it, if at another time
                sent = {key: held.get(str(value), value) for key, value in command.items()}
                answer = await forger.do(**sent)
                assert (answer["type"], answer["code"]) == ("refused", wanted), sent
                plain(answer["reason"])
            for command, where in HALVES:
                answer = await forger.do(**command)
                assert (answer["type"], answer["code"]) == ("refused", "not-unicode")
                assert answer["reason"].startswith(f"{where}: ")
                assert "Marigold" not in answer["reason"]
                plain(answer["reason"])
            browser, kind = here.browser(), {"content-type": "application/json"}
            for body, where in (
                ('{"name":"Marigold \\ud800"}', "name"),
                ('{"name":{"Marigold":["\\ud800"]}}', "name.?.0"),
                ('{"name":\\ud800', "character 9"),
            ):
                told = browser.post("/api/session", content=body, headers=kind).json()["error"]
                assert told["code"] == "not-unicode"
                assert told["reason"].startswith(f"{where}: ")
                assert "Marigold" not in told["reason"]
            for text in MALFORMED:
                await forger.socket.send(text)
                answer = await forger.hear_type("refused")
                assert answer["code"] == "bad-message", text
                plain(answer["reason"])
            assert here.registry._actors[code].table is table
            assert (await on_turn.do(type="act", action=mine, seen=table.seq))["type"] == "ack"

    with served() as here:
        asyncio.run(story(here))


def test_a_full_table_and_a_taken_name_say_so_and_let_one_watch() -> None:
    async def story(here: Served) -> None:
        ann, other, late = here.browser("Ann"), here.browser("ANN"), here.browser("Late")
        code = table_for(ann, rules=QUICK, bots=["papa", "papa"])
        async with line(here, other, code) as two:
            before = here.registry._actors[code].table
            answer = await two.do(type="sit")
            assert (answer["type"], answer["code"]) == ("refused", "name-taken")
            plain(answer["reason"])
            assert here.registry._actors[code].table is before
            other.post("/api/session", json={"name": "Anna"}).raise_for_status()
            assert (await two.do(type="sit"))["type"] == "ack"
            async with line(here, late, code) as three:
                answer = await three.do(type="sit")
                assert (answer["type"], answer["code"]) == ("refused", "table-full")
                plain(answer["reason"])
                assert three.table["you"] is None
                assert (await three.do(type="chat", phrase="hello"))["type"] == "ack"

    with served() as here:
        asyncio.run(story(here))


@pytest.mark.parametrize("code", ["NOSUCH2", "xx", "%2e%2e", "ABCDEFGHIJ"])
def test_an_unknown_link_is_told_by_the_page_and_by_the_socket(code: str) -> None:
    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        answer = ann.get(f"/api/tables/{code}")
        assert answer.status_code == 404
        plain(answer.json()["error"]["reason"])
        # The page itself comes all the same, and shows the way.
        assert ann.get(f"/t/{code}").headers["content-type"].startswith("text/html")
        async with line(here, ann, code, hello=False) as one:
            told = await one.hear()
        assert (told["type"], told["code"]) == ("closing", 4004)
        assert told["reason"] == CLOSINGS[4004]
        assert table_for(ann)

    with served() as here:
        asyncio.run(story(here))


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "A" * (TOKEN_MAX + 1)])
def test_an_expired_session_is_told_and_a_name_begins_another(token: str) -> None:
    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        table = here.registry._actors[code].table
        stale = here.browser()
        stale.cookies.set("rookery", token)
        answer = stale.post("/api/tables", json={"rules": "kd_tournament"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "no-session")
        plain(answer.json()["error"]["reason"])
        async with line(here, stale, code, hello=False) as one:
            told = await one.hear()
            assert (told["type"], told["code"]) == ("closing", 4003)
            assert isinstance(one.socket, ClientConnection)
        assert here.registry._actors[code].table is table
        fresh = here.browser("Ann again")
        async with line(here, fresh, code) as one:
            assert (await one.do(type="sit"))["type"] == "ack"

    with served() as here:
        asyncio.run(story(here))
