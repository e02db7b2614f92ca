"""A bot that is a program of its own: it plays the first thing it may.

    rookery match --seats "exec:python examples/stdio_bot.py,papa" --deals 20

It speaks `rookery-bot/1`: one JSON object a line, in and out; see docs/how-to/write-a-bot.md.
"""

import json
import sys
from typing import Any


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


def main() -> None:
    """Answer whatever is asked until the other side says goodbye."""
    for message in map(json.loads, sys.stdin):
        if message["type"] == "act":
            action = first_legal(message["legal"], message["view"]["nest_found"])
            answer = {"id": message["id"], "action": action}
            print(json.dumps(answer), flush=True)
        elif message["type"] == "bye":
            return


if __name__ == "__main__":
    main()
