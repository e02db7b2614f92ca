"""A face of one's own: chosen in the settings, shown at every table, to everybody."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import WebSocketRoute, expect
from tests.server.http.served import table_for
from tests.web.e2e.looks import later
from tests.web.e2e.people import NARROW, Someone
from tests.web.e2e.sizes import faults_in_both

Invite = Callable[..., Someone]
# What the picture of a face is made of, without the place where it stands.
DRAWN = "(face) => face.innerHTML"
# Ann's face is drawn as she has chosen it.
AS_CHOSEN = """([css, drawn]) => {
  const hers = [...document.querySelectorAll(css)].find((one) => one.textContent.includes("Ann"));
  return hers?.querySelector(".bird-face")?.innerHTML === drawn;
}"""


def test_a_chosen_face_is_seen_by_the_others(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob", **NARROW)
    client = ann.here.browser("Ann")
    code = table_for(client, rules="kd_tournament")
    ann.known(client)
    ann.page.goto(f"/t/{code}")
    bob.comes(code)
    own = bob.page.locator(".seat-row", has_text="Ann").locator(".bird-face")
    expect(own.locator("text")).to_have_text("A")

    ann.press("Settings")
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_text("My picture").click()
    faces = dialog.get_by_role("group", name="My picture").get_by_role("radio")
    expect(faces).to_have_count(48)
    assert not faults_in_both(ann.page)
    # By keyboard too: the group is one stop, and arrows go through it.
    faces.first.focus()
    ann.page.keyboard.press("ArrowRight")
    ann.page.wait_for_function("() => told.table.seats[0].face !== ''")
    dialog.locator("label", has_text="Puffin").click()
    ann.page.wait_for_function("() => told.table.seats[0].face === 'Puffin'")
    expect(dialog.get_by_role("radio", name="Puffin")).to_be_checked()
    chosen = dialog.locator("label", has_text="Puffin").locator("svg").evaluate(DRAWN)
    ann.press("Close")
    bob.page.wait_for_function("() => told.table.seats[0].face === 'Puffin'")
    bob.page.wait_for_function(AS_CHOSEN, arg=[".seat-row", chosen])

    ann.press("Start", exact=False)
    plate = bob.page.locator(".plate", has_text="Ann").locator(".bird-face")
    expect(plate).to_be_visible()
    bob.page.wait_for_function(AS_CHOSEN, arg=[".plate", chosen])
    # It goes with her to the next table.
    other = table_for(client, rules="kd_tournament")
    ann.page.goto(f"/t/{other}")
    ann.page.wait_for_function("() => told.table?.seats[0].face === 'Puffin'")
    ann.page.goto(f"/t/{code}")
    ann.page.wait_for_function("() => told.table?.seats[0].face === 'Puffin'")


def test_another_device_does_not_take_the_face_away(invite: Invite) -> None:
    """One that has chosen none keeps quiet; one that has chosen another does not quarrel."""
    ann, again = invite("Ann"), invite("Ann")
    client = ann.here.browser("Ann")
    code = table_for(client, rules="kd_tournament")
    for one in (ann, again):
        one.known(client)
    ann.page.goto("/")
    ann.page.evaluate(
        "(kept) => localStorage.setItem('rookery.settings', kept)", json.dumps({"face": "Wren"})
    )
    ann.page.goto(f"/t/{code}")
    ann.page.wait_for_function("() => told.table?.seats[0].face === 'Wren'")
    again.page.goto(f"/t/{code}")
    again.settled()
    expect(again.page.locator(".seat-row", has_text="Ann").locator(".bird-face")).to_be_visible()
    assert again.table()["seats"][0]["face"] == "Wren"
    seq = again.table()["seq"]
    again.press("Settings")
    dialog = again.page.get_by_role("dialog")
    dialog.get_by_text("My picture").click()
    dialog.locator("label", has_text="Egret").click()
    for one in (ann, again):
        one.page.wait_for_function("() => told.table.seats[0].face === 'Egret'")
    assert again.table()["seq"] == seq + 1


def test_of_the_faces_that_arrow_keys_go_through_the_last_is_shown(invite: Invite) -> None:
    ann = invite("Ann")
    client = ann.here.browser("Ann")
    ann.known(client)
    ann.page.clock.install()
    ann.page.goto(f"/t/{table_for(client, rules='kd_tournament')}")
    ann.settled()
    ann.press("Settings")
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_text("My picture").click()
    seq = ann.table()["seq"]
    dialog.get_by_role("radio").first.focus()
    later(ann.page, 0)  # as much time passes from key to key on a slow machine as on a fast one
    for _ in range(40):
        ann.page.keyboard.press("ArrowRight")
        ann.page.clock.run_for(50)
    ann.page.clock.resume()
    chosen = json.loads(ann.page.evaluate("localStorage.getItem('rookery.settings')"))["face"]
    ann.page.wait_for_function("(face) => told.table.seats[0].face === face", arg=chosen)
    assert ann.table()["seq"] <= seq + 2
    assert not ann.faults


def test_a_face_that_was_refused_is_sent_again(invite: Invite) -> None:
    ann = invite("Ann")
    client = ann.here.browser("Ann")
    code = table_for(client, rules="kd_tournament")
    ann.known(client)
    refused: list[str] = []

    def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def sent(message: str | bytes) -> None:
            command = json.loads(message)
            if command["type"] != "face" or refused:
                server.send(message)
                return
            refused.append(command["id"])
            no = {"type": "refused", "id": command["id"], "code": "storage", "reason": "full"}
            route.send(json.dumps(no))

        route.on_message(sent)

    ann.page.route_web_socket(re.compile("/ws/"), through)
    ann.page.goto("/")
    ann.page.evaluate(
        "(kept) => localStorage.setItem('rookery.settings', kept)", json.dumps({"face": "Wren"})
    )
    ann.page.goto(f"/t/{code}")
    expect(ann.page.locator(".problem")).to_be_visible()
    assert len(refused) == 1
    assert ann.table()["seats"][0]["face"] == ""
    ann.press("Start", exact=False)
    ann.page.wait_for_function("() => told.table.seats[0].face === 'Wren'")
