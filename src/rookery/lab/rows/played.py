"""Rows of hands that were played one action at a time: those that compiled play would write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rookery.engine.actions import actor, apply, legal
from rookery.engine.deal import deal
from rookery.engine.state import PLAY, Hidden, State
from rookery.game import Hand
from rookery.game.legal import numbers_for
from rookery.lab.duplicate.by_hand import HandPlayed
from rookery.lab.rows import play as at
from rookery.lab.rows.frames import Frames, frames_of
from rookery.lab.rows.rows import Notes
from rookery.lab.studies.question import Setting


def played_rows(played: Iterable[HandPlayed], setting: Setting, seed: int, first: int) -> Frames:
    """Return the frames of `rookery.lab.rows.schema` of some hands.

    The cards of a discard stand in no particular order: a hand does not keep the one in which a bot
    chose them. Their numbers count from `first` on.
    """
    hands = list(played)
    names = sorted({str(bot) for one in hands for bot in one.bots})
    kinds: Mapping[str, int] = {name: i for i, name in enumerate(names)}
    notes = Notes("python", len(hands), setting.table.hand_size, len(hands))
    for one in hands:
        sitting = [kinds[str(bot)] for bot in one.bots]
        _note(one.hand, sitting, one.unit, one.room, notes)
    return frames_of(notes.take(), setting, dict(enumerate(names)), seed, first)


def _note(hand: Hand, kinds: list[int], board: int, room: int, notes: Notes) -> None:
    """Play a hand again, recording what `rookery.lab.rows.play` records."""
    used, hands, tricks, decisions, choices = notes.rooms
    table, s, h = hand.table, State(), Hidden()
    order: Sequence[int] = [card for cards in (*hand.dealt, hand.nest_dealt) for card in cards]
    deal(table, s, h, [*order], hand.dealer)
    step = 0
    for action in hand.actions:
        for number in numbers_for(table, s, h, action):
            seat = actor(s) if s.phase == PLAY else s.turn
            count = legal(table, s, h, choices)
            at.note_decision(s, seat, number, count, step, used, decisions)
            leader, complete = s.leader, s.tricks
            apply(table, s, h, number)
            if s.tricks > complete:
                at.note_trick(table, s, leader, used, tricks)
            step += 1
    at.note_hand(table, s, h, kinds, [*order], board, room, used, hands)
