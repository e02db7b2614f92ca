"""What a player sees and is asked in the terminal: 80 columns, and what the seat may know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import typer

from rookery.cards import ROOK, Card, by_suit, card_name, colour_of, pack_cards, unpack
from rookery.cli.output import WIDTH, printable, wrapped
from rookery.engine.state import PHASES
from rookery.game import Action, CardChoice, Hand, Match, Trick, Verb
from rookery.rules import summary
from rookery.rules.order import SUITS, TRUMP

YOU = 0
_INK = re.compile(r"\x1b\[[0-9;]*m")
_INKS = ("red", "green", "yellow", "bright_black")


HELP: Final = """\
  Answer with a number from the list, or in words: play G10 (or just G10), bid 75
  (or just 75), pass, trump green (or just green), discard R5 R6 G7 (or just the
  cards), call B1, leader 2, give R14, challenge 3, redeal.
  Also: rules, last (the last trick), score, ? (this), quit (the record is kept)."""

# What is asked in each phase: the verb of a bare answer, and the words above the list.
_VERBS: Final = {
    PHASES[verb.phase]: verb for verb in Verb if verb.takes and verb is not Verb.CHALLENGE
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


class Screen:
    """Prints the match as it goes, and asks for the person's actions on standard input."""

    def __init__(self, match: Match) -> None:
        """Learn the names at the table."""
        given = match.players or ["You", *(f"Seat {s}" for s in range(1, match.rules.seats))]
        self.names = [*(printable(name) or "?" for name in given), "the blind hand"]

    def resumed(self, match: Match, hand: Hand) -> None:
        """Say where a match goes on."""
        typer.echo(printable(match.rules.name, WIDTH))
        typer.echo(f"Hand {len(match.hands)} goes on.")
        self.totals(match)
        for action in hand.actions[-12:]:
            typer.echo(f"  {self.sentence(action)}")

    def dealt(self, match: Match, hand: Hand) -> None:
        """Announce a new hand."""
        title = f" Hand {len(match.hands)}, dealt by {self.names[hand.dealer]} "
        typer.echo(f"\n{title:-^{WIDTH}}")
        if len(match.hands) == 1:
            typer.echo(printable(match.rules.name, WIDTH))
            typer.echo(f"The match is to {match.rules.target} points. Type ? for help.")
        else:
            self.totals(match)

    def totals(self, match: Match) -> None:
        """Print the totals."""
        each = (f"{n} {t}" for n, t in zip(self.names, match.totals, strict=False))
        typer.echo(wrapped("Totals", ", ".join(each), indent=0))

    def happened(self, before: Hand, after: Hand) -> None:
        """Tell what the last action was and what came of it."""
        typer.echo(f"  {self.sentence(after.actions[-1], hide=True)}")
        if before.phase == "auction" and after.phase not in ("auction", "redealt"):
            if after.declarer is None:
                typer.echo("  Nobody bids: no trump, no contract; everybody scores what they take.")
            else:
                who = self.names[after.declarer]
                typer.echo(f"  {who} {_spoken('play', who)} for {after.bid}.")
        if after.nest_statement is not None and before.nest_statement is None:
            typer.echo(f"  The new nest holds: {after.nest_statement}.")
        if after.dummy is not None and before.state.exposed == 0 and after.state.exposed:
            typer.echo(folded("Dummy", self.groups(after, unpack(after.state.exposed))))
        if len(after.tricks) > len(before.tricks):
            self.trick_over(after, after.tricks[-1])
        if after.phase == "redealt":
            typer.echo("  The cards are dealt again.")

    def sentence(self, action: Action, hide: bool = False) -> str:
        """Return an action as a sentence; `hide` leaves out what the person may not see."""
        who, verb = self.names[action.seat], action.verb
        if action.seat != YOU and hide and not verb.public:
            if verb is Verb.DISCARD:
                return f"{who} discards {len(action.cards)} cards"
            return f"{who} gives a card"
        if action.target is not None and verb is Verb.LEADER:
            return f"{who} {_spoken('let', who)} {self.names[action.target]} lead"
        if verb is Verb.ROOK:
            return f"{who} {_spoken('rank', who)} the Rook {action.rank}"
        does = _spoken("call" if verb is Verb.TRUMP else verb, who)
        return f"{who} {does} {action.argument}".rstrip()

    def trick_over(self, hand: Hand, trick: Trick) -> None:
        """Say who won a trick, and what was in it."""
        number = hand.tricks.index(trick) + 1
        worth = f", {trick.points} points" if trick.points else ""
        cards = " ".join(self.card(hand, card) for card in trick.cards)
        typer.echo(f"  -> Trick {number} ({cards}) to {self.names[trick.winner]}{worth}.")

    def hand_over(self, match: Match, hand: Hand) -> None:
        """Print how a hand ended."""
        if hand.score is None or hand.points is None or hand.sides is None:
            return
        typer.echo("")
        if hand.declarer is not None:
            made = "made" if hand.state.made else "set"
            typer.echo(f"{self.names[hand.declarer]} played for {hand.bid}: {made}.")
        for side, points in zip(hand.sides, hand.points, strict=True):
            names = " & ".join(self.names[seat] for seat in side)
            typer.echo(wrapped("", f"{names}: took {points}, scores {hand.score[side[0]]}"))
        nest = unpack(hand.hidden.nest)
        if hand.rules.nest_size:
            typer.echo(folded("In the nest", self.groups(hand, nest)))
        self.totals(match)

    def match_over(self, match: Match) -> None:
        """Name the winners."""
        won = " and ".join(self.names[seat] for seat in match.winners or ())
        typer.echo(f"\nThe match goes to {won}.")

    def position(self, hand: Hand) -> None:
        """Print the table as the person sees it: contract, trick so far, own cards."""
        typer.echo("")
        facts = []
        if hand.declarer is not None:
            call = f", {self.call(hand)}" if hand.call else ""
            facts.append(f"Contract {hand.bid} by {self.names[hand.declarer]}{call}")
        if hand.called:
            facts.append("partner card " + " ".join(hand.names(hand.called)))
        if hand.phase == "play":
            facts.append(f"trick {len(hand.tricks) + 1} of {hand.rules.hand_size}")
        if facts:
            typer.echo(f"  {'; '.join(facts)}")
        shown = hand.state.face_up
        if shown and hand.phase in ("auction", "trump", "rook", "call", "nest"):
            typer.echo(folded("Open nest", self.groups(hand, by_suit(shown))))
        if hand.trick and hand.leader is not None:
            places = hand.order_from(hand.leader)
            played = zip(places, hand.trick, strict=False)
            table = [f"{self.names[p]} {self.card(hand, c)}" for p, c in played]
            typer.echo(folded("On the table", table))
        if hand.dummy is not None and hand.state.exposed:
            typer.echo(folded("Dummy", self.groups(hand, by_suit(hand.state.exposed))))
        typer.echo(folded("Your hand", self.groups(hand, hand.cards_held[YOU])))

    def call(self, hand: Hand) -> str:
        """Return the trump call in words."""
        words = {"notrump": "no trump", "notrump-low": "no trump, low cards best"}
        said = hand.call or ""
        text = words.get(said, said.replace("-low", ", low cards best"))
        return text + (", Rook low" if hand.rook_low else "")

    def groups(self, hand: Hand, cards: Iterable[Card]) -> list[str]:
        """Return cards suit by suit, a text each, trumps marked."""
        groups: dict[int, list[str]] = {}
        for card in by_suit(pack_cards(cards)):
            suit = -1 if card == ROOK else colour_of(card)
            groups.setdefault(suit, []).append(self.card(hand, card))
        return [" ".join(group) for group in groups.values()] or ["no cards"]

    def card(self, hand: Hand, card: Card) -> str:
        """Return a card's name in its ink, with a star where it is a trump."""
        name = card_name(card, hand.rules.pack)
        row = hand.state.row
        trump = row >= 0 and hand.table.mask[row * SUITS + TRUMP] >> card & 1
        ink = "magenta" if card == ROOK else _INKS[colour_of(card)]
        return typer.style(f"{name}*" if trump else name, fg=ink)

    def ask(self, match: Match, hand: Hand) -> str:
        """Return the person's action as a record writes it, not yet judged.

        Raises:
            Stopped: ``quit``, or the input has ended.
        """
        self.position(hand)
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
        said = self._read("  You hold no counter. Ask for a new deal? [y/N] ")
        return said.lower() in ("y", "yes")

    def go_on(self, match: Match, hand: Hand) -> None:
        """Wait before the next hand."""
        while said := self._read("  Enter deals the next hand. ").strip().lower():
            if not self._aside(said, match, hand):
                return

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
            self.totals(match)
        elif said == "last":
            if hand.tricks:
                self.trick_over(hand, hand.tricks[-1])
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
        objects = [
            action.argument if action.target is None else self.names[action.target]
            for action in legal.actions
        ]
        numbered = [f"{i}) {what}" for i, what in enumerate(objects, 1)]
        whose = "for the dummy" if hand.turn != YOU else ""
        label = f"{_ASKED[legal.actions[0].verb]} {whose}".strip()
        typer.echo(folded(label, numbered, hang=max(16, len(label) + 4)))
        return legal.actions

    def _action(self, said: str, hand: Hand) -> str:
        """Return what was said as an action: a bare bid, call or card gets its verb."""
        verb = said.split()[0].lower()
        if verb == "p" and hand.phase == "auction":
            return f"{YOU} {Verb.PASS}"
        if verb not in list(Verb):
            verb = _VERBS[hand.phase]
            said = f"{verb} {said}"
        return f"{hand.turn if verb in _VERBS.values() else YOU} {said}"


def folded(label: str, parts: Iterable[str], hang: int = 16) -> str:
    """Return a label and parts behind it, broken between parts only; ink does not count."""
    lines = [f"  {label:<{hang - 2}}"]
    for part in parts:
        used = len(_bare(lines[-1]))
        gap = "   " if used > hang else ""
        if used + len(gap) + len(_bare(part)) > WIDTH:
            lines.append(" " * hang)
            gap = ""
        lines[-1] += gap + part
    return "\n".join(lines)


def _bare(text: str) -> str:
    return _INK.sub("", text)


def _spoken(verb: str, who: str) -> str:
    """Return a verb as it follows a name.

    >>> _spoken("pass", "Papa"), _spoken("pass", "You")
    ('passes', 'pass')
    """
    return verb if who == "You" else verb + ("es" if verb.endswith("s") else "s")


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
