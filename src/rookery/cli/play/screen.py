"""What a player sees and is asked in the terminal: 80 columns, and what the seat may know."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

import typer

from rookery.cards import ROOK, Card, by_suit, card_name, colour_of, pack_cards, unpack
from rookery.cli.output import WIDTH, printable, wrapped
from rookery.engine.state import PHASES
from rookery.game import Action, CardChoice, Hand, Match, Trick, Verb
from rookery.game.errors import Refusal, counted, shortened
from rookery.rules import summary
from rookery.rules.order import SUITS, TRUMP
from rookery.view import view_of

YOU = 0
_INK = re.compile(r"\x1b\[[0-9;]*m")
_INKS = ("red", "green", "yellow", "bright_black")


HELP: Final = """\
  You can say:
  3                a number from the list
  bid 75           or just 75; also bid sun, pass, redeal
  discard R5 R6    or just the cards
  trump green      or just green; rook high, call B1, leader 2, give R14
  play G10         or just G10; challenge 3 says that seat 3 revoked
  hint             what the bot club would do, and why
  rules, last (the last trick), score, ? (this help), quit"""

# What is asked in each phase: the verb of a bare answer, and the words above the list.
_VERBS: Final = {
    PHASES[verb.phase]: verb for verb in Verb if verb.takes and verb is not Verb.CHALLENGE
}
_ASKED: Final = {
    Verb.PLAY: "Play",
    Verb.GIVE: "Give",
    Verb.TRUMP: "Name trump",
    Verb.ROOK: "Rank the Rook",
    Verb.LEADER: "Who leads",
}


class Stopped(Exception):
    """The person has left the table."""


class Screen:
    """Prints the match as it goes, and asks for the person's actions on standard input."""

    def __init__(self, match: Match, bots: Sequence[str], advice: Callable[[Hand], str]) -> None:
        """Learn the names at the table, which bots play from seat 1 on, and who gives hints."""
        given = match.players or ["You", *(f"Seat {s}" for s in range(1, match.rules.seats))]
        self._bots = bots
        self._advice = advice
        self._said = ""
        self.names = [*(printable(name) or "?" for name in given), "the blind hand"]

    def resumed(self, match: Match, hand: Hand) -> None:
        """Say where a match goes on."""
        typer.echo(printable(match.rules.name, WIDTH))
        typer.echo(f"Hand {len(match.hands)} goes on.")
        self.company(hand)
        self.totals(match)
        for action in hand.actions[-12:]:
            typer.echo(f"  {self.sentence(hand, action)}")

    def dealt(self, match: Match, hand: Hand) -> None:
        """Announce a new hand."""
        title = f" Hand {len(match.hands)}, dealt by {self.names[hand.dealer]} "
        typer.echo(f"\n{title:-^{WIDTH}}")
        if len(match.hands) == 1:
            typer.echo(printable(match.rules.name, WIDTH))
            typer.echo(f"The match is to {match.rules.target} points. Type ? for help.")
            self.company(hand)
        else:
            self.totals(match)
        if hand.over:
            typer.echo("  The cards are dealt again.")

    def company(self, hand: Hand) -> None:
        """Print who plays with the person, and how."""
        partners = _partners(hand)
        each = (
            f"{self.names[seat]} ({'your partner, ' if seat in partners else ''}{bot})"
            for seat, bot in enumerate(self._bots, 1)
        )
        typer.echo(wrapped("With you", ", ".join(each), indent=0))

    def name(self, hand: Hand, place: int) -> str:
        """Return the name of a place, marked if the person knows that it is their partner."""
        return f"{self.names[place]}{' (partner)' if place in _partners(hand) else ''}"

    def totals(self, match: Match) -> None:
        """Print the totals."""
        sides = match.rules.fixed_sides if match.rules.totals == "team" else None
        together = sides or [(seat,) for seat in range(match.rules.seats)]
        each = (f"{self._all(side)} {match.totals[side[0]]}" for side in together)
        typer.echo(wrapped("Totals", ", ".join(each), indent=0))

    def _all(self, seats: Iterable[int]) -> str:
        return " & ".join(self.names[seat] for seat in seats)

    def happened(self, before: Hand, after: Hand) -> None:
        """Tell what the last action was and what came of it."""
        typer.echo(f"  {self.sentence(after, after.actions[-1])}")
        if before.phase == "auction" and after.phase not in ("auction", "redealt"):
            if after.declarer is None:
                typer.echo("  Nobody bids: no trump, no contract; everybody scores what they take.")
            else:
                who = self.name(after, after.declarer)
                typer.echo(f"  {who} {_spoken('win', who)} the auction at {after.bid}.")
        if after.nest_statement is not None and before.nest_statement is None:
            typer.echo(f"  {_stated(after.nest_statement)}")
        if after.dummy is not None and before.state.exposed == 0 and after.state.exposed:
            typer.echo(folded("Dummy", self.groups(after, unpack(after.state.exposed))))
        if len(after.tricks) > len(before.tricks):
            self.trick_over(after, after.tricks[-1])
        if after.phase == "redealt":
            typer.echo("  The cards are dealt again.")

    def sentence(self, hand: Hand, action: Action) -> str:
        """Return an action as a sentence, without what the person may not see."""
        who, verb = self.name(hand, action.seat), action.verb
        if action.seat != YOU and not verb.public:
            if verb is Verb.DISCARD:
                return f"{who} discards {counted(len(action.cards), 'card')}"
            return f"{who} gives a card"
        if action.target is not None and verb is Verb.LEADER:
            return f"{who} {_spoken('let', who)} {self.names[action.target]} lead"
        if verb is Verb.ROOK:
            return f"{who} {_spoken('rank', who)} the Rook {action.rank}"
        if verb is Verb.TRUMP:
            return f"{who} {_spoken('name', who)} {self.call(action.call)}"
        return f"{who} {_spoken(verb, who)} {action.argument}".rstrip()

    def trick_over(self, hand: Hand, trick: Trick) -> None:
        """Say who won a trick, and what was in it."""
        number = hand.tricks.index(trick) + 1
        worth = f", {counted(trick.points, 'point')}" if trick.points else ""
        cards = " ".join(self.card(hand, card) for card in trick.cards)
        typer.echo(f"  -> Trick {number} ({cards}) to {self.name(hand, trick.winner)}{worth}.")

    def hand_over(self, match: Match, hand: Hand) -> None:
        """Print how a hand ended."""
        if hand.score is None or hand.points is None or hand.sides is None:
            return
        typer.echo("")
        if hand.declarer is not None:
            made = {True: "Made. ", False: "Set. ", None: ""}[hand.made]
            who, took = self.names[hand.declarer], counted(hand.points[0], "point")
            whose = "" if len(hand.sides[0]) == 1 else "r side" if who == "You" else "'s side"
            taker = "you" if who == "You" else who
            typer.echo(f"{made}{who} bid {hand.bid}; {taker}{whose} took {took}.")
        for side, points in zip(hand.sides, hand.points, strict=True):
            scores = dict.fromkeys(hand.score[seat] for seat in side)
            each = " and ".join(f"{n:+}" if n else "0" for n in scores)
            typer.echo(wrapped("", f"{self._all(side)}: {points} taken, score {each}"))
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
            call = f" - {self.call(hand.call)}" if hand.call else ""
            low = ", Rook low" if hand.rook_low else ""
            facts.append(f"{self.name(hand, hand.declarer)} bid {hand.bid}{call}{low}")
        if hand.called:
            facts.append("called: " + " ".join(hand.names(hand.called)))
        if hand.phase == "play":
            facts.append(f"trick {len(hand.tricks) + 1} of {hand.rules.hand_size}")
        if facts:
            typer.echo(wrapped("", "; ".join(facts), indent=0, hang=2))
        shown = hand.state.face_up
        if shown and hand.phase in ("auction", "trump", "rook", "call", "nest"):
            typer.echo(folded("Open nest", self.groups(hand, by_suit(shown))))
        if hand.trick and hand.leader is not None:
            places = hand.order_from(hand.leader)
            played = zip(places, hand.trick, strict=False)
            table = [f"{self.name(hand, p)} {self.card(hand, c)}" for p, c in played]
            typer.echo(folded("On the table", table))
        if hand.dummy is not None and hand.state.exposed:
            typer.echo(folded("Dummy", self.groups(hand, by_suit(hand.state.exposed))))
        typer.echo(folded("Your hand", self.groups(hand, hand.cards_held[YOU])))

    def call(self, said: str | None) -> str:
        """Return a trump call in words."""
        words = {"notrump": "no trump", "notrump-low": "no trump, low cards best"}
        suit, _, low = (said or "").partition("-")
        trump = suit if suit == "circus" else f"{suit} as trump"
        return words.get(said or "", trump + (", low cards best" if low else ""))

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
            said = self._said = self._read("> ").strip()
            if not said or self._aside(said.lower(), match, hand):
                continue
            # Thousands of digits are no number to Python.
            if choices and said.isdecimal() and len(said) < 10 and int(said) <= len(choices):
                return str(choices[int(said) - 1]) if int(said) else said
            return self._action(said, hand)

    def wants_redeal(self) -> bool:
        """Return whether a person without a counter, who is not to act, wants new cards."""
        said = self._read("  You have no counters. Ask for a new deal? [y/N] ")
        return said.lower() in ("y", "yes")

    def go_on(self, match: Match, hand: Hand) -> None:
        """Wait before the next hand."""
        while said := self._read("  Press Enter for the next hand. ").strip().lower():
            if not self._aside(said, match, hand):
                return

    def _read(self, text: str) -> str:
        typer.echo(text, nl=False)
        try:
            return input()
        except (EOFError, KeyboardInterrupt):
            raise Stopped from None

    def refused(self, error: Refusal, hand: Hand) -> None:
        """Say why what the person said last is not done."""
        reason = f"{error.reason[0].upper()}{error.reason[1:]}."
        if error.code == "bad-action":
            reason = f"I don't understand {shortened(self._said)}. Type ? for what you can say."
        elif error.code == "not-held" and hand.turn is not None:
            action = hand.parse(self._action(self._said, hand))
            missing = [
                c
                for c in hand.names(action.cards)
                if c not in hand.names(hand.cards_held[hand.turn])
            ]
            whose = "You don't" if hand.turn == YOU else "The dummy doesn't"
            reason = f"{whose} have {' '.join(missing)}."
        typer.echo(wrapped("", reason, indent=0, hang=2))

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
        elif said == "hint":
            advice = "There is nothing to decide." if hand.over else self._advice(hand)
            typer.echo(wrapped("Hint", advice, hang=16))
        elif said == "last":
            if hand.tricks:
                self.trick_over(hand, hand.tricks[-1])
            else:
                typer.echo("  No trick has been won yet.")
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


def _partners(hand: Hand) -> Collection[int]:
    """Return with whom the person is known to play."""
    sides: Iterable[Iterable[int]] | None = hand.rules.fixed_sides
    if sides is None:
        seen = view_of(hand, YOU)
        declaring = {seat for seat in (seen.declarer, *seen.allies) if seat is not None}
        mine = seen.partner or YOU in declaring
        sides = seen.sides or ([declaring | {YOU}] if mine else [])
    return {seat for side in map(set, sides) if YOU in side for seat in side if seat != YOU}


def _stated(said: str | int) -> str:
    """Return what was announced of the new nest."""
    if isinstance(said, int):
        return f"There {'is' if said == 1 else 'are'} {counted(said, 'point')} in the new nest."
    return f"There are {'' if said == 'points' else 'no '}counters in the new nest."


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
        like = hand.names(choice.cards[:1])[0]
        return wrapped("Call", f"{some}, such as {like}; whoever holds it is your partner", hang=16)
    lines = [
        wrapped("Discard", f"{counted(choice.most, 'card')} of these:", hang=16),
        wrapped("", " ".join(hand.names(choice.cards)), hang=16),
    ]
    if choice.must:
        lines.append(wrapped("You must discard", " ".join(hand.names(choice.must)), hang=20))
    if choice.swap is not None:
        numbers = " or ".join(map(str, choice.swap))
        lines.append(
            wrapped("You may swap", f"{numbers} of them; name the whole new nest", hang=16)
        )
    return "\n".join(lines)
