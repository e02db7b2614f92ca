"""A proxy that does not reach the server says so in words of its own: nobody was reached."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route

import rookery

OURS = json.dumps({"error": {"code": "not-ready", "reason": "the server cannot reach its disk"}})
PAGE = "<html><h1>502 Bad Gateway</h1><center>nginx</center></html>"
ASKED = """async () => {
  const { get } = await import("/static/core/api.js");
  return get("/api/variants").then((said) => said, ({ code, status }) => [code, status]);
}"""
# A device that was made ready, and answers "here" to everything.
READY = """() => {
  localStorage["rookery.device"] = JSON.stringify({ kit: "1" });
  window.Worker = class {
    constructor() { setTimeout(() => this.onmessage({ data: { ready: [] } })); }
    postMessage(text) {
      const { id } = JSON.parse(text);
      const answer = JSON.stringify({ type: "answer", id, status: 200, body: '"here"' });
      setTimeout(() => this.onmessage({ data: answer }));
    }
    terminate() {}
  };
}"""
SAID = [
    *((status, body, "offline") for status in (502, 503, 530) for body in (PAGE, "", '"odd"')),
    (503, '{"error": {"code": 503}}', "offline"),
    (503, OURS, "not-ready"),
    (504, PAGE, "bad-answer"),  # it was reached, and may have done what was asked
    (500, PAGE, "bad-answer"),
]


def asked(page: Page, status: int, body: str) -> object:
    """Return what a page makes of an answer."""
    page.route("**/api/variants", lambda route: route.fulfill(status=status, body=body))
    return page.evaluate(ASKED)


def test_who_answers_for_the_server_is_not_the_server(bare: Page) -> None:
    for status, body, code in SAID:
        assert asked(bare, status, body) == [code, status], body


def test_a_device_that_was_made_ready_answers_in_its_place(bare: Page) -> None:
    bare.evaluate(READY)
    assert asked(bare, 503, PAGE) == "here"
    assert asked(bare, 503, OURS) == ["not-ready", 503]


ENTERED = """async () => {
  const { whoAmI } = await import("/static/core/api.js");
  const { enterAs } = await import("/static/components/name.js");
  const first = await whoAmI();
  await fetch("/up");
  return [first.name, (await enterAs("")).name];
}"""


def test_whom_a_device_does_not_know_may_be_known_to_the_server(bare: Page) -> None:
    ann = json.dumps({"person": "p1", "name": "Ann", "tables": []})
    asked: list[str] = []

    def session(route: Route) -> None:
        asked.append(route.request.method)
        up = "up" in asked
        route.fulfill(status=200 if up else 502, body=ann if up else PAGE)

    def come_up(route: Route) -> None:
        asked.append("up")
        route.fulfill(body="")

    nobody = json.dumps({"person": None, "name": "", "tables": []})
    bare.evaluate(READY.replace("'\"here\"'", repr(nobody)))
    bare.route("**/api/session", session)
    bare.route("**/up", come_up)
    assert bare.evaluate(ENTERED) == ["", "Ann"]
    assert asked == ["GET", "up", "GET"]  # nobody was given a name


def test_the_page_and_what_keeps_its_files_mean_the_same_answers() -> None:
    """The second is a program of its own, which imports nothing of the page."""
    static = Path(rookery.__file__).parent / "web" / "static"
    named = [
        re.findall(r"UNREACHED = (?:new Set\()?\[([\d, ]+)\]", (static / one).read_text("utf-8"))
        for one in ("core/api.js", "sw.js")
    ]
    assert named[0] == named[1] != []


STARTED = """async () => {
  const { get, post } = await import("/static/core/api.js");
  const Own = Worker;
  window.started = 0;
  window.Worker = class extends Own { constructor() { super(); started += 1; } };
  window.asks = (path) => get(path).then((said) => said, ({ code }) => code);
  window.makes = () => post("/api/tables").then((said) => said, ({ code }) => code);
}"""
LOOKED_AT = ["/api/tables", "/api/tables/ABCDEF2", "/api/tables/ABCDEF2/matches/0/review"]


@pytest.mark.parametrize("path", LOOKED_AT)
def test_a_page_that_only_looks_again_takes_no_device_for_itself(bare: Page, path: str) -> None:
    bare.evaluate(READY)
    bare.evaluate(STARTED)
    bare.route("**/api/**", lambda route: route.abort())
    assert bare.evaluate("(path) => asks(path)", path) == "offline"
    assert bare.evaluate("started") == 0
    # Somebody wants to play, and the device answers from then on.
    assert bare.evaluate("() => makes()") == "here"
    assert bare.evaluate("started") == 1
    assert bare.evaluate("() => asks('/api/tables')") == "here"
