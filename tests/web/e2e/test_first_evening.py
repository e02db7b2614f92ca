"""Your first evening, done in three browsers by the words of the tutorial."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.docs.tutorial import Tutorial
from tests.server.http.served import first_legal
from tests.web.e2e.conftest import Invite
from tests.web.e2e.people import PHONE, Someone, meekest, record_of

from rookery.record import loads

GAME = "Kentucky Discard, Tournament rules"
SEND = "(said) => told.socket.send(JSON.stringify(said))"


class Reader:
    """Comes to the words that stand in bold in a tutorial, in their order."""

    def __init__(self, text: str) -> None:
        self._bold = iter(re.findall(r"\*\*([^*]+)\*\*", text))

    def at(self, label: str) -> str:
        """Return a label once the tutorial has come to it; a sentence in bold is none."""
        while (found := next(self._bold)) != label:
            assert found.endswith("."), f"{found} comes before {label}"
        return label

    def ends(self) -> None:
        """End; there is no label left."""
        assert list(self._bold) == []


@pytest.mark.slow
def test_an_evening(invite: Invite, tmp_path: Path) -> None:
    it = Tutorial("first-evening", tmp_path)
    reader = Reader(it.text)
    assert "rookery serve --lan" in it.block("sh")
    it.block("text")  # the addresses of somebody's machine
    people = [invite("Ann"), invite("Bea", **PHONE), invite("Cy", **PHONE)]
    ann, page = people[0], people[0].page

    page.goto("/")
    page.get_by_label("Your name").fill("Ann")
    ann.press(reader.at("Play with friends"))
    assert f"*{GAME}*" in it.text
    expect(page.get_by_text(GAME).first).to_be_visible()
    expect(page.get_by_text(reader.at("The rules in words")).first).to_be_visible()
    page.get_by_role("combobox", name="Pace").select_option("instant")
    ann.press(reader.at("Create the table"))
    page.wait_for_function("() => told.table")
    for friend in people[1:]:
        friend.comes(ann.table()["code"])
    ann.press(reader.at("Fill 1 seat with a bot"))
    start = page.get_by_role("button", name=reader.at("Start the match"))
    expect(start).to_be_visible()
    ann.settled()
    ann.hit(start)
    for someone in people:
        someone.page.wait_for_function("() => told.table.view")
    reader.at("Fill 3 seats with bots")  # for whoever is alone
    assert "The first side with 300 points wins" in " ".join(it.text.split())

    plays(people, until=lambda table: table["view"]["to_act"] == 0, by_hand=True)
    ann.shown()
    ann.press(reader.at("Hint"))
    expect(page.locator(".notes .hint")).to_be_visible()
    plays(people, until=before_bea, by_hand=True)
    ann.turn(meekest)
    expect(page.get_by_role("button", name=reader.at("Undo")).first).to_be_visible()
    plays(people, until=lambda table: bool(table["hands"]), by_hand=True)
    reader.at("More")
    ann.press("More")
    expect(page.get_by_role("button", name=reader.at("Create a link"))).to_be_visible()
    page.keyboard.press("Escape")
    ann.no_dialog()
    plays(people, until=lambda table: table["phase"] == "over", by_hand=False)

    for label in ("Watch hands", "Match review"):
        expect(page.get_by_role("link", name=reader.at(label)).first).to_be_visible()
    reader.at("Download the record")
    data = record_of(ann)
    (tmp_path / "match.json").write_bytes(data)
    assert loads(data).players == ["Ann", "Bea", "Cy", ann.table()["seats"][3]["name"]]
    it.types()  # and ends with exit status 0, as all of it fits
    (tmp_path / "match.json").write_bytes(data.replace(b'"nest": ["', b'"nest": ["RK", "', 1))
    it.types("rookery verify-deal match.json", status=1)
    it.ends()
    reader.ends()


def before_bea(table: dict[str, Any]) -> bool:
    """Return whether Ann is to play, and then a person: what a bot has answered stays."""
    view = table["view"]
    return view["phase"] == "play" and view["to_act"] == 0 and len(view["trick"]) < 3


def plays(people: list[Someone], until: Callable[[dict[str, Any]], bool], *, by_hand: bool) -> None:
    """Let everybody play on: on their screens, or, to save time, as their browsers would say it."""
    first = people[0]
    while not until(table := first.table()):
        seq, view = table["seq"], table["view"]
        by_seat = {someone.table()["you"]: someone for someone in people}
        if view["phase"] == "done":
            first.press("Next hand")
        elif view["to_act"] in by_seat:
            due = by_seat[view["to_act"]]
            due.page.wait_for_function("(seq) => told.table.seq >= seq", arg=seq)
            if by_hand:
                due.turn(meekest)
            else:
                action = first_legal(due.table()["view"])
                said = {"type": "act", "id": f"t{seq}", "action": action, "seen": seq}
                due.page.evaluate(SEND, said)
        for someone in people:
            someone.page.wait_for_function("(seq) => told.table.seq > seq", arg=seq)
