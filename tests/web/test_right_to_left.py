"""A name that is written from right to left turns round nothing that stands beside it."""

from __future__ import annotations

from playwright.sync_api import Page

MOSHE, DANA, AHMED = "משה", "דנה", "أحمد"
# What is MADE of something given, a text or what is drawn, as it stands from left to right.
DRAWN = """async (given) => {
  const { html, render } = await import("/static/core/ui.js");
  const { list, number, t } = await import("/static/core/i18n.js");
  const from = (path) => import(`/static/pages/${path}.js`);
  const made = MADE;
  const box = document.body.appendChild(document.createElement("div"));
  Object.assign(box.style, { position: "absolute", whiteSpace: "nowrap" });
  render(made, box);
  const found = [];
  const range = document.createRange();
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    [...text.data].forEach((letter, i) => {
      range.setStart(text, i);
      range.setEnd(text, i + 1);
      const { left, width } = range.getBoundingClientRect();
      if (width) found.push([left, letter]);
    });
  }
  return found.sort((a, b) => a[0] - b[0]).map(([, letter]) => letter).join("");
}"""


def shown(page: Page, what: str, given: object) -> str:
    """Return how it stands, with the plain minus of a keyboard."""
    return str(page.evaluate(DRAWN.replace("MADE", what), given)).replace("\u2212", "-")


def turned(name: str) -> str:
    """Return a name as it stands from left to right."""
    return name[::-1]


SCORES = "t('say.scores', { name: list(given), n: number(-40) })"
SHEET = {
    "players": [MOSHE, "Ann", DANA, AHMED],
    "sides": [[0, 2], [1], [3]],
    "totals": [-40, 120, -40, 5],
}
EVENING = {"people": [{"name": name} for name in (MOSHE, "Ann", DANA)], "sides": {}}
HAND = {
    "players": [MOSHE, "Ann", DANA, AHMED],
    "bots": [None] * 4,
    "sides": [[0, 2], [1, 3]],
    "score": [-40, 120, -40, 120],
}
SAID: dict[str, tuple[str, object, str]] = {
    "end": ("t('over.won', { name: given })", MOSHE, f"{turned(MOSHE)} won the match."),
    "one": ("`${list([given])} 95`", MOSHE, f"{turned(MOSHE)} 95"),
    "sentences": (
        "given.map((name, i) => t('say.scores', { name, n: number(-40 * i) })).join(' ')",
        [DANA, MOSHE],
        f"{turned(DANA)}: 0. {turned(MOSHE)}: -40.",
    ),
    "list": (SCORES, [MOSHE, "Ann", AHMED], f"{turned(MOSHE)}, Ann, and {turned(AHMED)}: -40."),
    "hebrew list": (SCORES, [MOSHE, DANA], f"{turned(MOSHE)} and {turned(DANA)}: -40."),
    "within": (
        "t('chat.says', { name: 'Ann', text: t('say.scores', { name: given, n: 5 }) })",
        MOSHE,
        f"Ann: {turned(MOSHE)}: 5.",
    ),
    "sheet": (
        "(await from('sheet/said')).asText(given, 'Rook')",
        SHEET,
        f"Rook: {turned(MOSHE)} + {turned(DANA)} -40, Ann 120, {turned(AHMED)} 5",
    ),
    "contract": (
        "(await from('sheet/said')).contractOf(given, { declarer: 0, bid: '95' })",
        [MOSHE, "Ann"],
        f"{turned(MOSHE)} 95",
    ),
    "form": (
        "html`<${(await from('sheet/entry')).Preview} told=${given}"
        " answer=${{ scored: { sides: [[0]], score: given.totals } }} />`",
        SHEET,
        f"{turned(MOSHE)} -40",
    ),
    "evening": (
        "(await from('evening/said')).scoreText(given, { seats: [0, 1, 2] }, [[-40, 120, 5]])",
        EVENING,
        f"{turned(MOSHE)} -40, Ann 120, {turned(DANA)} 5",
    ),
    "replay": (
        "(await from('replay/steps')).scoresOf(given)",
        HAND,
        f"{turned(MOSHE)} and {turned(DANA)} -40 · Ann and {turned(AHMED)} +120",
    ),
    "bold": ("html`<strong>${given}</strong> 5`", MOSHE, f"{turned(MOSHE)} 5"),
}


def test_a_number_stands_beside_the_name_that_it_is_of(bare: Page) -> None:
    for name, (what, given, said) in SAID.items():
        assert shown(bare, what, given) == said, name


PLAIN = """async (names) => {
  const { list, t } = await import("/static/core/i18n.js");
  return t("say.scores", { name: list(names), n: 5 });
}"""


def test_a_text_without_such_a_name_has_no_sign_that_nobody_sees(bare: Page) -> None:
    said = bare.evaluate(PLAIN, ["Ann", "Zoë", "美咲", "Иван"])
    assert said == "Ann, Zoë, 美咲, and Иван: 5."
