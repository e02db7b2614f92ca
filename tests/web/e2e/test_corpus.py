"""Names, titles, talk and rules that would be a program if a page believed them: shown as words."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.http.served import Served, line, table_for
from tests.web.e2e.people import Someone

# Short enough for a name; each sets `hit`, calls a dialog or fetches something where it works.
NAMES = [
    "<script>hit=1</script>",
    "<img src onerror=hit=1>",
    "<svg/onload=hit=1>",
    "'-(hit=1)-'",
    "</textarea><b onclick=x>",
    "${hit=1}{{hit=1}}",
    "javascript:hit=1",
    "&lt;b&gt;&amp;#x41;",
]
TALK = [
    "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
    "<a href='javascript:hit=1'>here</a>",
    "<math><mtext></mtext><style><img src=x onerror=hit=1></style></math>",
    "<body onload=hit=1><object data=javascript:hit=1>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "--><!--<script>hit=1</script>]]>",
    "%3Cscript%3Ehit=1%3C/script%3E \\u003cscript\\u003e",
    '"onmouseover="hit=1" autofocus onfocus="hit=1',
]
WATCH = """
window.hit = 0;
window.broken = [];
addEventListener("securitypolicyviolation", (e) => broken.push(e.violatedDirective + e.blockedURI));
"""


def clean(page: Page) -> None:
    """Check that nothing of it has run, and that nothing was made of it."""
    assert page.evaluate("window.hit") == 0
    assert page.evaluate("window.broken") == []
    made = (
        "iframe, object, math, main script, main img:not([src^='/']), main link, "
        "[onload], [onerror]"
    )
    assert page.locator(made).count() == 0
    assert page.evaluate("[...document.querySelectorAll('a')].every(a => !/^java/i.test(a.href))")


@pytest.mark.parametrize("number", [0, 4])
def test_words_stay_words(chromium: Browser, here: Served, number: int) -> None:
    names, talk = NAMES[number : number + 4], TALK[number : number + 4]
    people = [here.browser(name) for name in names]
    rules: dict[str, Any] = {"base": "kd_tournament", "name": talk[0][:80], "notes": talk[1]}
    code = table_for(people[0], title=talk[2][:60], rules=rules, open=True)

    async def comes() -> None:
        for client, said in zip(people, talk, strict=True):
            async with line(here, client, code) as seat:
                if client is not people[0]:
                    assert (await seat.do(type="sit"))["type"] == "ack"
                assert (await seat.do(type="chat", text=said))["type"] == "ack"

    someone = Someone(chromium, here, "Zoe")
    asked: list[str] = []
    someone.context.add_init_script(WATCH)
    someone.page.on("dialog", lambda dialog: asked.append(dialog.message))
    someone.page.on("request", lambda request: asked.append(request.url))
    try:
        someone.known(people[0])
        someone.page.goto(f"/t/{code}")
        someone.settled()
        # While somebody looks on, so that it comes by every way.
        with ThreadPoolExecutor(1) as beside:
            beside.submit(lambda: asyncio.run(comes())).result()
        for name in names:
            expect(someone.page.locator("main")).to_contain_text(name)
        clean(someone.page)
        someone.page.reload()
        someone.settled()
        for name in names:
            expect(someone.page.locator("main")).to_contain_text(name)
        clean(someone.page)
        someone.page.goto("/")
        expect(someone.page.locator("main")).to_contain_text(talk[2][:20])
        clean(someone.page)
        away = [url for url in asked if not url.startswith(here.url)]
        assert away == []
        assert someone.faults == []
    finally:
        someone.away()


def test_the_control_a_page_that_believes_it_is_found(chromium: Browser, here: Served) -> None:
    someone = Someone(chromium, here, "Zoe")
    someone.context.add_init_script(WATCH)
    try:
        someone.page.goto("/")
        someone.page.locator("main").evaluate("(main, t) => { main.innerHTML = t; }", NAMES[1])
        someone.page.wait_for_function("window.broken.length > 0")
        with pytest.raises(AssertionError):
            clean(someone.page)
    finally:
        someone.away()
