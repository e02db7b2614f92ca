"""What a server keeps since Rookery 1.0, made by REST and sockets alone.

Score sheets, evenings of every movement, on paper and on screens, passkeys, mistakes, ratings,
daily deals, and matches that were played on a device.
"""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import httpx
from cryptography.hazmat.primitives import serialization as written_as
from tests.kept.making.tables import Evening
from tests.kept.served import PATIENCE, Server
from tests.server.http.authenticator import Authenticator, written
from tests.server.http.test_mistakes import ONE
from tests.server.offline.device import Drawer, Page, first_of
from tests.server.offline.test_handed import played
from tests.server.offline.test_host import matched

NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal"]
TWELVE = [*NAMES, "Ida", "Jo", "Kim", "Lou"]
QUICK = {"base": "kd_tournament", "name": "Sixty is enough", "target": 60}
# By movement, who comes; there are three rounds at least.
MOVEMENTS: dict[str, list[str]] = {
    **dict.fromkeys(("individual", "halves", "progressive", "redraw", "pairs", "swiss"), NAMES),
    **dict.fromkeys(("double", "howell"), NAMES),
    **dict.fromkeys(("relay", "single", "mitchell"), TWELVE),
}
PLAYED = {"hands": 1, "bot": "papa", "pace": "instant", "auto": False}
HANDS: list[dict[str, Any] | None] = [
    {"declarer": "Ann", "bid": 95, "points": {"Ann": "60+40-5"}},
    {"redealt": True},
    {"declarer": "Bob", "bid": 100, "points": {"Bob": 95}},
    {"declarer": "Cy", "bid": 90, "points": {"Cy": 110}},
]


class Since(Evening):
    """The people of a server, with what they have made.

    Attributes:
        keys: of sheets and evenings, by their codes.
        shown: who looks at what: a name, or nobody, and paths.
    """

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.keys: dict[str, str] = {}
        self.shown: dict[str, list[str]] = {name: [] for name in (*self.people, "")}
        self._ids = 0

    def id(self) -> str:
        self._ids += 1
        return f"{self._ids:016}"

    def posted(self, who: str, path: str, body: object = None, **headers: str) -> dict[str, Any]:
        return self.asked("POST", who, path, body, **headers)

    def asked(
        self, how: str, who: str, path: str, body: object = None, **headers: str
    ) -> dict[str, Any]:
        """Return what somebody is answered; wait where they ask too often."""
        named = {f"x-{name}-key": value for name, value in headers.items()}
        while True:
            answer = self.people[who].request(how, path, json=body, headers=named)
            if answer.status_code != 429:
                break
            time.sleep(1)
        assert answer.is_success, (path, body, answer.text)
        return dict(answer.json())

    def looks(self, *paths: str, who: tuple[str, ...] = ("Ann", "Bob", "")) -> None:
        for name in who:
            self.shown[name] += paths


def sheet(here: Since) -> None:
    """A sheet that two people write, with a hand in dispute and one that was corrected."""
    wanted = {"rules": QUICK, "players": NAMES[:4], "dealer": 2, "agree": False}
    made = here.posted("Ann", "/api/sheets", wanted)
    code, key = made["code"], made["key"]
    here.codes["sheet"], here.keys[code] = code, key
    entries = f"/api/sheets/{code}/entries"

    def says(who: str, said: object, hand: int, over: int = 0) -> None:
        entry = {"id": here.id(), "hand": hand, "over": over, "said": said}
        here.posted(who, entries, entry, sheet=key)

    for hand, said in enumerate(HANDS[:3]):
        says("Ann" if hand % 2 else "Bob", said, hand)
    says("Bob", {"declarer": "Bob", "bid": 100, "points": {"Bob": 100}}, 2, 3)
    says("Ann", {"declarer": "Bob", "bid": 100, "points": {"Bob": 90}}, 2, 3)
    here.looks(f"/api/sheets/{code}", f"/api/sheets/{code}/file?form=json")


class Night:
    """An evening of many tables that Ann runs."""

    def __init__(self, here: Since, what: str, **wanted: object) -> None:
        self.here = here
        asked = {"name": f"An evening: {what}", "people": NAMES, **wanted}
        made = here.posted("Ann", "/api/evenings", asked)
        self.code, self.at = made["code"], f"/api/evenings/{made['code']}"
        here.codes[what], here.keys[self.code] = self.code, made["key"]
        here.looks(self.at, f"{self.at}/file?form=json")

    def change(self, do: str, who: str = "Ann", **more: object) -> dict[str, Any]:
        body = {"id": self.here.id(), "change": {"do": do, **more}}
        told = self.here.posted(who, f"{self.at}/changes", body, evening=self.here.keys[self.code])
        return dict(told["evening"])

    def told(self) -> dict[str, Any]:
        return dict(self.here.asked("GET", "Ann", self.at)["evening"])

    def begins(self, number: int) -> list[dict[str, Any]]:
        """Begin a round and return its tables."""
        told = self.change("round", round=number)
        self.here.looks(f"{self.at}/rounds/{number}")
        return list(told["round"]["tables"])

    def scored(self, number: int, tables: list[dict[str, Any]]) -> None:
        for table in tables:
            rows = [
                [10 * number + 5 * table["number"] + side % 2 for side in range(4)]
                for _ in range(max(1, len(table["deals"])))
            ]
            self.change("score", round=number, table=table["number"], rows=rows, over=0)


def movement(here: Since, name: str) -> None:
    """An evening of one movement: a round is scored, the second has begun."""
    night = Night(here, name, movement=name, people=MOVEMENTS[name], boards=2)
    night.scored(1, night.begins(1))
    night.begins(2)


def eventful(here: Since) -> None:
    """An evening on paper at which everything happens once."""
    night = Night(here, "eventful", movement="individual", hands=4, agree=True)
    night.change("claim", "Bob", person=1)
    night.change("clock", minutes=20)
    tables = night.begins(1)
    own = next(table["number"] for table in tables if 1 in table["seats"])
    rows = [[110, 10, 110, 10]]
    night.change("score", "Bob", round=1, table=own, rows=rows, over=0)
    other = {"round": 1, "table": 3 - own, "over": 0}
    night.change("score", rows=[[60, 60, 60, 60]], **other)
    night.change("score", "Bob", rows=[[65, 55, 65, 55]], **other)
    night.change("arrive", names=["Late Ann", "Žofia"])
    night.change("stand_in", name="Helper")
    night.change("leave", person=7)
    night.change("rename", person=6, name="Augustus")
    night.begins(2)
    night.change("undo_round", round=2)
    night.change("return", person=7)
    tables = night.begins(2)
    night.change("exchange", one=tables[0]["seats"][0], other=tables[1]["seats"][0])
    night.change("clock", minutes=None)
    made = here.posted(
        "Ann", f"{night.at}/sheets", {"round": 2, "table": 1}, evening=here.keys[night.code]
    )
    here.codes["table sheet"] = made["code"]
    here.looks(f"/api/sheets/{made['code']}")


def slips(here: Since) -> None:
    """Prepared deals on slips, of which a round is scored; and the same, over."""
    for what in ("slips", "slips over"):
        night = Night(here, what, movement="howell", boards=2, slips=True)
        night.scored(1, night.begins(1))
        here.looks(f"{night.at}/slips", who=("Ann",))
        if what == "slips over":
            night.change("end", over=True)
            here.looks(f"{night.at}/opened", *(f"{night.at}/deals/{n}" for n in (1, 2)))


def screens(here: Since) -> None:
    """An evening on screens: a round is played, and in the second it is Ann's turn."""
    night = Night(here, "screens", movement="individual", people=NAMES[:4], screens=PLAYED)
    night.change("claim", person=0)
    night.change("claim", "Bob", person=1)
    for number in (1, 2):
        night.begins(number)
        code = opened(night)
        here.codes[f"screens {number}"] = code
        with here.lines(code, "Ann", "Bob") as lines:
            if number == 1:
                here.play(lines, lambda shown: bool(shown["phase"] == "over"))
            else:
                here.play(
                    lines, lambda shown: shown["view"]["phase"] == "play" and shown["you"] == 0
                )
        if number == 1:
            while night.told()["missing"]:
                time.sleep(0.2)
    here.codes["screens now"] = here.codes.pop("screens 2")


def opened(night: Night) -> str:
    """Return the code of the one table of a round on screens, once it stands."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        code = night.told()["round"]["tables"][0]["code"]
        if code:
            return str(code)
        time.sleep(0.2)
    raise AssertionError("no table stands")


def passkey(here: Since) -> dict[str, Any]:
    """Ann keeps a passkey and two mistakes; return what is needed to show it."""
    key = Authenticator(here.server.url.replace("127.0.0.1", "localhost"))
    local = httpx.Client(base_url=key.origin, headers={"origin": key.origin}, timeout=PATIENCE)
    with local:
        token = here.posted("Ann", "/api/session/return")["token"]
        local.post("/api/return", json={"token": token}).raise_for_status()
        wanted = local.post("/api/passkeys/wanted").raise_for_status().json()
        local.post("/api/passkeys", json=key.made(wanted)).raise_for_status()
        first = {**ONE, "changed": int(time.time() * 1000)}
        later = {**first, "hand": 4, "step": 2}
        body = {"mistakes": [first, later, {**later, "hand": 5, "step": 4, "decision": None}]}
        local.patch("/api/mistakes", json=body).raise_for_status()
    here.looks("/api/passkeys", "/api/mistakes", who=("Ann",))
    plain = written_as.PrivateFormat.PKCS8, written_as.NoEncryption()
    return {
        "handle": key.handle,
        "count": key.count,
        "credential": written(key.credential),
        "key": written(key.key.private_bytes(written_as.Encoding.DER, *plain)),
    }


def rated(here: Since) -> None:
    """A match of strangers, two of whom are rated; and a table whose players are."""
    wanted = {"rules": QUICK, "pace": "instant"}
    for name in ("Ann", "Bob"):
        here.asked("PUT", name, "/api/session/ratings", {"on": True})
    code = here.posted("Ann", "/api/tables/quick", wanted)["code"]
    here.codes["strangers"] = code
    with here.lines(code, "Ann") as (ann,):
        four = ("Bob", "Cy", "Žofia")
        for name in four:
            here.posted(name, "/api/tables/quick", wanted)
            with here.lines(code, name) as (line,):
                line.done("sit", matched=True)
        with here.lines(code, *four) as others:
            ann.done("start")
            here.play([ann, *others], lambda shown: bool(shown["phase"] == "over"))
    while not here.asked("GET", "Ann", "/api/session/ratings")["mine"]:
        time.sleep(0.2)
    here.looks("/api/session/ratings", f"/api/session/ratings?table={code}", who=("Ann", "Bob"))
    code = here.make("rated", rules=QUICK, bots=["club", "casual", "club"])
    here.asked("PUT", "Ann", f"/api/tables/{code}/ratings", {"on": True})
    with here.lines(code, "Ann") as (ann,):
        ann.done("start")
        here.play([ann], lambda shown: bool(shown["phase"] == "over"))
    here.looks(f"/api/tables/{code}/ratings", f"/api/tables/{code}/statistics")


def device(here: Since) -> None:
    """Bob hands in a match that he played on his device."""
    [record] = asyncio.run(played())
    kept = here.posted("Bob", "/api/matches", {"record": record})
    here.codes["device"] = kept["code"]
    here.looks(f"/api/tables/{kept['code']}/hands", f"/api/tables/{kept['code']}/record")


async def device_alone() -> dict[str, Any]:
    """Return what a device holds without a network: a match that is over, and one in mid-hand."""
    drawer = Drawer()
    page = await Page(drawer).begin()
    over = await matched(page)
    code = await page.table(rules=QUICK, bots=["club", "papa", "random"])
    socket = page.open(code)
    await socket.hear("welcome")
    assert (await socket.do(type="start"))["type"] == "ack"
    acted = -1
    while True:
        view = socket.table["view"]
        turn = view is not None and view["to_act"] == socket.table["you"]
        if turn and len(view["tricks"]) == 2:
            break
        if turn and acted != socket.table["seq"]:
            acted = socket.table["seq"]
            socket.command(type="act", seen=acted, action=first_of(view))
        await socket.hear("update")
    await page.end()
    return {"over": over, "code": code, "view": view, "kept": drawer.kept}


def daily(here: Since) -> None:
    """Ann ends an attempt at a deal of the day, and Bob is in the middle of one."""
    today = here.people["Ann"].get("/api/daily").json()
    at = f"/api/daily/{today['day']}/{today['families'][0]['family']}"
    for name, most in (("Ann", 100), ("Bob", 3)):
        shown = here.posted(name, at)
        for _ in range(most):
            if not shown["over"]:
                said = {"action": here.any_legal(shown), "seen": shown["seen"]}
                shown = here.posted(name, f"{at}/act", said)


def everything(server: Server, folder: Path) -> None:
    """Make all of it; write down who holds which token and key, and who looks at what."""
    here = Since(server)
    sheet(here)
    for name in MOVEMENTS:
        movement(here, name)
    eventful(here)
    slips(here)
    shown_key = passkey(here)
    rated(here)
    device(here)
    daily(here)
    alone = json.dumps(asyncio.run(device_alone()), indent=1)
    (folder / "device.json").write_text(alone + "\n", "utf-8")
    screens(here)  # the last: a bot soon plays for whoever is away
    tokens = {name: next(iter(browser.cookies.values())) for name, browser in here.people.items()}
    people = {"tokens": tokens, "codes": here.codes, "keys": here.keys, "passkey": shown_key}
    people["looks"] = {name: paths for name, paths in here.shown.items() if paths}
    text = json.dumps(people, ensure_ascii=False, indent=1)
    (folder / "people.json").write_text(text + "\n", "utf-8")
