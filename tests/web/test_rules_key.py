"""The hash of a rule set as the browser makes it, to check a deal by itself."""

from __future__ import annotations

from playwright.sync_api import Browser
from tests.server.http.served import Served

from rookery.fairness.deal import rules_key
from rookery.rules import Rules, catalog, load

KEYS = """
async ([games, schema]) => {
  const { rulesKey } = await import("/static/fairness/deal_check.js");
  return Promise.all(games.map((options) => rulesKey(options, schema)));
}
"""


def test_the_browser_makes_the_same_hash(chromium: Browser, here: Served) -> None:
    games = [load(name) for name in catalog()]
    schema = Rules.model_json_schema()
    page = chromium.new_page(base_url=here.url)
    page.goto("/api/rules/schema")
    assert page.evaluate(KEYS, [[rules.options() for rules in games], schema]) == [
        *map(rules_key, games)
    ]
    # One option more, in a game that leaves it alone and in one that uses it.
    schema["properties"]["last_card"] = {"default": "hidden", "later": True}
    options = games[0].options()
    asked = [{**options, "last_card": "hidden"}, {**options, "last_card": "open"}]
    alone, used = page.evaluate(KEYS, [asked, schema])
    assert alone == rules_key(games[0]) != used
    page.close()
