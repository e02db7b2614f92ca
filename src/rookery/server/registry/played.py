"""What is shown of the hands that are over: the score sheet, records, replays, a person's figures.

Everybody may see them. The hands of all matches of a table are numbered on from 0, so that a link
to one stays good after a rematch. A redealt hand has a number too, but is not shown.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from rookery import record
from rookery.cards import by_suit
from rookery.fairness.deal import proof
from rookery.game import Hand
from rookery.server.registry.history import History, PlayedHand, PlayedMatch, TableReader
from rookery.server.store.base import Unreadable
from rookery.server.table.evening import deals_of
from rookery.server.work import ACCOUNT, in_thread
from rookery.view import view_of

ROOM: Final = 1 << 23  # characters of records that are kept
TABLES: Final = 100  # of a person's tables the latest are counted


class HandListed(BaseModel):
    """A finished hand: its number at the table, its match and number there, and the score.

    ``players`` are those who sat there when it ended, ``bots`` says which of them were bots, by id,
    ``sides`` who scored together, the declarer's side first, and ``over`` whether the match is
    over, so that it can be reviewed. A hand that a record leaves unfinished has no score or sides.
    """

    number: int
    match: int
    hand: int
    dealer: int
    declarer: int | None
    bid: int | str | None
    call: str | None
    score: list[int]
    totals: list[int]
    players: list[str]
    bots: list[str | None]
    sides: list[list[int]]
    over: bool


class HandReplayed(HandListed):
    """A finished hand, step by step; `hands` numbers all that can be replayed."""

    code: str
    title: str
    hands: list[int]
    rules: dict[str, Any]
    seat: int | None
    deal: list[list[str]]
    nest: list[str]
    points: list[int] | None
    actions: list[str]
    steps: list[dict[str, Any]]
    proof: dict[str, Any] | None


class Finished(NamedTuple):
    """A hand that was played to its end.

    Attributes:
        number: its number at the table, from 0.
        match_number: the number of its match at the table, from 0.
    """

    number: int
    match_number: int
    match: PlayedMatch
    hand: PlayedHand

    def listed(self) -> HandListed:
        """Return the line of the score sheet."""
        return HandListed(
            number=self.number,
            match=self.match_number,
            **self.hand.line.as_dict(),
            players=list(self.hand.players),
            bots=list(self.hand.bots),
            sides=[list(side) for side in self.hand.sides],
            over=self.match.winners is not None,
        )


def finished(history: History) -> Iterator[Finished]:
    """Yield the hands of a table that were played to their end, in order."""
    number = 0
    for match_number, match in enumerate(history.matches):
        for hand in match.hands:
            if hand.line.score is not None:
                yield Finished(number, match_number, match, hand)
            number += 1


def record_of(history: History, match: int | None = None) -> str | None:
    """Return a match, by default the one of the last finished hand, as a ``rookery/1`` record.

    It holds every hand that is over with the proof of its deal, redealt ones too: so whoever has
    the record can check that no deal was left out. A hand says who sat where if that is not as the
    match began. None where no hand of the match is finished.
    """
    number = _recorded(history, match)
    if number is None:
        return None
    played = history.matches[number]
    hands = []
    for hand in played.hands:
        found = proof_of(history, played, hand)
        told = hand.written.extra if found is None else {**hand.written.extra, "proof": found}
        hands.append(replace(hand.written, extra={**_seats(played, hand), **told}))
    rules, players = record.written_rules(played.rules), list(played.players) or None
    bots = {"bots": list(played.bots)} if any(played.bots) else {}
    return record.dumps(record.Record(played.rules, rules, players, hands, bots))


def _seats(match: PlayedMatch, hand: PlayedHand) -> dict[str, Any]:
    """Return who sat where in a hand, if that is not as the match began."""
    if (hand.players, hand.bots) == (match.players, match.bots):
        return {}
    return {"players": list(hand.players), "bots": list(hand.bots)}


def _recorded(history: History, match: int | None) -> int | None:
    """Return the number of the match of which there is a record, if there is one."""
    numbers = [one.match_number for one in finished(history)]
    wanted = numbers[-1] if match is None and numbers else match
    return wanted if wanted in numbers else None


class Records:
    """The records that were asked for last, as texts; each is kept until its match goes on."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int], tuple[PlayedHand, str | None]] = OrderedDict()

    async def of(self, history: History, match: int | None = None) -> str | None:
        """Return a record as `record_of` does."""
        number = _recorded(history, match)
        if number is None:
            return None
        key, last = (history.table.code, number), history.matches[number].hands[-1]
        known = self._known.pop(key, None)
        if known is None or known[0] is not last:
            known = last, await in_thread(record_of, history, number)
        self._known[key] = known
        while len(self._known) > 1 and self.size > ROOM:
            self._known.popitem(last=False)
        return known[1]

    async def over(self, history: History, match: int) -> str | None:
        """Return the record of a match that was won, by its number; None where there is none."""
        matches = history.matches
        if not 0 <= match < len(matches) or matches[match].winners is None:
            return None
        return await self.of(history, match)

    @property
    def size(self) -> int:
        """How much is kept, in characters."""
        return sum(len(text or "") for _, text in self._known.values())


def replayed(history: History, number: int, seat: int | None) -> HandReplayed | None:
    """Return a finished hand step by step, as `seat` saw it or, where it is None, all open.

    None where there is no such hand.
    """
    done = list(finished(history))
    one = next((one for one in done if one.number == number), None)
    if one is None:
        return None
    rules, written = one.match.rules, one.hand.written
    positions = [Hand.deal(rules, written.dealer, written.deal or [], written.nest)]
    for action in written.actions:
        positions.append(positions[-1].act(action))
    last = positions[-1]
    return HandReplayed(
        **one.listed().model_dump(),
        code=history.table.code,
        title=history.table.title,
        hands=[each.number for each in done],
        rules={"id": rules.id, "name": rules.name, "options": rules.options()},
        seat=seat,
        deal=written.deal or [],
        nest=written.nest,
        points=last.points,
        actions=written.actions,
        steps=[_step(hand, seat) for hand in positions],
        proof=proof_of(history, one.match, one.hand),
    )


def _step(hand: Hand, seat: int | None) -> dict[str, Any]:
    view = view_of(hand, seat).as_dict()
    for sent_once in ("rules", "legal", "laid_open"):
        del view[sent_once]
    action = str(hand.actions[-1]) if hand.actions else None
    step: dict[str, Any] = {"action": action, "view": view}
    if seat is None:
        hidden = hand.hidden
        step["cards"] = [hand.names(by_suit(cards)) for cards in hidden.hand[: hand.rules.hands]]
        step["nest"] = hand.names(by_suit(hidden.nest))
    return step


def proof_of(history: History, match: PlayedMatch, hand: PlayedHand) -> dict[str, Any] | None:
    """Return how a hand of a match was dealt, for whoever wants to check it; None where unknown."""
    one, joined = hand.proof, history.table.evening
    if one is None:
        proven = hand.written.extra.get("proof")
        return proven if isinstance(proven, dict) else None
    if joined is not None and joined.deals:
        return deals_of(joined, match.rules, one.key).proof(one.number, ended=True)
    key = bytes.fromhex(one.key)
    return proof(match.rules, history.table.code, one.number, key, one.shares)


class Statistics(BaseModel):
    """A person's figures at their latest 100 tables, in hands, matches and game points.

    A hand is *declared* where the person, or a partner, won the auction, and *made* where the
    contract was; else it is *defended*, and *defeated* where the declarer was set. Where a revoke
    has ended a hand, a declarer who scored nothing, or below zero, was set. ``bid_total`` is what
    the ``bids`` in points of those that were declared come to; the Sun is none of them.
    """

    tables: int = 0
    matches: int = 0
    matches_won: int = 0
    hands: int = 0
    points: int = 0
    best_hand: int | None = None
    declared: int = 0
    made: int = 0
    bid_total: int = 0
    bids: int = 0
    defended: int = 0
    defeated: int = 0
    variants: dict[str, int] = {}


async def statistics_of(person: str, tables: TableReader) -> Statistics:
    """Return a person's figures, by public number, at the latest `TABLES` where they have sat."""
    counted = (await tables.tables_of(person))[:TABLES]
    sums = Statistics(tables=len(counted))
    for row in counted:
        if (account := ACCOUNT.get()) is not None:
            account.check()
        found = None
        with suppress(Unreadable):
            found = await tables.history(row.code)
        await in_thread(_add_all, sums, person, () if found is None else found.matches)
    return sums


def _add_all(sums: Statistics, person: str, matches: Iterable[PlayedMatch]) -> None:
    for match in matches:
        for hand in match.hands:
            _add(sums, person, match, hand)


def _add(sums: Statistics, person: str, match: PlayedMatch, hand: PlayedHand) -> None:
    line, seat = hand.line, dict(hand.people).get(person)
    if seat is None or line.score is None:
        return
    score, name = line.score[seat], match.rules.name
    sums.hands += 1
    sums.points += score
    sums.best_hand = score if sums.best_hand is None else max(score, sums.best_hand)
    sums.variants[name] = sums.variants.get(name, 0) + 1
    if line.declarer is not None:
        if seat in hand.declaring:
            sums.declared += 1
            sums.made += bool(hand.made)
            if isinstance(line.bid, int):
                sums.bid_total += line.bid
                sums.bids += 1
        else:
            sums.defended += 1
            sums.defeated += not hand.made
    if match.winners is not None and hand is match.hands[-1]:
        sums.matches += 1
        sums.matches_won += seat in match.winners
