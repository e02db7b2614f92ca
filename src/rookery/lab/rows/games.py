"""Rows of the Menagerie's games: the study's hands, with every decision recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from rookery.bots.seat_info import SeatInfo, clear_notes
from rookery.engine.card_sets import lowest
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.records import Allocator, Attributes
from rookery.engine.rng import seeded
from rookery.engine.state import DONE, NEST, PLAY, Hidden, State
from rookery.engine.targets import Target
from rookery.engine.trick import play
from rookery.lab.menagerie.figures import NAMES
from rookery.lab.menagerie.published import (
    auction,
    begin_tricks,
    book,
    card_to_play,
    deal_cards,
    side_points,
)
from rookery.lab.menagerie.real_game import book_hand, open_real_game
from rookery.lab.menagerie.study import RULES, Mode
from rookery.lab.menagerie.tally import CAST, Tally, open_game
from rookery.lab.rows.frames import Frames, frames_of
from rookery.lab.rows.play import note_decision, note_hand, note_trick, play_noted
from rookery.lab.rows.rows import BATCH, USUAL, Notes, at_leisure
from rookery.lab.run.jobs import Progress
from rookery.lab.run.programs import program, records
from rookery.lab.studies.question import Setting
from rookery.rules import load as rules_of
from rookery.rules.table import RuleTable

UNCOUNTED: Final = -1  # choices: the program has no legal ones
PLAIN: Final = 2_000  # games, up to which the plain engine is done sooner than the compiler


@kernel
def play_real_hand(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    t: Tally,
    dealer: int,
    game: int,
    number: int,
    used: list[int],
    hands: list[int],
    tricks: list[int],
    decisions: list[int],
    room: list[int],
) -> int:
    """Play and record deal `number` of a game, and return the mask of the game's winners.

    The mask is 0 in mid-game and -1 for a hand without a score.
    """
    shuffle(table, h, t.order)
    deal(table, s, h, t.order, dealer)
    for seat in range(table.seats):
        clear_notes(mine[seat])
    play_noted(table, s, h, mine, t.cast, room, used, decisions, tricks)
    note_hand(table, s, h, t.cast, t.order, game, number, used, hands)
    return book_hand(table, s, t) if s.phase == DONE else -1


@kernel
def begin_published(h: Hidden, t: Tally, seed: int, game: int) -> None:
    """Draw the seats of a game as the program does."""
    h.rng = seeded(seed, game)
    open_game(h, t)


@kernel
def play_published_hand(
    table: RuleTable,
    s: State,
    h: Hidden,
    t: Tally,
    declarer: int,
    contract: int,
    colour: int,
    game: int,
    number: int,
    used: list[int],
    hands: list[int],
    tricks: list[int],
    decisions: list[int],
) -> int:
    """Play and record a dealt hand as the program does; return the winners' mask, or 0."""
    h.pickup = h.nest
    s.declarer = declarer
    begin_tricks(table, s, h, t, colour)
    s.phase = NEST
    s.turn = declarer
    step = 0
    cards = h.nest
    while cards:
        note_decision(s, declarer, lowest(cards), UNCOUNTED, step, used, decisions)
        cards &= cards - 1
        step += 1
    s.phase = PLAY
    s.turn = 0
    for trick in range(table.hand_size):
        leader = s.turn
        for _ in range(table.seats):
            card = card_to_play(table, s, h, t.cast[s.turn])
            note_decision(s, s.turn, card, UNCOUNTED, step, used, decisions)
            step += 1
            play(table, s, h, card)
        if s.tricks > trick:
            note_trick(table, s, leader, used, tricks)
    won = book(s, h, t, declarer, contract)
    s.declarer = declarer
    s.contract = contract
    s.made = 1 if side_points(s, h, declarer) >= contract else 0
    h.allies = 1 << declarer | 1 << (declarer ^ 2)
    for seat in range(table.seats):
        s.points[seat] = side_points(s, h, seat)
        lost = h.allies >> seat & 1 and not s.made
        s.score[seat] = -contract if lost else s.points[seat]
    note_hand(table, s, h, t.cast, t.order, game, number, used, hands)
    return won


def game_rows(
    mode: Mode, games: int, seed: int, told: Progress | None = None, *, target: Target | None = None
) -> Iterator[Frames]:
    """Yield frames of the first games of a study, as `rookery.lab.rows.rows.plan_rows` does.

    Args:
        mode: what was played.
        games: how many games, the first of the study.
        seed: the study's.
        told: called with how many games are done, and how many there are.
        target: where they are played if they are many; the quicker one where None.
    """
    setting = Setting(RULES if mode is Mode.RULES else "published", rules_of(RULES))
    where = at_leisure(target, games <= PLAIN)
    notes = Notes(where, 2 * BATCH, setting.table.hand_size)
    hands = 0

    def frames() -> Frames:
        nonlocal hands
        written = notes.take()
        made = frames_of(written, setting, dict(enumerate(NAMES)), seed, hands)
        hands += len(written.hands)
        return made

    play = (_real if mode is Mode.RULES else _published)(where, seed, notes)
    if told:
        told(0, games)
    for game in range(games):
        for _ in play(game):
            if notes.hands >= BATCH or notes.decisions > BATCH * USUAL:
                yield frames()
        if told:
            told(game + 1, games)
    yield frames()


def _real(target: Target, seed: int, notes: Notes) -> Any:  # noqa: ANN401
    begin, rules = _program(target, open_real_game)
    play, _ = _program(target, play_real_hand)
    s, h, mine = records(target)
    t = Allocator(target).record(Tally())

    def hands(game: int) -> Iterator[None]:
        begin(rules, h, mine, t, seed, game)
        won = number = dealer = 0
        while won <= 0:
            won = play(rules, s, h, mine, t, dealer, game, number, *notes.rooms)
            dealer = (dealer + (won >= 0)) % CAST
            number += 1
            yield

    return hands


def _published(target: Target, seed: int, notes: Notes) -> Any:  # noqa: ANN401
    begin, bid, lay_out, play = (
        _program(target, kernel)[0]
        for kernel in (begin_published, auction, deal_cards, play_published_hand)
    )
    _, rules = _program(target, play_published_hand)
    s, h, _ = records(target)
    t = Allocator(target).record(Tally())

    def hands(game: int) -> Iterator[None]:
        begin(h, t, seed, game)
        won = number = 0
        while not won:
            lay_out(rules, s, h, t)
            if not number:
                colour = bid(s, h, t)
                declarer, contract = Attributes(s).declarer, Attributes(s).contract
            won = play(rules, s, h, t, declarer, contract, colour, game, number, *notes.rooms[:-1])
            number += 1
            yield

    return hands


def _program(target: Target, kernel: Callable[..., Any]) -> tuple[Callable[..., Any], Any]:
    return program(target, kernel, rules_of(RULES), frozenset(range(CAST)))
