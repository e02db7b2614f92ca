"""A table on a device: the same events, the same answers as a server's, and nothing is lost."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.server.http.served import Here
from tests.server.offline.device import Drawer, Page

import rookery
from rookery.engine.targets import MissingTarget, native
from rookery.fairness.check import checked
from rookery.record import loads
from rookery.server.offline import host
from rookery.server.offline.kept import KeptStore
from rookery.server.registry.history import history_of
from rookery.server.store.base import Conflict, StoreError, TableRow
from rookery.server.table.events import Entry, read

I18N = Path(rookery.__file__).parent / "web" / "static" / "i18n"
QUICK = {"base": "kd_tournament", "target": 60}
LOOKS = (
    *("/api/tables/{}/hands", "/api/tables/{}/statistics", "/api/tables/{}/record?match=0"),
    *(
        "/api/replay/{}/0",
        "/api/replay/{}/0?seat=2",
        "/api/replay/{}/9999",
        "/api/replay/{}/0?seat=8",
    ),
    *("/api/tables/{}", "/api/tables/ABCDEF2/hands", "/api/tables/{}/record?match=-1"),
    *("/api/variants", "/api/variants/kd_tournament?lang=es", "/api/variants/none"),
    *("/api/rules/names?lang=es", "/api/rules/schema", "/api/variants?lang=xx", "/api/nothing"),
)


async def matched(page: Page, **wanted: object) -> str:
    """Play a match against bots, and return the code of its table."""
    code = await page.table(rules=QUICK, bots=["club", "random", "papa"], **wanted)
    socket = page.open(code)
    await socket.hear("welcome")
    assert (await socket.do(type="start"))["type"] == "ack"
    await socket.play()
    socket.close()
    return code


def entries_of(drawer: Drawer, code: str) -> list[Entry]:
    made = []
    for one in drawer.events(code):
        event = read(json.dumps(one["event"]))
        made.append(Entry(one["seq"], one["at"], event, one.get("client")))
    return made


def test_a_match_is_played_to_its_end_and_its_record_is_fair() -> None:
    async def story() -> None:
        drawer = Drawer()
        page = await Page(drawer).begin()
        code = await matched(page)
        history = history_of(entries_of(drawer, code))
        assert history.table.phase == "over"
        assert history.matches[0].winners
        written = await page.get(f"/api/tables/{code}/record")
        found = checked(loads(json.dumps(written)))
        assert found.good, found
        await page.end()

    asyncio.run(story())


def test_a_server_with_the_same_events_gives_the_same_answers() -> None:
    async def story() -> None:
        drawer = Drawer()
        page = await Page(drawer).begin()
        code = await matched(page)
        device = {look: await page.ask("GET", look.format(code)) for look in LOOKS}
        server = Here()
        row = TableRow(**json.loads(drawer.kept[f"row/{code}"]))
        await server.store.append(row, entries_of(drawer, code))
        async with server.running(), server.browser() as browser:
            for look, (status, body) in device.items():
                answer = await browser.get(look.format(code))
                assert answer.status_code == status, look
                if status == 200:
                    told = answer.json()
                    if "you" in body:  # who asks is somebody else
                        told["you"] = body["you"]
                    assert told == body, look
                else:
                    assert answer.json()["error"]["code"] == body["error"]["code"], look
        assert [status for status, _ in device.values()].count(200) >= 10
        await page.end()

    asyncio.run(story())


def test_after_a_reload_the_hand_goes_on_where_it_was() -> None:
    async def story() -> None:
        drawer = Drawer()
        page = await Page(drawer).begin()
        code = await page.table(rules=QUICK, bots=["club"] * 3)
        socket = page.open(code)
        await socket.hear("welcome")
        await socket.do(type="start")
        while not (socket.table["view"] and socket.table["view"]["to_act"] == socket.table["you"]):
            await socket.hear("update")
        cards, seq = socket.table["view"]["hand"], socket.table["seq"]
        # The page is gone without a word: its worker ends wherever it was.
        again = await Page(drawer, name="").begin()
        assert (await again.get("/api/session"))["tables"][0]["code"] == code
        back = again.open(code)
        await back.hear("welcome")
        assert back.table["view"]["hand"] == cards
        assert back.table["seq"] >= seq
        await back.play()
        assert history_of(entries_of(drawer, code)).table.phase == "over"
        await again.end()
        await page.end()

    asyncio.run(story())


def test_of_two_pages_one_goes_on_and_the_other_reads_again() -> None:
    async def story() -> None:
        drawer = Drawer()
        one, two = await Page(drawer).begin(), await Page(drawer).begin()
        code = await one.table(rules=QUICK)
        two = await Page(drawer).begin()
        first, second = one.open(code), two.open(code)
        await first.hear("welcome")
        await second.hear("welcome")
        assert (await first.do(type="table", title="First"))["type"] == "ack"
        second.command(type="table", title="Second")
        assert (await second.hear("closing"))["code"] == 4012
        third = two.open(code)
        await third.hear("welcome")
        assert third.table["title"] == "First"
        assert (await third.do(type="table", title="Third"))["type"] == "ack"
        numbers = [event["seq"] for event in drawer.events(code)]
        assert numbers == list(range(1, len(numbers) + 1))
        await one.end()
        await two.end()

    asyncio.run(story())


def test_what_cannot_be_kept_is_not_done() -> None:
    async def story() -> None:
        drawer = Drawer()
        page = await Page(drawer).begin()
        code = await page.table(rules=QUICK)
        socket = page.open(code)
        await socket.hear("welcome")
        drawer.full = True
        answer = await socket.do(type="table", title="Lost")
        assert (answer["type"], answer["code"]) == ("refused", "storage")
        assert (await page.ask("POST", "/api/tables", rules=QUICK))[0] == 503
        drawer.full = False
        assert (await socket.do(type="table", title="Kept"))["type"] == "ack"
        assert socket.table["title"] != "Lost"
        await page.end()

    asyncio.run(story())


@pytest.mark.parametrize("later", [{"later": 1}, {}], ids=["of a later version", "whole"])
def test_what_cannot_be_read_hides_no_other_table(later: dict[str, int]) -> None:
    async def story() -> None:
        drawer = Drawer()
        page = await Page(drawer).begin()
        good, bad, gone = [await page.table(rules=QUICK) for _ in range(3)]
        await page.end()
        for key in ("person", f"row/{good}"):  # another version may keep more of them
            drawer.kept[key] = json.dumps({**json.loads(drawer.kept[key]), **later})
        if later:
            drawer.kept[f"event/{bad}/{1:09}"] = '{"seq": 1, "at": 0, "event": {"type": "later"}}'
            drawer.kept[f"row/{gone}"] = "{}"
        again = await Page(drawer, name="").begin()
        mine = {one["code"] for one in (await again.get("/api/session"))["tables"]}
        assert mine == ({good} if later else {good, bad, gone})
        socket = again.open(good)
        assert (await socket.hear("welcome", "closing"))["table"]["you"] == 0
        told = await again.open(bad).hear("welcome", "closing")
        assert told["type"] == ("closing" if later else "welcome")
        await again.end()

    asyncio.run(story())


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("POST", "/api/tables", {"rules": "none"}, "unknown-rules"),
        ("POST", "/api/tables", {"rules": 7}, "bad-request"),
        ("POST", "/api/tables", {"bots": ["nobody"]}, "unknown-bot"),
        ("POST", "/api/session", {"name": " "}, "bad-name"),
        ("DELETE", "/api/tables", {}, "bad-method"),
        ("GET", "/api/evenings", {}, "not-found"),
        ("GET", "/api/rules/names?lang=", {}, "bad-request"),
        ("GET", "/api/replay/ABCDEF2/x", {}, "bad-request"),
        ("GET", "/api/replay/ABCDEF2/9999999999", {}, "bad-request"),
        ("GET", "/api/replay/ABCDEF2/0?seat=0000000009", {}, "bad-request"),
        ("GET", f"/api/tables/ABCDEF2/record?match={'0' * 9}{'1' * 5000}", {}, "bad-request"),
        ("GET", f"/api/tables/ABCDEF2/matches/{'0' * 5000}/review", {}, "bad-request"),
    ],
)
def test_bad_input_gets_the_servers_word(
    method: str, path: str, body: dict[str, Any], code: str
) -> None:
    async def story() -> None:
        page = await Page(Drawer()).begin()
        status, answer = await page.ask(method, path, **body)
        assert 400 <= status < 500
        assert answer["error"]["code"] == code
        await page.end()

    asyncio.run(story())


def test_nobody_sits_down_without_a_name_and_there_are_no_other_tables() -> None:
    async def story() -> None:
        page = await Page(Drawer(), name="").begin()
        assert (await page.get("/api/session"))["person"] is None
        assert (await page.ask("POST", "/api/tables"))[0] == 401
        nobody = page.open("ABCDEF2")
        assert (await nobody.hear())["code"] == 4003
        page.name = "Ann"
        stranger = page.open("ABCDEF2")
        assert (await stranger.hear())["code"] == 4004
        assert (await page.get("/api/session"))["name"] == "Ann"
        assert (await page.ask("POST", "/api/session", name="Bea"))[1]["name"] == "Bea"
        assert (await page.get("/api/session"))["name"] == "Bea"
        await page.end()

    asyncio.run(story())


def test_an_event_is_never_written_over() -> None:
    async def story() -> None:
        drawer = Drawer()
        page = await Page(drawer).begin()
        code = await page.table(rules=QUICK)
        before = dict(drawer.kept)
        late = KeptStore(page.way.host._store._shelf)
        await late.open()
        entries, row = entries_of(drawer, code), late.rows[code]
        with pytest.raises(Conflict):
            await late.append(row, entries[-1:])
        with pytest.raises(Conflict):  # with a gap
            await late.append(row, [Entry(99, 0, entries[-1].event)])
        assert drawer.kept == before
        await page.end()

    asyncio.run(story())


@pytest.mark.slow
def test_every_level_thinks_where_there_is_a_library_and_the_match_is_reviewed() -> None:
    if not native.LIBRARY.exists():
        pytest.skip("scripts/setup has built no library")

    async def story() -> None:
        page = await Page(Drawer()).begin()
        assert {bot["state"] for bot in await page.get("/api/bots")} == {"ready"}
        code = await page.table(rules=QUICK, bots=["expert", "master", "club"])
        socket = page.open(code)
        await socket.hear("welcome")
        assert (await socket.do(type="start"))["type"] == "ack"
        while not (socket.table["view"] and socket.table["view"]["to_act"] == socket.table["you"]):
            await socket.hear("update")
        socket.say(type="hint")
        assert (await socket.hear("hint"))["by"] == "expert"
        await socket.play()
        thinker = page.way.host.state.registry.thinker
        assert not thinker._tally.stood_in
        assert all(thinker._tally.times[bot].count > 0 for bot in ("expert", "master"))
        status, review, so_far = 202, dict[str, Any](), list[int]()
        while status == 202:
            status, review = await page.ask("GET", f"/api/tables/{code}/matches/0/review")
            so_far.append(review.get("done", -1))
        assert status == 200
        assert review["format"] == "rookery-review/1"
        # It gives way after each decision: whoever asks meanwhile is answered, and hears of each.
        assert sorted(so_far[:-1]) == so_far[:-1]
        assert len(set(so_far)) > 8
        await page.end()

    asyncio.run(story())


def test_without_a_library_the_club_player_plays_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gone(*kernels: object) -> None:
        raise MissingTarget("the native library is not here")

    async def story() -> None:
        monkeypatch.setattr(native, "check", gone)
        page = await Page(Drawer()).begin()
        absent = {bot["id"] for bot in await page.get("/api/bots") if bot["state"] == "absent"}
        assert absent == {"strong", "expert", "master"}
        code = await page.table(rules=QUICK, bots=["expert"] * 3)
        socket = page.open(code)
        await socket.hear("welcome")
        await socket.do(type="start")
        await socket.play()
        thinker = page.way.host.state.registry.thinker
        assert set(thinker._tally.stood_in) == {("expert", "absent")}
        assert (await page.ask("GET", f"/api/tables/{code}/matches/0/review"))[0] in (202, 409)
        await page.end()

    asyncio.run(story())


def test_what_goes_wrong_on_a_device_is_said_of_the_device(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("a fault of the program")

    async def story() -> None:
        drawer = Drawer()
        page = await Page(drawer).begin()
        code = await page.table(bots=["club", "random", "papa"])
        refusals = []
        monkeypatch.setattr(host, "route_to", lambda *_: (broken, {}))
        refusals.append((await page.ask("GET", "/api/bots"))[1]["error"])
        monkeypatch.undo()
        await page.way.host.state.registry.put_away(code)
        monkeypatch.setattr(KeptStore, "row", unread)
        refusals.append((await page.ask("GET", f"/api/tables/{code}"))[1]["error"])
        closing = await page.open(code).hear("closing")
        monkeypatch.undo()
        assert [one["code"] for one in refusals] == ["broken", "not-ready"]
        reasons = [*(one["reason"] for one in refusals), closing["reason"]]
        assert ["device" in one and "server" not in one for one in reasons] == 3 * [True]
        await page.end()

    async def unread(*_: object) -> None:
        raise StoreError("the browser keeps nothing")

    asyncio.run(story())
    assert "a fault of the program" in caplog.text


@pytest.mark.parametrize(("language", "server"), [("en", "server"), ("es", "servidor")])
def test_no_words_for_what_a_device_says_speak_of_a_server(language: str, server: str) -> None:
    said = {"storage", "failed", "broken", "not-ready", "bad-request", "bad-message", "bad-answer"}
    words = dict[str, str]()
    for part in (f"{language}.json", f"pages.{language}.json"):
        words |= json.loads((I18N / part).read_text("utf-8"))
    found = {code: words[f"refused.{code}"] for code in said}
    assert {code for code, text in found.items() if server in text.lower()} == set()
    assert server in words["refused.offline"].lower()  # the control
