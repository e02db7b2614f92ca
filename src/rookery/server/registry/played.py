"""What has been played at a table: finished hands only, and those are open to everybody.

The hands of all matches of a table are numbered on from 0, so that a link to one stays good after
a rematch. A hand that was thrown in has a number too, and no cards to show.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rookery import record
from rookery.cards import by_suit
from rookery.game import Hand, ScoreLine
from rookery.server.registry.afterwards import hand_record, proof_of
from rookery.server.registry.history import Past
from rookery.view import view_of


class Finished(NamedTuple):
    """A hand that is done.

    Attributes:
        number: its number at the table, from 0.
        match: the number of its match at the table, from 0.
        line: its line in the score sheet of that match.
        players: who sat where when the match began.
        bots: which of them were bots; None for a person.
        hand: the hand.
        over: whether its match is over by now.
    """

    number: int
    match: int
    line: ScoreLine
    players: list[str]
    bots: list[str | None]
    hand: Hand
    over: bool


def finished(past: Past) -> Iterator[Finished]:
    """Yield the hands of a table that are done, in order; never one that is under way."""
    number = 0
    for at, match in enumerate(past.matches):
        for hand, line in zip(match.hands, match.lines, strict=True):
            if line.score is not None:
                players, bots = list(match.players), list(match.bots)
                over = match.winners is not None
                yield Finished(number, at, line, players, bots, hand, over)
            number += 1


def line(one: Finished) -> dict[str, Any]:
    """Return a line of the score sheet."""
    return {
        "number": one.number,
        "match": one.match,
        **one.line.as_dict(),
        "players": one.players,
        "bots": one.bots,
        "over": one.over,
    }


def record_of(past: Past, match: int | None = None) -> str | None:
    """Return a match, else the one of the last finished hand, as a ``rookery/1`` record.

    Every hand that is over is in it with the proof of its deal, also one that was thrown in, so
    that whoever has the record can check that no deal was left out. None if no hand is done.
    """
    done = list(finished(past))
    if match is None:
        match = done[-1].match if done else -1
    if all(one.match != match for one in done):
        return None
    played = past.matches[match]
    written = [hand_record(past, match, place) for place in range(len(played.hands))]
    named = record.written_rules(played.rules)
    kept = record.Record(played.rules, named, list(played.players) or None, written)
    return record.dumps(kept)


class Over(NamedTuple):
    """A match that is over: its record, and who sat where."""

    record: str
    players: list[str]


def over(past: Past, match: int) -> Over | None:
    """Return a match that has been won, by its number; None where it is not, or there is none."""
    matches = past.matches
    if not 0 <= match < len(matches) or matches[match].winners is None:
        return None
    record = record_of(past, match)
    return None if record is None else Over(record, list(matches[match].players))


def replayed(past: Past, number: int, seat: int | None) -> dict[str, Any] | None:
    """Return a finished hand step by step, as `seat` saw it or, where it is None, all open."""
    done = list(finished(past))
    one = next((one for one in done if one.number == number), None)
    if one is None:
        return None
    hand = one.hand
    return {
        "code": past.table.code,
        "title": past.table.title,
        **line(one),
        "hands": [each.number for each in done],
        "rules": {"id": hand.rules.id, "name": hand.rules.name, "options": hand.rules.options()},
        "seat": seat,
        "deal": [hand.names(cards) for cards in hand.dealt],
        "nest": hand.names(hand.nest_dealt),
        "points": hand.points,
        "sides": None if hand.sides is None else [list(side) for side in hand.sides],
        "actions": [str(action) for action in hand.actions],
        "steps": list(_steps(hand, seat)),
        "proof": proof_of(past, one.match, one.line.number),
    }


def _steps(final: Hand, seat: int | None) -> Iterator[dict[str, Any]]:
    for hand in final.positions():
        view = view_of(hand, seat).as_dict()
        for told_once in ("rules", "legal", "laid_open"):
            del view[told_once]
        action = str(hand.actions[-1]) if hand.actions else None
        step: dict[str, Any] = {"action": action, "view": view}
        if seat is None:
            hidden = hand.hidden
            step["cards"] = [
                hand.names(by_suit(cards)) for cards in hidden.hand[: final.rules.hands]
            ]
            step["nest"] = hand.names(by_suit(hidden.nest))
        yield step
