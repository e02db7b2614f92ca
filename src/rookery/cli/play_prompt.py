"""What a person is asked in the terminal, and what the answers mean."""

from __future__ import annotations

from typing import Any, Final

import typer

from rookery.cli.output import wrapped
from rookery.cli.play_screen import YOU, Screen, folded
from rookery.game import Hand, Match
from rookery.rules import summary

HELP: Final = """\
  Answer with a number from the list, or in words: play G10 (or just G10), bid 75
  (or just 75), pass, trump green (or just green), discard R5 R6 G7 (or just the
  cards), call B1, leader 2, give R14, challenge 3, redeal.
  Also: rules, last (the last trick), score, ? (this), quit (the record is kept)."""


class Stopped(Exception):
    """The person has left the table."""


class Prompt:
    """Asks for actions on standard input until one is given."""

    def __init__(self, screen: Screen) -> None:
        """Ask beside what `screen` shows."""
        self.screen = screen

    def ask(self, match: Match) -> str:
        """Return the person's action as a record writes it, not yet judged.

        Raises:
            Stopped: ``quit``, or the input has ended.
        """
        hand = match.hand
        if hand is None:
            raise LookupError("no hand is dealt")
        self.screen.position(hand)
        choices = self._offer(hand)
        while True:
            said = self._read("> ").strip()
            if not said or self._aside(said.lower(), match, hand):
                continue
            if said.isdecimal() and int(said) <= len(choices) and hand.phase != "auction":
                return f"{hand.turn} {choices[int(said) - 1]}" if int(said) else said
            return self._action(said, hand)

    def wants_redeal(self) -> bool:
        """Return whether a person without a counter, who is not to act, wants new cards."""
        return self._read("  You hold no counter. Ask for a new deal? [y/N] ").lower() in (
            "y",
            "yes",
        )

    def go_on(self, match: Match) -> None:
        """Wait before the next hand."""
        said = self._read("  Enter deals the next hand. ").strip().lower()
        while said:
            if match.hand is None or not self._aside(said, match, match.hand):
                return
            said = self._read("  Enter deals the next hand. ").strip().lower()

    def _read(self, text: str) -> str:
        typer.echo(text, nl=False)
        try:
            return input()
        except (EOFError, KeyboardInterrupt):
            raise Stopped from None

    def _aside(self, said: str, match: Match, hand: Hand) -> bool:
        """Answer what is no action; return whether it was."""
        if said in ("q", "quit", "exit"):
            raise Stopped
        if said in ("?", "help", "h"):
            typer.echo(HELP)
        elif said == "rules":
            typer.echo(summary(match.rules))
        elif said == "score":
            self.screen.totals(match)
        elif said == "last":
            if hand.tricks:
                self.screen.trick_over(hand, hand.tricks[-1])
            else:
                typer.echo("  No trick is complete yet.")
        else:
            return False
        return True

    def _offer(self, hand: Hand) -> list[str]:
        """Print the legal choices; return those that have a number."""
        legal = hand.legal()
        if isinstance(legal, dict):
            typer.echo(_request(legal))
            return []
        if hand.phase == "auction":
            typer.echo(wrapped("You may", _auction(legal, hand.rules.bid_step), hang=16))
            return []
        names = [text.partition(" ")[2] or text for text in legal]
        if hand.phase == "leader":
            names = [self.screen.names[int(seat)] for seat in names]
        numbered = [f"{i}) {name}" for i, name in enumerate(names, 1)]
        verb = {"play": "Play", "give": "Give", "trump": "Call", "rook": "Rank the Rook"}
        whose = "for the dummy" if hand.turn != YOU else ""
        label = f"{verb.get(legal[0].split()[0], 'Who leads')} {whose}".strip()
        typer.echo(folded(label, numbered, hang=max(16, len(label) + 4)))
        return legal

    def _action(self, said: str, hand: Hand) -> str:
        """Return what was said as an action: a bare bid, call or card gets its verb."""
        words = said.split()
        low = words[0].lower()
        verbs = {
            "auction": "bid",
            "nest": "discard",
            "trump": "trump",
            "rook": "rook",
            "call": "call",
            "leader": "leader",
            "circus": "give",
            "play": "play",
        }
        if low in ("p", "pass") and hand.phase == "auction":
            said = "pass"
        elif low not in (*verbs.values(), "redeal", "challenge", "pass"):
            said = f"{verbs[hand.phase]} {said}"
        seat = hand.turn if said.split()[0].lower() in verbs.values() else YOU
        return f"{seat} {said}"


def _auction(legal: list[str], step: int) -> str:
    bids = [text for text in legal if text.startswith("bid ") and text != "bid sun"]
    others = [text for text in legal if text not in bids]
    ladder = []
    if len(bids) > 4:
        ladder = [f"bid {bids[0][4:]} to {bids[-1][4:]} in steps of {step}"]
    elif bids:
        ladder = [f"bid {', '.join(text[4:] for text in bids)}"]
    return "; ".join([*ladder, *others])


def _request(legal: dict[str, Any]) -> str:
    """Return what is asked of the declarer: cards for the nest, or partner cards."""
    if "call" in legal:
        asked = legal["call"]
        some = "a card" if asked["max"] == 1 else f"{asked['min']} to {asked['max']} cards"
        return wrapped("Name", f"{some} whose holder is your partner, such as B1", hang=16)
    lines = []
    size = legal["discard"]
    lines.append(wrapped("Lay aside", f"{size} cards; you may choose from", hang=16))
    lines.append(wrapped("", " ".join(legal["from"]), hang=16))
    if legal["must"]:
        lines.append(wrapped("These must go", " ".join(legal["must"]), hang=18))
    if "swap" in legal:
        told = " or ".join(str(n) for n in legal["swap"])
        lines.append(wrapped("New in the nest", f"{told} of them; name the whole nest", hang=20))
    return "\n".join(lines)
