"""A player that is a program: it sits down at a table and plays the first thing it may.

    python examples/socket_bot.py http://127.0.0.1:8000 ABCDEF2

It knows no rule of the game: the server says what it may do. See docs/reference/socket.md.
"""

import itertools
import json
import sys
import urllib.request
from typing import Any

from websockets.sync.client import connect


def cookie_for(server: str, name: str) -> str:
    """Take a name and return the cookie that stands for it from now on."""
    body = json.dumps({"name": name}).encode()
    headers = {"Content-Type": "application/json", "Origin": server}
    request = urllib.request.Request(f"{server}/api/session", body, headers)  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310  (the server that you name)
        return str(answer.headers["Set-Cookie"]).partition(";")[0]


def first_legal(legal: Any, nest: list[str]) -> str:  # noqa: ANN401  (JSON)
    """Return one legal action, from the three shapes that they come in."""
    if isinstance(legal, list):
        return "pass" if "pass" in legal else str(legal[0])
    if "call" in legal:
        return f"call {legal['call']['from'][0]}"
    cards = sorted(legal["from"], key=lambda card: card not in legal["must"])  # these first
    if "swap" in legal:  # how many cards of the nest may change, the fewest first
        new = legal["swap"][0]
        old = [card for card in cards if card in nest][: legal["discard"] - new]
        cards = old + [card for card in cards if card not in nest][:new]
    return " ".join(["discard", *cards[: legal["discard"]]])


def main(server: str, code: str, name: str = "Robin") -> None:
    """Play at a table until its match is over."""
    server = server.rstrip("/")  # `rookery serve` prints one
    number, waiting = itertools.count(), True
    headers = {"Cookie": cookie_for(server, name)}
    url = f"{server.replace('http', 'ws', 1)}/ws/{code}"
    with connect(url, origin=server, additional_headers=headers, compression=None) as socket:
        socket.send(json.dumps({"type": "hello"}))
        socket.send(json.dumps({"type": "sit", "id": f"{name}-sit"}))
        for message in map(json.loads, socket):
            if message["type"] == "refused" and message["id"] == f"{name}-sit":
                sys.exit(f"no seat: {message['reason']}")
            if message["type"] in ("ack", "refused"):
                waiting = False
                print(message.get("reason", f"done: event {message.get('seq')}"))
            table = message.get("table")
            if waiting or table is None or table["view"] is None:
                continue
            if table["phase"] == "over":
                return
            view, seat = table["view"], table["you"]
            if view["phase"] in ("done", "redealt") and seat not in table["ready"]:
                command = {"type": "next"}
            elif view["legal"] and view["to_act"] == seat:
                action = first_legal(view["legal"], view["nest_found"])
                command = {"type": "act", "action": action, "seen": table["seq"]}
            else:
                continue
            # What comes before the answer to this is about what was before it.
            waiting = True
            socket.send(json.dumps({**command, "id": f"{name}-{next(number)}"}))


if __name__ == "__main__":
    main(*sys.argv[1:])
