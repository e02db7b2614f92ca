"""What a browser keeps for play without a server: with no room, damaged, or gone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect
from tests.web.e2e.looks import arrive

FULL = """() => {
  Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError"); };
}"""
# A device is made ready, and a table is made on it.
NOTED = """async () => {
  const { noteDevice, onDevice } = await import("/static/core/here.js");
  noteDevice({ kit: "1" });
  noteDevice({ tables: ["ABCDEF2"] });
  return [onDevice(), localStorage["rookery.device"] ?? ""];
}"""
SEEN = """async () => {
  history.replaceState(null, "", "/t/ABCDEF2");
  localStorage["rookery.device.seen"] = JSON.stringify({ code: "ABCDEF2", table: { odd: true } });
  const { keepSeen, lastSeen } = await import("/static/core/here.js");
  const found = [lastSeen("ABCDEF2"), lastSeen("ABCDEF2")];
  keepSeen({ code: "ABCDEF2" });
  return [...found, lastSeen("ABCDEF2")];
}"""
# Python that has started and is then asked something, in a worker that does nothing.
ASKED = """async () => {
  window.Worker = class {
    constructor() { window.thread = this; }
    postMessage() { window.heard = true; }
    terminate() { window.ended = true; }
  };
  const { ask, begin } = await import("/static/table/offline/device.js");
  const ready = begin();
  thread.onmessage({ data: { ready: [] } });
  await ready;
  const said = ask("GET", "/api/session").then(({ text }) => text, ({ code }) => code);
  said.then((one) => (window.said = one));
}"""
# A link that saves the record of a table of this device, whose worker answers as it is told.
LINK = """async ([status, body]) => {
  history.replaceState(null, "", "/t/ABCDEF2");
  localStorage["rookery.device"] = JSON.stringify({ kit: "1", tables: ["ABCDEF2"] });
  window.Worker = class {
    constructor() { setTimeout(() => this.onmessage({ data: { ready: [] } })); }
    postMessage(text) {
      const { id } = JSON.parse(text);
      const answer = JSON.stringify({ type: "answer", id, status, body });
      setTimeout(() => this.onmessage({ data: answer }));
    }
    terminate() {}
  };
  const { SaveLink } = await import("/static/table/result/save_link.js");
  const { html, render } = await import("/static/core/ui.js");
  HTMLAnchorElement.prototype.click = function () { window.kept = this.download; };
  const record = html`<${SaveLink} path="/api/tables/ABCDEF2/record" name="a.json">Keep<//>`;
  render(record, document.querySelector("main"));
}"""
# Workers that are counted, in a page whose clock is a test's; the first one cannot start.
COUNTED = """async () => {
  window.threads = [];
  window.Worker = class {
    constructor() { threads.push(this); }
    postMessage() {}
    terminate() { this.ended = true; }
  };
  window.device = await import("/static/table/offline/device.js");
  device.begin().catch(({ code }) => (window.first = code));
}"""
# The first one fails, and the next is begun at once.
SECOND = """async () => {
  const { late } = await import("/static/core/i18n.js");
  window.drawn = new Promise((done) => late.subscribe(done));
  window.times = () => late.get();
  threads[0].onmessage({ data: { failed: "device-busy", reason: "" } });
  const ready = device.begin();
  threads[1].onmessage({ data: { ready: [] } });
  await ready;
  await drawn; // the words that say why
}"""
# The browser cannot look at what was fetched.
UNSEEN = """() => {
  for (const look of ["has", "match", "open"]) {
    CacheStorage.prototype[look] = async () => { throw new Error("no"); };
  }
}"""
# A page that is of no table asks for records of two, one of them this device's.
RECORDS = """async () => {
  localStorage["rookery.device"] = JSON.stringify({ kit: "1", tables: ["ABCDEF2"] });
  window.Worker = class {
    constructor() { setTimeout(() => this.onmessage({ data: { ready: [] } })); }
    postMessage(text) {
      const { id } = JSON.parse(text);
      const data = JSON.stringify({ type: "answer", id, status: 200, body: "7" });
      setTimeout(() => this.onmessage({ data }));
    }
    terminate() {}
  };
  const { get } = await import("/static/core/api.js");
  const own = ["tables/abcdef2/record?match=0", "replay/ABCDEF2/3?seat=0"];
  const paths = [...own, "tables/ABCDEF3/record"];
  return Promise.all(paths.map((path) => get(`/api/${path}`).catch(({ code }) => code)));
}"""
GONE = '{"error":{"code":"no-table","reason":"there is none"}}'
BUSY = """window.threads = 0;
window.Worker = class {
  constructor() {
    window.threads += 1;
    setTimeout(() => this.onmessage({ data: { failed: "device-busy", reason: "" } }));
  }
  terminate() {}
};"""
# A page asks the server, and besides who somebody is and what the games are called.
UNREACHED = """async ([page, method, path]) => {
  history.replaceState(null, "", page);
  localStorage["rookery.device"] = JSON.stringify({ kit: "1", tables: ["ABCDEF2"] });
  const api = await import("/static/core/api.js");
  const code = (asked) => asked.then(() => "answered", ({ code }) => code);
  const asked = [api[method](path), api.whoAmI(), api.get("/api/rules/names?lang=es")];
  return [...await Promise.all(asked.map(code)), window.threads];
}"""
# Two hands of a sheet are written where no server is reached.
WAITED = """async () => {
  history.replaceState(null, "", "/s/ABCDEF2");
  localStorage["rookery.device"] = JSON.stringify({ kit: "1", tables: ["ABCDEF2"] });
  const { openLog } = await import("/static/pages/sheet/log.js");
  const log = openLog("ABCDEF2", "k".repeat(43));
  const said = [await log.write(0, { bid: 80 }, 0), await log.write(1, { bid: 90 }, 0)];
  const { away, waiting } = log.store.get();
  log.close();
  return [said, away, waiting.map(({ problem }) => problem ?? null)];
}"""
ANSWERS = """thread.onmessage({ data: '{"type":"answer","id":1,"status":200,"body":"me"}' })"""
KEPT = (
    """async () => (await caches.open("rookery-kit-1")).put("/kit/list.json", new Response("{}"))"""
)
# A worker that starts and never answers.
SILENT = """window.Worker = class {
  constructor() { setTimeout(() => this.onmessage({ data: { ready: [] } })); }
  postMessage() {}
  terminate() {}
};"""
# A worker that knows of a table that nobody has played at, and of nothing else.
COUNTS = """window.Worker = class {
  constructor() { setTimeout(() => this.onmessage({ data: { ready: [] } })); }
  postMessage(text) {
    const { id, path } = JSON.parse(text);
    const none = { title: "", hands: 0, matches: 0, people: [], partners: [] };
    const [status, body] = /statistics$/.test(path) ? [200, none] : [404, { error: {} }];
    const data = JSON.stringify({ type: "answer", id, status, body: JSON.stringify(body) });
    setTimeout(() => this.onmessage({ data }));
  }
  terminate() {}
};"""
READY = "localStorage['rookery.device'] = '{\"kit\":\"1\"}'"
KEEP = "(rules) => { localStorage['rookery.house_rules'] = JSON.stringify({ Sky: rules }); }"
ALONE = "<!doctype html><html lang=en data-alone><title>A page where there is no server</title>"
NEEDED = """() => {
  window.came = import("/static/core/here.js").then(({ device }) => device());
}"""

# The rules of a game are read where there is no server.
NOBODY = """async () => {
  const { get } = await import("/static/core/api.js");
  await import("/static/core/here.js");
  return get("/api/variants/nobody").then(() => "answered", ({ code }) => code);
}"""


@pytest.mark.parametrize("full", [True, False])
def test_a_browser_with_no_room_to_note_it_is_ready_until_the_page_closes(
    bare: Page, full: bool
) -> None:
    if full:
        bare.evaluate(FULL)
    found, kept = bare.evaluate(NOTED)
    assert found == {"kit": "1", "tables": ["ABCDEF2"], "told": []}
    assert bool(kept) is not full


def test_a_table_that_a_page_could_not_draw_is_not_drawn_again(bare: Page) -> None:
    bare.evaluate('localStorage[\'rookery.device\'] = \'{"kit":"1","tables":["ABCDEF2"]}\'')
    assert bare.evaluate(SEEN) == [{"odd": True}, None, {"code": "ABCDEF2"}]


def test_of_its_own_tables_a_device_answers_every_page(bare: Page) -> None:
    assert bare.evaluate(RECORDS) == [7, 7, "no-table"]


def test_a_table_of_the_device_has_no_ratings(bare: Page) -> None:
    bare.evaluate('localStorage[\'rookery.device\'] = \'{"kit":"1","tables":["ABCDEF2"]}\'')
    bare.add_init_script(COUNTS)
    arrive(bare, "/group/ABCDEF2")
    expect(bare.get_by_role("heading", name="Meet here again")).to_be_visible()
    expect(bare.get_by_role("heading", name="Ratings")).to_have_count(0)
    expect(bare.locator("main").get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("breaks", [True, False])
def test_nobody_waits_for_a_worker_that_broke(bare: Page, breaks: bool) -> None:
    bare.evaluate(ASKED)
    bare.wait_for_function("window.heard")
    bare.evaluate("thread.onerror({ message: 'RangeError' })" if breaks else ANSWERS)
    bare.wait_for_function("window.said")
    assert bare.evaluate("said") == ("device-failed" if breaks else "me")
    assert bare.evaluate("window.ended ?? false") is breaks


@pytest.mark.parametrize(
    ("language", "says"), [("en", "Another window of this browser"), ("es", "Otra ventana")]
)
def test_a_device_that_cannot_answer_says_so_in_every_language(
    bare: Page, language: str, says: str
) -> None:
    bare.evaluate('localStorage[\'rookery.device\'] = \'{"kit":"1","tables":["ABCDEF2"]}\'')
    bare.evaluate(
        "(l) => localStorage['rookery.settings'] = JSON.stringify(l)", {"language": language}
    )
    bare.add_init_script(BUSY)
    bare.goto("/t/ABCDEF2")
    expect(bare.locator("main").get_by_text(says)).to_be_visible()


def failing(code: str) -> str:
    return f"() => {{ {BUSY.replace('device-busy', code)} }}"


NEEDS_SERVER = [
    ("/s/ABCDEF2", "get", "/api/sheets/ABCDEF2"),
    ("/s/ABCDEF2", "post", "/api/sheets/ABCDEF2/entries"),
    ("/e/ABCDEF2", "post", "/api/evenings/ABCDEF2/changes"),
    ("/e/ABCDEF2/hall", "get", "/api/evenings/ABCDEF2"),
    ("/daily/2026-01-01/kentucky", "post", "/api/daily/2026-01-01/kentucky/act"),
    ("/puzzles", "get", "/api/variants"),
]


@pytest.mark.parametrize("gate", [None, 502])
def test_a_page_that_needs_the_server_starts_nothing_on_the_device(
    bare: Page, gate: int | None
) -> None:
    bare.evaluate(failing("device-busy"))
    if gate is None:
        bare.route("**/api/**", lambda route: route.abort())
    else:
        bare.route("**/api/**", lambda route: route.fulfill(status=gate, body="<h1>Bad</h1>"))
    for asked in NEEDS_SERVER:
        assert bare.evaluate(UNREACHED, [*asked]) == ["offline"] * 3 + [0], asked


@pytest.mark.parametrize("failed", ["device-busy", "device-failed"])
def test_what_only_the_server_answers_is_asked_of_no_device_on_any_page(
    bare: Page, failed: str
) -> None:
    bare.route("**/api/**", lambda route: route.abort())
    for method, path in (
        ("post", "/api/sheets"),
        ("get", "/api/session/ratings"),
        ("get", "/api/tables/ABCDEF3/ratings"),
    ):
        bare.evaluate(failing(failed))
        *said, threads = bare.evaluate(UNREACHED, ["/", method, path])
        assert said == ["offline", failed, failed], path
        assert threads in (1, 2)  # whoever asks once the first has failed starts another
    # Scores wait for the server whatever the device does.
    bare.evaluate(failing(failed))
    assert bare.evaluate(WAITED) == [[None, None], True, [None, None]]


@pytest.mark.parametrize(("status", "body"), [(404, GONE), (200, "{}")])
def test_a_refusal_is_shown_and_not_saved_as_a_file(bare: Page, status: int, body: str) -> None:
    bare.evaluate(LINK, [status, body])
    bare.get_by_text("Keep").click()
    if status == 200:
        bare.wait_for_function("() => window.kept === 'a.json'")
    else:
        expect(bare.locator(".problem")).to_contain_text("This table doesn't exist")
        assert bare.evaluate("window.kept") is None


@pytest.mark.parametrize("kept", [True, False])
def test_what_the_browser_has_thrown_away_is_asked_for_again(bare: Page, kept: bool) -> None:
    bare.evaluate(READY)
    if kept:
        bare.evaluate(KEPT)
    bare.route("**/alone", lambda route: route.fulfill(body=ALONE, content_type="text/html"))
    bare.goto("/alone")
    bare.evaluate(NEEDED)
    if kept:
        assert bare.evaluate("came.then(({ begin }) => typeof begin)") == "function"
    else:
        expect(bare.get_by_role("dialog")).to_be_visible()


def test_a_worker_that_failed_to_start_ends_no_later_one(bare: Page) -> None:
    bare.clock.install()
    bare.evaluate(COUNTED)
    bare.evaluate(SECOND)
    assert bare.evaluate("first") == "device-busy"
    times = bare.evaluate("times()")
    bare.clock.run_for(150_000)  # longer than a worker may take to start
    assert bare.evaluate("threads.map(({ ended }) => Boolean(ended))") == [True, False]
    # Nor is anything drawn once more for its sake.
    assert bare.evaluate("drawn.then(times)") == times


def test_a_failed_look_at_what_was_fetched_is_not_kept(bare: Page) -> None:
    bare.evaluate(READY)
    bare.route("**/alone", lambda route: route.fulfill(body=ALONE, content_type="text/html"))
    bare.goto("/alone")
    bare.evaluate(UNSEEN)
    bare.evaluate(NEEDED)
    assert bare.evaluate("came.then(({ begin }) => typeof begin, String)") == "function"
    bare.evaluate(NEEDED)
    assert bare.evaluate("came.then(({ begin }) => typeof begin, String)") == "function"


LINKS = {
    "?%2Frules%2Fkd": "/rules/kd",
    "?/rules/kd&from=them": "/rules/kd",
    "?/rules/kd=": "/rules/kd",
    "?/odds?hand=R14&trump=red#r=1": "/odds?hand=R14&trump=red#r=1",
    "?from=them&at=1": "/",
    "?rules": "rules",
    "": "/",
}


def test_a_link_may_have_been_passed_on(bare: Page) -> None:
    bare.route(
        re.compile("/alone"), lambda route: route.fulfill(body=ALONE, content_type="text/html")
    )
    for link, path in LINKS.items():
        bare.goto(f"/alone{link}")
        found = bare.evaluate("import('/static/core/base.js').then((base) => base.pathNow())")
        assert found == path, link


@pytest.mark.parametrize("body", ["<!doctype html>", '{"version":"1"}'])
def test_a_page_in_place_of_the_list_is_no_list(bare: Page, body: str) -> None:
    def page_for_every_path(route: Route) -> None:
        route.fulfill(body=body)

    bare.route("**/kit/list.json", page_for_every_path)
    found = bare.evaluate("import('/static/table/offline/kit.js').then((kit) => kit.offered())")
    assert found == (None if body.startswith("<") else {"version": "1"})


def test_the_odds_page_keeps_what_was_typed(bare: Page) -> None:
    bare.evaluate(READY)
    bare.add_init_script(SILENT)
    bare.goto("/odds?played=R5")
    hand, played = bare.get_by_label("Your cards"), bare.get_by_label("Cards played")
    bare.get_by_text("What else you know").click()
    expect(played).to_have_value("R5")
    hand.fill("R14 R10")
    played.fill("R5 R6")
    bare.get_by_label("How a suit splits").check()
    expect(bare.locator("[name=suit]")).to_be_visible()
    bare.get_by_role("button", name="Count").click()
    expect(bare.get_by_text("Counting…")).to_be_visible()
    expect(hand).to_have_value("R14 R10")
    expect(played).to_have_value("R5 R6")


def test_rules_that_do_not_fit_have_no_odds_but_a_way_to_the_editor(bare: Page) -> None:
    misfit = {"base": "kd_tournament", "name": "Sky", "bid_maximum": 999}
    bare.evaluate(READY)
    bare.evaluate(KEEP, misfit)
    bare.goto("/odds")
    bare.locator("[name=game]").select_option(label="Sky")
    problem = bare.locator("main").get_by_role("alert")
    expect(problem).to_contain_text("These rules don't fit together yet")
    expect(problem).to_contain_text("bid_maximum")
    bare.get_by_role("link", name="Fix them in the editor").click()
    expect(bare.get_by_label("Name of these rules")).to_have_value("Sky")


@pytest.mark.parametrize("kind", ["application/json", "text/html; charset=utf-8"])
def test_where_a_host_has_a_page_for_every_path_an_unknown_game_is_not_found(
    bare: Page, kind: str
) -> None:
    body = "<!doctype html>" if "html" in kind else "{}"
    bare.route("**/static/answers/**", lambda route: route.fulfill(body=body, content_type=kind))
    bare.route("**/alone", lambda route: route.fulfill(body=ALONE, content_type="text/html"))
    bare.goto("/alone")
    found = bare.evaluate(NOBODY)
    assert found == ("not-found" if "html" in kind else "answered")
