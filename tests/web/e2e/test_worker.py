"""The service worker: what it keeps is for the time without a network, and is the page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.http.served import Served
from tests.web.e2e.people import Someone
from tests.web.test_static import STATIC

from rookery.server.http.static import Static

SHELF = "(await caches.open('rookery-3'))"
SCRIPT = "text/javascript"
KEPT = "() => navigator.serviceWorker.controller"  # it answers once all is on the shelf
OLD = "new Response('an old one', { headers: { 'content-type': 'text/javascript' } })"
SPOIL = f"async (path) => {SHELF}.put(path, {OLD})"
ON_SHELF = f"async (path) => (await {SHELF}.match(path)).text()"
TOLD = "(path) => fetch(path).then((answer) => answer.text())"


@pytest.fixture
def page(chromium: Browser, here: Served) -> Iterator[Page]:
    """Yield a window whose files are kept."""
    ann = Someone(chromium, here, "Ann", service_workers="allow")
    ann.page.goto("/")
    ann.page.wait_for_function(KEPT)
    yield ann.page
    ann.context.set_offline(False)
    ann.away()


class Front(BaseHTTPRequestHandler):
    """A proxy that passes pages on, until it does not reach the server."""

    reaches, server_port = True, 0

    def do_GET(self) -> None:
        if not self.reaches:
            self.send_error(502)
            return
        line = HTTPConnection("127.0.0.1", self.server_port)
        line.request("GET", self.path, headers=dict(self.headers))
        answer = line.getresponse()
        body = answer.read()
        line.close()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "date", "server"):
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_page_is_kept_for_when_a_proxy_does_not_reach_the_server(
    chromium: Browser, here: Served
) -> None:
    class Passing(Front):
        server_port = int(here.url.rpartition(":")[2])

    front = ThreadingHTTPServer(("127.0.0.1", 0), Passing)
    threading.Thread(target=front.serve_forever, daemon=True).start()
    context = chromium.new_context(base_url=f"http://127.0.0.1:{front.server_port}")
    page = context.new_page()
    page.goto("/")
    page.wait_for_function(KEPT)
    Passing.reaches = False
    page.goto("/learn")
    expect(page.get_by_role("banner")).to_be_visible()
    assert page.evaluate("fetch('/api/variants').then((answer) => answer.status)") == 502
    context.close()
    front.shutdown()
    front.server_close()


def test_where_there_is_no_room_what_has_come_is_shown(page: Page, here: Served) -> None:
    page.evaluate(SPOIL, "/static/app.js")
    whole = page.evaluate(TOLD, "/static/app.js")
    assert "old one" not in whole
    assert page.evaluate(ON_SHELF, "/static/app.js") == whole  # there is room yet
    page.evaluate(SPOIL, "/static/app.js")
    full = page.context.new_cdp_session(page)
    full.send("Storage.overrideQuotaForOrigin", {"origin": here.url, "quotaSize": 1})
    assert page.evaluate(TOLD, "/static/app.js") == whole
    assert page.evaluate(ON_SHELF, "/static/app.js") != whole
    page.goto("/puzzles")
    expect(page.get_by_role("heading", level=1)).to_have_text("Puzzles")


def test_without_a_network_the_start_page_still_opens_and_says_so(
    chromium: Browser, here: Served
) -> None:
    ann = Someone(chromium, here, "Ann", service_workers="allow")
    # The table comes first: the start page has never been asked for by this browser.
    ann.at_table(rules="kd_tournament")
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ann.context.set_offline(True)
    ann.page.goto("/")
    expect(ann.page.get_by_role("heading", level=1, name="Play Rook")).to_be_visible()
    expect(ann.page.get_by_role("alert").first).to_contain_text("Can't reach the server")
    ann.context.set_offline(False)
    ann.away()


def test_one_visit_keeps_all_that_every_page_needs(page: Page) -> None:
    paths = f"async () => (await {SHELF}.keys()).map(({{ url }}) => new URL(url).pathname)"
    kept = page.evaluate(paths)
    assert {f"/static/{name}" for name in Static(STATIC).modules()} <= set(kept)


@pytest.mark.parametrize("address", ["/healthz", "/sw.js"])
def test_only_the_page_is_kept_as_the_page(page: Page, address: str) -> None:
    page.goto(address)
    page.context.set_offline(True)
    page.goto("/learn")
    expect(page.get_by_role("banner")).to_be_visible()


def test_any_page_is_kept_as_the_page(page: Page) -> None:
    page.evaluate(SPOIL, "/")
    page.goto("/learn")
    assert "data-modules" in page.evaluate(ON_SHELF, "/")


def test_what_another_site_of_the_host_has_fetched_stays(bare: Page) -> None:
    names = ["rookery-kit-/rook/1", "rookery-kit-1"]
    bare.evaluate("async (names) => { for (const one of names) await caches.open(one); }", names)
    bare.evaluate("import('/static/table/offline/kit.js').then(({ remove }) => remove())")
    assert bare.evaluate("caches.keys()") == names[:1]


# Two versions are whole, since the page was closed while the first was being deleted; one is not.
VERSIONS = """async () => {
  for (const one of ["1", "2", "3"]) {
    const cache = await caches.open(`rookery-kit-${one}`);
    await cache.put("/kit/kit.json", new Response(one));
    if (one !== "3") await cache.put("/kit/list.json", new Response("{}"));
  }
  localStorage["rookery.device"] = JSON.stringify({ kit: "2" });
}"""


def test_of_two_whole_versions_the_later_one_answers(page: Page) -> None:
    page.evaluate(VERSIONS)
    assert page.evaluate(TOLD, "/kit/kit.json") == "2"


def test_of_two_whole_versions_one_is_left_and_one_that_is_being_fetched(bare: Page) -> None:
    bare.evaluate(VERSIONS)
    found = bare.evaluate("import('/static/table/offline/kit.js').then((kit) => kit.version())")
    assert found == "2"
    assert bare.evaluate("caches.keys()") == ["rookery-kit-2", "rookery-kit-3"]


# In place of the program: what it is like once it has begun is as much as is wanted here.
PYTHON = """export const loadPyodide = async () => ({
  runPython: () => {}, makeMemorySnapshot: () => new Uint8Array(1),
});"""
KEPT_IN = """async () => {
  for (const one of ["rookery-kit-/rook/1", "rookery-kit-1"]) await caches.open(one);
  const options = { type: "module", name: "1" };
  const thread = new Worker("/static/table/offline/worker.js", options);
  for (;;) {
    for (const one of await caches.keys())
      if (await (await caches.open(one)).match("/kit/begun")) return one;
    await new Promise((done) => { setTimeout(done, 20); });
  }
}"""


def test_what_begins_sooner_lies_in_no_cache_of_another_site(bare: Page) -> None:
    bare.route("**/kit/pyodide.mjs", lambda it: it.fulfill(body=PYTHON, content_type=SCRIPT))
    assert bare.evaluate(KEPT_IN) == "rookery-kit-1"
