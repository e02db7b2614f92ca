"""What a person is asked in the terminal, and what the answers mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import typer

from rookery.cli.output import wrapped
from rookery.cli.play_screen import YOU, Screen, folded
from rookery.game import Action, CardChoice, Hand, Match, Verb
from rookery.rules import summary

HELP: Final = """\
  Answer with a number from the list, or in words: play G10 (or just G10), bid 75
  (or just 75), pass, trump green (or just green), discard R5 R6 G7 (or just the
  cards), call B1, leader 2, give R14, challenge 3, redeal.
  Also: rules, last (the last trick), score, ? (this), quit (the record is kept)."""

# What is asked in each phase: the verb of a bare answer, and the words above the list.
_VERBS: Final = {
    "auction": Verb.BID,
    "nest": Verb.DISCARD,
    "trump": Verb.TRUMP,
    "rook": Verb.ROOK,
    "call": Verb.CALL,
    "leader": Verb.LEADER,
    "circus": Verb.GIVE,
    "play": Verb.PLAY,
}
_ASKED: Final = {
    Verb.PLAY: "Play",
    Verb.GIVE: "Give",
    Verb.TRUMP: "Call",
    Verb.ROOK: "Rank the Rook",
    Verb.LEADER: "Who leads",
}


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
            if choices and said.isdecimal() and int(said) <= len(choices):
                return str(choices[int(said) - 1]) if int(said) else said
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

    def _offer(self, hand: Hand) -> Sequence[Action]:
        """Print the legal choices; return those that have a number."""
        legal = hand.legal()
        if legal.choice is not None:
            typer.echo(_request(legal.choice, hand))
            return ()
        if hand.phase == "auction":
            typer.echo(wrapped("You may", _auction(legal.actions, hand.rules.bid_step), hang=16))
            return ()
        numbered = [f"{i}) {self._object(a)}" for i, a in enumerate(legal.actions, 1)]
        whose = "for the dummy" if hand.turn != YOU else ""
        label = f"{_ASKED[legal.actions[0].verb]} {whose}".strip()
        typer.echo(folded(label, numbered, hang=max(16, len(label) + 4)))
        return legal.actions

    def _object(self, action: Action) -> str:
        """Return what an action is about: a card, a call, a rank, a person."""
        return action.argument if action.target is None else self.screen.names[action.target]

    def _action(self, said: str, hand: Hand) -> str:
        """Return what was said as an action: a bare bid, call or card gets its verb."""
        verb = said.split()[0].lower()
        if verb == "p" and hand.phase == "auction":
            return f"{YOU} {Verb.PASS}"
        if verb not in list(Verb):
            verb = _VERBS[hand.phase]
            said = f"{verb} {said}"
        return f"{hand.turn if verb in _VERBS.values() else YOU} {said}"


def _auction(actions: Sequence[Action], step: int) -> str:
    bids = [action.amount for action in actions if isinstance(action.amount, int)]
    others = [action.words for action in actions if not isinstance(action.amount, int)]
    ladder = []
    if len(bids) > 4:
        ladder = [f"bid {bids[0]} to {bids[-1]} in steps of {step}"]
    elif bids:
        ladder = [f"bid {', '.join(map(str, bids))}"]
    return "; ".join([*ladder, *others])


def _request(choice: CardChoice, hand: Hand) -> str:
    """Return what is asked of the declarer: cards for the nest, or partner cards."""
    if choice.verb is Verb.CALL:
        some = "a card" if choice.most == 1 else f"{choice.least} to {choice.most} cards"
        return wrapped("Name", f"{some} whose holder is your partner, such as B1", hang=16)
    lines = [
        wrapped("Lay aside", f"{choice.most} cards; you may choose from", hang=16),
        wrapped("", " ".join(hand.names(choice.cards)), hang=16),
    ]
    if choice.must:
        lines.append(wrapped("These must go", " ".join(hand.names(choice.must)), hang=18))
    if choice.swap is not None:
        numbers = " or ".join(map(str, choice.swap))
        lines.append(wrapped("New in the nest", f"{numbers} of them; name the whole nest", hang=20))
    return "\n".join(lines)
