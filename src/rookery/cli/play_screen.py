"""What a person sees of a match in the terminal: 80 columns, and what the seat may know."""

from __future__ import annotations

import re
from collections.abc import Iterable

import typer

from rookery.cards import ROOK, Card, by_suit, card_name, colour_of, pack_cards, unpack
from rookery.cli.output import WIDTH, printable, wrapped
from rookery.game import Action, Hand, Match, Trick, Verb
from rookery.rules.order import SUITS, TRUMP

YOU = 0
_INK = re.compile(r"\x1b\[[0-9;]*m")
_INKS = ("red", "green", "yellow", "bright_black")


class Screen:
    """Prints the match as it goes."""

    def __init__(self, match: Match) -> None:
        """Learn the names at the table."""
        given = match.players or ["You", *(f"Seat {s}" for s in range(1, match.rules.seats))]
        self.names = [*(printable(name) or "?" for name in given), "the blind hand"]

    def resumed(self, match: Match) -> None:
        """Say where a match goes on."""
        if match.hand is not None:
            typer.echo(printable(match.rules.name, WIDTH))
            typer.echo(f"Hand {len(match.hands)} goes on.")
            self.totals(match)
            for action in match.hand.actions[-12:]:
                typer.echo(f"  {self.sentence(action)}")

    def dealt(self, match: Match) -> None:
        """Announce a new hand."""
        hand = match.hand
        if hand is None:
            return
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
            self._auction_over(after)
        if after.nest_statement is not None and before.nest_statement is None:
            typer.echo(f"  The new nest holds: {after.nest_statement}.")
        if after.dummy is not None and before.state.exposed == 0 and after.state.exposed:
            typer.echo(folded("Dummy", self.groups(after, unpack(after.state.exposed))))
        if len(after.tricks) > len(before.tricks):
            self.trick_over(after, after.tricks[-1])
        if after.phase == "redealt":
            typer.echo("  The cards are dealt again.")

    def _auction_over(self, hand: Hand) -> None:
        if hand.declarer is None:
            typer.echo("  Nobody bids: no trump, no contract, all score what they take.")
        else:
            who = self.names[hand.declarer]
            typer.echo(f"  {who} {_spoken('play', who)} for {hand.bid}.")

    def sentence(self, action: Action, hide: bool = False) -> str:
        """Return an action as a sentence; `hide` leaves out what the person may not see."""
        who, verb = self.names[action.seat], action.verb
        if action.seat != YOU and hide and not verb.public:
            if verb is Verb.DISCARD:
                return f"{who} lays {len(action.cards)} cards aside"
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

    def hand_over(self, match: Match) -> None:
        """Print how a hand ended."""
        hand = match.hand
        if hand is None or hand.score is None or hand.points is None or hand.sides is None:
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
