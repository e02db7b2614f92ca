"""`rookery play`: a match in the terminal, against bots."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from rookery import record as records
from rookery.bots.birds import flock
from rookery.bots.names import table_bot
from rookery.bots.player import KernelPlayer, Player
from rookery.bots.register import UnknownBot
from rookery.cli.arguments import Refused, check_name, say_unused
from rookery.cli.play.screen import YOU, Screen, Stopped
from rookery.cli.records.replay import refused_records
from rookery.engine.rng import seeded
from rookery.game import Action, BadAction, Hand, IllegalAction, Match, Verb
from rookery.game.hand import SEEDS
from rookery.game.revokes import challenge_of
from rookery.review.reasons import why
from rookery.rules import load
from rookery.unicode.halves import is_unicode

CHARACTERS = ("karapet", "papa", "hog", "rabbit")
ADVISER = "club"


def default_bots(seats: int) -> list[str]:
    """Return bots for all seats but one, the four characters in turn.

    >>> default_bots(4)
    ['karapet', 'papa', 'hog']
    """
    return [CHARACTERS[i % len(CHARACTERS)] for i in range(seats - 1)]


@dataclass
class Game:
    """A match under way, with a person in seat 0 and a bot in every other.

    Its record, if it has one, is at `path` and holds `extra` beside the match, and `beside` each
    hand what it carries; `began` is who sat where at first, if it names them.
    """

    match: Match
    bots: Sequence[str]
    seed: int
    path: Path | None
    extra: dict[str, Any]
    began: object
    beside: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.screen = Screen(self.match, self.bots, self.advice)
        self._players: dict[int, Player] = {}
        if self.match.hand is not None:
            self.seat(self.match.hand)

    def save(self) -> None:
        """Write the record as the match stands, where one is kept."""
        if self.path is None:
            return
        record = records.of_match(self.match)
        table, seated = self.extra.get("table"), [None, *self.bots]
        kept = table if isinstance(table, dict) else {}
        self.extra["table"] = {**kept, "bots": seated[1:], "seed": self.seed}
        self.beside += [{} for _ in record.hands[len(self.beside) :]]
        # A hand says who sat there as it ended, if others began the match.
        if record.hands and self.beside[-1].get("bots", self.began) != seated:
            names = {"players": record.players} if record.players else {}
            self.beside[-1] |= {**names, "bots": seated}
        for hand, carried in zip(record.hands, self.beside, strict=True):
            hand.extra = carried
        record.extra = self.extra
        records.write(record, self.path)

    def run(self) -> None:
        """Play to the end of the match.

        Raises:
            Refused: the hand cannot go on.
            Stopped: the person left; everything up to then is kept.
        """
        if self.match.hand is not None and not self.match.hand.over:
            self.screen.resumed(self.match, self.match.hand)
        while self.match.winners is None:
            if self.match.hand is None or self.match.hand.over:
                self._deal()
            self._play_hand()
            self.screen.hand_over(self.match, self._hand)
            if self._hand.actions and self.match.winners is None:
                self.screen.go_on(self.match, self._hand)
        self.screen.match_over(self.match)

    @property
    def _hand(self) -> Hand:
        hand = self.match.hand
        if hand is None:
            raise LookupError("no hand is dealt")
        return hand

    def _deal(self) -> None:
        number = len(self.match.hands)
        self.match = self.match.shuffled(seeded(self.seed, number))
        self.seat(self._hand)
        self.save()
        self.screen.dealt(self.match, self._hand)

    def seat(self, hand: Hand) -> None:
        """Let fresh bots take their seats and live through what has happened in `hand` so far."""
        number = len(self.match.hands)
        dice = seeded(self.seed, (1 << 32) + number)
        self._players = {
            seat: self._seated(bot, seat, dice, hand) for seat, bot in enumerate(self.bots, 1)
        }
        for before in islice(hand.positions(), len(hand.actions)):
            player = self._players.get(-1 if before.to_act is None else before.to_act)
            # A bot that searches has no use for its earlier thoughts.
            if isinstance(player, KernelPlayer):
                player.move(before)

    def _seated(self, name: str, seat: int, dice: int, hand: Hand) -> Player:
        bot = table_bot(name).bot
        if bot.kernel is not None:
            return KernelPlayer(str(bot), dice, seat)
        player = bot.seated(hand.rules, seat, 0)
        player.begin(hand, seeded(dice, seat))
        return player

    def _play_hand(self) -> None:
        asked = -1
        while not self._hand.over:
            hand = self._hand
            if hand.phase == "call" and not hand.legal_numbers():
                # Such rules are refused now, and go on where an earlier version kept them.
                raise Refused("by these rules no card may be called, so the hand cannot go on")
            if hand.to_act in self._players:
                # The right lasts until the auction closes: asked after the deal and each call.
                calls = sum(action.seat == YOU for action in hand.actions)
                if hand.may_redeal(YOU) and calls > asked:
                    asked = calls
                    if self.screen.wants_redeal():
                        self._act(f"{YOU} {Verb.REDEAL}")
                        continue
                challenge = challenge_of(hand, 1 << hand.to_act)
                self._act(challenge or self._players[hand.to_act].act(hand))
                continue
            text = self.screen.ask(self.match, hand)
            try:
                self._act(text)
            except (IllegalAction, BadAction) as error:
                self.screen.refused(error, hand)

    def advice(self, hand: Hand) -> str:
        """Return what the bot `ADVISER` would do in the person's place, and why."""
        adviser = KernelPlayer(ADVISER, seeded(self.seed, (2 << 32) + len(self.match.hands)), YOU)
        for before in islice(hand.positions(), len(hand.actions)):
            if before.to_act == YOU:
                adviser.move(before)
        action = adviser.act(hand)
        return f"{action.words[0].upper()}{action.words[1:]}. {why(hand, action).text}"

    def _act(self, action: Action | str) -> None:
        before = self._hand
        self.match = self.match.tried(action)
        self.save()
        self.screen.happened(before, self._hand)


def command(
    ctx: typer.Context,
    rules: Annotated[
        str | None,
        typer.Option(help="A variant's id or a house-rule file.", show_default="kd_tournament"),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            help="Bots or levels, from your left on; a short list is repeated.",
            show_default="karapet,papa,hog,rabbit",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Deal the same cards again.", show_default="new cards")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Save the match in this file, or continue the one it holds."),
    ] = None,
    name: Annotated[str, typer.Option(help="What the others call you.")] = "You",
) -> None:
    """Play a match against bots; you sit at seat 0. Type ? at any prompt for what you can say."""
    check_name("--record", record)
    if record is not None and record.exists():
        if (rules, bots, seed) != (None, None, None):
            raise Refused(f"{record}: goes on as it began; leave --rules, --bots and --seed out")
        say_unused(ctx, f"{record} goes on as it began", "name")
        game = _resumed(record)
    else:
        game = _fresh("kd_tournament" if rules is None else rules, bots, seed, record, name)
        game.save()
    try:
        game.run()
    except Stopped:
        again = "" if record is None else f" Go on with: rookery play --record {record}"
        typer.echo(f"\nStopped.{again}")


def _fresh(rules: str, bots: str | None, seed: int | None, path: Path | None, name: str) -> Game:
    """Return a new match; the cards of its hands are drawn from `seed`."""
    game = load(rules)
    if seed is not None and not 0 <= seed < SEEDS:
        raise Refused(f"--seed: {seed} is out of range; expected 0 to {SEEDS - 1}")
    if not is_unicode(name):
        raise Refused(f"--name {name}: is no text in Unicode; no record could keep it")
    seats = game.seats - 1
    chosen = default_bots(game.seats) if bots is None else [b.strip() for b in bots.split(",")]
    try:
        chosen = [table_bot(bot).name for bot in chosen]
    except UnknownBot as error:
        raise Refused(f"--bots: {error}") from None
    if len(chosen) > seats:
        raise Refused(f"--bots: {len(chosen)} bots; this game has {seats} seats for them")
    seated = [chosen[i % len(chosen)] for i in range(seats)]
    seed = secrets.randbits(62) if seed is None else seed
    names = [name, *flock(str(seed), seats, [name])]
    began = [None, *seated]
    return Game(Match(game, names), seated, seed, path, {"bots": began}, began)


def _resumed(path: Path) -> Game:
    """Return the match of a record; bots and cards go on as they were, if it names them."""
    with refused_records(path):
        record = records.read(path)
        match = records.replay(record)
    if match.winners is not None:
        raise Refused(f"{path}: this match is over; name another file for a new one")
    table, began = record.extra.get("table"), record.extra.get("bots")
    bots, seed = (table.get("bots"), table.get("seed")) if isinstance(table, dict) else (None, None)
    if not isinstance(seed, int) or not 0 <= seed < SEEDS:
        seed = secrets.randbits(62)
    usual = default_bots(match.rules.seats)
    others = began[1:] if isinstance(began, list) else None
    own = _known(bots, len(usual))
    seated = own or _known(others, len(usual)) or usual
    beside = [hand.extra for hand in record.hands]
    if own and "bots" not in record.extra and not any("bots" in one for one in beside):
        began = [None, *own]  # the first version of this command named them there alone
    return Game(match, seated, seed, path, record.extra, began, beside)


def _known(told: object, seats: int) -> list[str] | None:
    """Return the bots that a record names for so many seats; None unless all are known here."""
    if not isinstance(told, list) or len(told) != seats:
        return None
    try:
        return [table_bot(str(bot)).name for bot in told]
    except UnknownBot:
        return None
