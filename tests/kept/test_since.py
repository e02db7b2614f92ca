"""What Rookery 1.0 kept beside what 0.1 did is there, and goes on.

Score sheets, evenings of every movement, passkeys, mistakes, ratings, matches of a device, files.
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import Page, expect
from tests.kept.looks import V1_0, Held, kept, missing, of_paths
from tests.kept.served import Line, Server, brought_to_today, served
from tests.kept.test_backups import DATABASE, rows, told
from tests.kept.test_files import document
from tests.server.http.authenticator import Authenticator, read
from tests.server.offline.device import Drawer
from tests.server.offline.device import Page as Device

PEOPLE = kept("people.json", V1_0)
CODES: dict[str, str] = PEOPLE["codes"]
READ: dict[str, Any] = kept("read.json", V1_0)  # what a command says of a file
TABLES = {"strangers", "rated", "screens 1", "screens now", "device"}
SHEETS = {"sheet", "table sheet"}
EVENINGS = CODES.keys() - TABLES - SHEETS
OVER = {"slips over"}
SECRET = {"secrets", "spent"}  # rows that no backup has
# In a knockout 1.0 put those ahead who had the most points a game, and not who has come further.
KNOCKOUTS = re.compile(rf"/({CODES['single']}|{CODES['double']})\b\S*\.standings\.")
IDS = itertools.count()
SENT = "(key) => JSON.parse(localStorage[key]).waiting.length === 0"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = Path(shutil.copytree(V1_0 / "data", tmp_path_factory.mktemp("since") / "data"))
    brought_to_today(data / DATABASE)
    with served(data) as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def ann(server: Server) -> Iterator[Line]:
    """Return Ann's line to her table on screens: a bot plays for whoever is away for long."""
    with server.line(server.browser(PEOPLE["tokens"]["Ann"]), CODES["screens now"]) as line:
        yield line


@pytest.fixture(scope="module", autouse=True)
def shown(server: Server, ann: Line) -> dict[str, dict[str, Any]]:
    """Return what everybody is shown before anything else happens."""
    return of_paths(server, PEOPLE)


def posted(browser: httpx.Client, path: str, body: object = None, **keys: str) -> dict[str, Any]:
    headers = {f"x-{name}-key": key for name, key in keys.items()}
    answer = browser.post(path, json=body, headers=headers)
    assert answer.is_success, (path, answer.text)
    return dict(answer.json())


def test_everybody_is_shown_what_they_were_shown(shown: dict[str, dict[str, Any]]) -> None:
    found = missing(kept("shown.json", V1_0), shown)
    assert [one for one in found if not KNOCKOUTS.search(one)] == []


@pytest.mark.parametrize("what", sorted(EVENINGS - OVER - {"screens"}))
def test_an_evening_goes_on(server: Server, what: str) -> None:
    host, code = server.browser(PEOPLE["tokens"]["Ann"]), CODES[what]

    def change(**said: object) -> dict[str, Any]:
        body = {"id": f"goes-on-{next(IDS):016}", "change": said}
        key = PEOPLE["keys"][code]
        return dict(posted(host, f"/api/evenings/{code}/changes", body, evening=key)["evening"])

    now = host.get(f"/api/evenings/{code}").json()["evening"]
    for table in now["round"]["tables"]:
        if table["state"] == "open":
            score = [[95, 25, 95, 25]] * max(1, len(table["deals"]))
            where = {"round": now["rounds"], "table": table["number"], "over": table["entry"]}
            change(do="score", rows=score, **where)
    began = change(do="round", round=now["rounds"] + 1)
    assert began["rounds"] == now["rounds"] + 1
    assert change(do="end", over=True)["over"]


def test_a_round_on_screens_goes_on_where_it_was(ann: Line) -> None:
    before, now = ann.first["view"], ann.now()
    assert (before["phase"], before["to_act"]) == ("play", ann.first["you"])
    card = str(now["view"]["legal"][0]).removeprefix("play ")
    ann.done("act", action=f"play {card}", seen=now["seq"])
    while card in ann.table["view"]["hand"]:
        ann.hear()


def test_a_sheet_is_written_on(server: Server) -> None:
    bob, code = server.browser(PEOPLE["tokens"]["Bob"]), CODES["sheet"]
    said = {"declarer": "Bob", "bid": 100, "points": {"Bob": 90}}
    before = bob.get(f"/api/sheets/{code}").json()["hands"][2]
    assert before["state"] == "disputed"
    entry = {"id": f"goes-on-{next(IDS):016}", "hand": 2, "over": before["others"][0]["entry"]}
    body = {**entry, "said": said}
    after = posted(bob, f"/api/sheets/{code}/entries", body, sheet=PEOPLE["keys"][code])
    assert after["hands"][2]["state"] == "stands"


def test_a_passkey_opens_the_same_person(server: Server) -> None:
    was = PEOPLE["passkey"]
    private = serialization.load_der_private_key(read(was["key"]), None)
    assert isinstance(private, ec.EllipticCurvePrivateKey)
    origin = server.url.replace("127.0.0.1", "localhost")
    key = Authenticator(
        origin, count=was["count"], handle=was["handle"], credential=read(was["credential"]),
        key=private,
    )  # fmt: skip
    with httpx.Client(base_url=origin, headers={"origin": origin}, trust_env=False) as browser:
        posted(browser, "/api/return/passkey", key.shown(posted(browser, "/api/return/wanted")))
        ann = server.browser(PEOPLE["tokens"]["Ann"]).get("/api/session").json()
        assert browser.get("/api/session").json()["person"] == ann["person"]
        assert len(browser.get("/api/mistakes").json()["mistakes"]) == 3


def test_a_backup_brings_every_row_back(tmp_path: Path) -> None:
    usual = Path(shutil.copytree(V1_0 / "data", tmp_path / "usual"))
    told("database", "upgrade", "--data", usual)
    saved = tmp_path / "saved"
    saved.write_bytes(gzip.decompress((V1_0 / "backup_2.sqlite3.gz").read_bytes()))
    told("restore", saved, "--data", tmp_path / "again")
    again, before = rows(tmp_path / "again"), rows(usual)
    # A backup holds nothing by which a server could be impersonated, or deals foreseen.
    assert before.keys() - {name for name in before if before[name] == again[name]} == SECRET
    filled = {name for name, held in before.items() if held}
    assert filled >= {
        *("events", "people", "sessions", "passkeys", "mistakes", "attempts", "sheets"),
        *("sheet_entries", "rated", "rated_strangers", "rated_matches", "seated", "tables"),
    }


@pytest.mark.parametrize("words", READ)
def test_a_file_says_what_it_said(words: str) -> None:
    command, _, name = words.rpartition(" ")
    assert missing(READ[words], document(*command.split(), V1_0 / "files" / name)) == []


def test_a_device_without_a_network_goes_on() -> None:
    """What IndexedDB held is what a device finds on its shelf."""
    was = kept("device.json", V1_0)

    async def story() -> None:
        drawer = Drawer()
        drawer.kept = dict(was["kept"])
        page = await Device(drawer).begin()
        assert await page.get(f"/api/tables/{was['over']}/hands")
        assert (await page.get(f"/api/tables/{was['over']}/record?match=0"))["hands"]
        socket = page.open(was["code"])
        await socket.hear("welcome")
        assert missing(was["view"], json.loads(json.dumps(socket.table["view"]))) == []
        await socket.play()
        assert socket.table["phase"] == "over"
        await page.end()

    asyncio.run(story())


@pytest.fixture
def held() -> Held:
    """Return whose browser it is, by the token, and what it has kept."""
    return Held(PEOPLE["tokens"]["Ann"], kept("local_storage.json", V1_0))


def test_a_browser_sends_what_waits_and_has_its_forms_and_ratings(
    server: Server, page: Page
) -> None:
    code, at = CODES["sheet"], f"/api/sheets/{CODES['sheet']}"
    page.goto(f"/s/{code}")
    expect(page.get_by_text("110").first).to_be_visible()
    page.wait_for_function(SENT, arg=f"rookery.sheet.{code}")
    hands = server.browser().get(at).json()["hands"]
    assert (hands[3]["by"], hands[3]["said"]["declarer"]) == ("Ann", "2")
    page.goto("/evening")
    expect(page.get_by_label("Who plays?")).to_have_value("Ann\nBob\nCy\nDee\nŽofia")
    page.goto("/puzzles")
    rating = round(
        json.loads(kept("local_storage.json", V1_0)["rookery.puzzles"])["person"]["value"]
    )
    expect(page.get_by_text(re.compile(rf"\b({rating:,}|{rating})\b")).first).to_be_visible()
    page.goto(f"/e/{CODES['eventful']}")
    expect(page.get_by_role("heading", name="Run the evening")).to_be_visible()
