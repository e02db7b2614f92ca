"""What a phone does at an evening or on a score sheet swallows nothing and undoes nobody else."""

from __future__ import annotations

from playwright.sync_api import Page

# A host sends somebody home, and the answer is lost; they come back, and go again.
LEAVES = """async () => {
  const ids = new Set();
  const done = [];
  const told = JSON.stringify({ evening: { people: [] }, you: {} });
  let lost = 1;
  window.fetch = async (path, { method, body }) => {
    if (method !== "POST") return new Response(told);
    const { id, change } = JSON.parse(body);
    if (!ids.has(id)) done.push(change.do);
    ids.add(id);
    if (lost-- > 0) throw new TypeError("the line broke");
    return new Response(told);
  };
  const { openEvening } = await import("/static/pages/evening/log.js");
  const log = openEvening("A", "");
  for (const what of ["leave", "return", "leave"]) {
    await log.act({ do: what, person: 3 }).catch(() => {});
  }
  log.close();
  return done;
}"""


def test_what_a_host_does_once_more_after_something_else_is_done_once_more(bare: Page) -> None:
    assert bare.evaluate(LEAVES) == ["leave", "return", "leave"]


# The server of a score sheet keeps the newest entry; `other` writes on it from another phone.
SHEET = """async () => {
  localStorage.clear();
  const hands = [];
  window.sent = [];
  const write = ({ hand, said }) => {
    hands[hand] = { number: hand, said, entry: (hands[hand]?.entry ?? 0) + 1, others: [] };
  };
  const told = () => ({ may_write: true, mine: true, players: ["A"], rules: { name: "x" }, hands });
  window.fetch = async (path, { method, body }) => {
    if (method === "POST") {
      sent.push(JSON.parse(body));
      if (window.full) return new Response(JSON.stringify(full), { status: 409 });
      write(sent.at(-1));
    }
    return new Response(JSON.stringify(told()));
  };
  window.other = write;
  const { openLog } = await import("/static/pages/sheet/log.js");
  window.log = openLog("A", "");
  await log.look();
}"""


def test_an_undo_has_seen_no_more_than_what_it_undoes(bare: Page) -> None:
    bare.evaluate(SHEET)
    bare.evaluate("() => log.write(0, { bid: 70 }, 0)")
    bare.evaluate("() => { other({ hand: 0, said: { bid: 100 } }); return log.look(); }")
    bare.evaluate("() => log.write(0, { bid: 90 }, 2)")
    for _ in range(2):
        bare.evaluate("() => log.undo()")
    sent = [(one["said"], one["over"]) for one in bare.evaluate("sent")]
    # What the other phone wrote comes back; then it is not taken off, but disputed.
    assert sent == [({"bid": 70}, 0), ({"bid": 90}, 2), ({"bid": 100}, 2), (None, 0)]


def test_an_undo_that_is_refused_may_be_asked_for_again(bare: Page) -> None:
    bare.evaluate(SHEET)
    for hand in range(2):
        bare.evaluate("(hand) => log.write(hand, { bid: 70 }, 0)", hand)
    bare.evaluate("window.full = { error: { code: 'sheet-full', reason: '' } }")
    assert bare.evaluate("log.undo().then(({ code }) => code)") == "sheet-full"
    bare.evaluate("window.full = null")
    for _ in range(2):
        bare.evaluate("() => log.undo()")
    sent = [(one["hand"], one["said"]) for one in bare.evaluate("sent")]
    assert sent[2:] == [(1, None), (1, None), (0, None)]


# A phone without a network keeps two scores; then a correction of the second is refused.
CORRECTS = """async () => {
  localStorage.clear();
  const problem = { error: { code: "bad-change", reason: "" } };
  let away = true;
  window.fetch = async (path, { method }) => {
    if (away) throw new TypeError("no network");
    if (method === "POST") return new Response(JSON.stringify(problem), { status: 422 });
    return new Response(JSON.stringify({ evening: { people: [] }, you: {} }));
  };
  const { openEvening, waitingFor } = await import("/static/pages/evening/log.js");
  const log = openEvening("A", "");
  await log.score(1, 1, [[100, 20]], 0);
  await log.score(1, 2, [[70, 50]], 0);
  away = false;
  const found = await log.score(1, 2, [[9, 9]], 0);
  log.close();
  return [found.code, waitingFor(log.store.get(), 1, 2)?.entry.change.rows];
}"""


def test_a_score_that_waits_is_still_there_after_a_correction_that_is_refused(bare: Page) -> None:
    assert bare.evaluate(CORRECTS) == ["bad-change", [[70, 50]]]


# The server refuses whatever it is sent, before it reads a score.
WAITS = """async ([status, code]) => {
  localStorage.clear();
  const problem = { error: { code, reason: "" } };
  window.fetch = async (path, { method }) => new Response(JSON.stringify(problem), { status });
  const { openLog } = await import("/static/pages/sheet/log.js");
  const log = openLog("ABCDEF2", "k".repeat(43));
  await log.look();
  const found = await log.write(0, { bid: 80 }, 0);
  const { away, waiting } = log.store.get();
  log.close();
  return [found, away, waiting.length];
}"""


def test_a_score_waits_while_the_server_has_not_read_it(bare: Page) -> None:
    for refused in (408, "too-slow"), (421, "bad-host"), (429, "too-many"), (503, "busy"):
        assert bare.evaluate(WAITS, refused) == [None, True, 1], refused


# A hand of cards as the form has it and as it waits to be sent; meanwhile two people are renamed.
RENAMED = """async () => {
  const { fromForm, toForm } = await import("/static/pages/sheet/said.js");
  const before = ["Ann", "Bob", "Cy", "Dee"];
  const after = ["Bob", "Anna", "Cy", "Dee"];
  const form = {
    who: 0, bid: "100", partners: [2], revoked: 3, points: { 1: "80" }, tricks: { 1: "4" },
    last: 1, six: 2,
  };
  const asked = ["partners", "revoked", "points", "tricks", "last_trick", "first_to_six"];
  const said = fromForm(form, asked);
  return [said, toForm(before, said), toForm(after, said), form];
}"""


def test_a_hand_that_waits_is_of_seats_whatever_people_are_called_by_then(bare: Page) -> None:
    said, before, after, form = bare.evaluate(RENAMED)
    assert (said["declarer"], said["points"], said["partners"]) == ("0", {"1": 80}, ["2"])
    assert before == after == form
