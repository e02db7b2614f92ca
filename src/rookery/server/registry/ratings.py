"""How well those play who want to be rated, at a table or with strangers, worked out meanwhile.

A hand counts if everybody at its table was rated when it was dealt, or is a bot that is an anchor,
and played all of it. So whoever has not asked for it is never part of any figure. What bots make of
a hand's cards is kept, and all else follows from it again.

Of strangers whole matches count, by who wins them, and what is known of a person is kept. Whoever
has not asked for it is somebody unknown in each match, of whom nothing is kept.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from contextvars import Context
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from rookery.game import Hand
from rookery.server.registry.history import History, PlayedMatch, TableReader
from rookery.server.registry.played import Finished, finished
from rookery.server.store.base import StoreError
from rookery.server.store.people.rated import Played, Stranger, Strangers
from rookery.server.table.state import Table
from rookery.server.work import AT_WORK, cancelled, in_one_of, measured

if TYPE_CHECKING:
    # At work they are imported late: a start loads only what a page needs.
    from rookery.ratings.boards import Board
    from rookery.ratings.estimate import Ratings

log = logging.getLogger(__name__)

HANDS: Final = 1_000  # of a table, the latest
PEOPLE: Final = 12  # in a family: those with the most hands
KEPT: Final = 20_000  # hands whose cards bots have played; one takes about 300 bytes
TABLES: Final = 256  # whose ratings are kept
WAITING: Final = 32  # tables whose ratings are being worked out, or wait for it
SHARE: Final = 0.2  # of a core, at most, for what bots make of the cards
MILLION: Final = 1_000_000  # parts of a point, in which the store keeps what is known of strangers


_Place: TypeAlias = tuple[str, int, str]


class Rated(NamedTuple):
    """What is known of a table.

    Attributes:
        families: the ratings by the name of the family; people by their public number.
        done: of how many hands the cards have been played by bots.
        whole: how many hands count.
    """

    families: Mapping[str, Ratings]
    done: int
    whole: int


class TableRatings:
    """The ratings of the tables of one server."""

    def __init__(self) -> None:
        self._expected: OrderedDict[_Place, tuple[float, ...]] = OrderedDict()
        self._found: OrderedDict[str, tuple[object, Mapping[str, Ratings]]] = OrderedDict()
        self._at_work: dict[str, asyncio.Task[None]] = {}
        self._one = asyncio.Lock()

    def of(self, code: str, counted: Sequence[Finished], since: Mapping[str, int]) -> Rated:
        """Return what is known of the people of a table; what is new begins to be worked out.

        `since` says who is rated, by public number, and from which hand on.
        """
        key = tuple(_place(code, one) for one in counted), tuple(sorted(since.items()))
        known, found = self._found.get(code, (None, {}))
        done = sum(_place(code, one) in self._expected for one in counted)
        if known == key:
            self._found.move_to_end(code)
            return Rated(found, len(counted), len(counted))
        if code not in self._at_work and len(self._at_work) < WAITING:
            # Whoever asks first does not pay for what all are shown.
            work = self._work(code, key, counted, since)
            self._at_work[code] = asyncio.create_task(work, name="ratings", context=Context())
        return Rated(found, min(done, max(len(counted) - 1, 0)), len(counted))

    async def close(self) -> None:
        """Work nothing out any more."""
        await cancelled(self._at_work.values())

    async def _work(
        self, code: str, key: object, counted: Sequence[Finished], since: Mapping[str, int]
    ) -> None:
        try:
            known = dict[int, tuple[float, ...] | None]()
            for one in counted:
                async with self._one:
                    if _place(code, one) not in self._expected:
                        await self._play(code, one)
                    # Kept here too: what other tables need may push it out meanwhile.
                    known[one.number] = self._expected.get(_place(code, one))
            async with self._one:
                found = await in_one_of(AT_WORK, lambda: rated(counted, known, since))
            self._found[code] = key, found
            self._found.move_to_end(code)
            if len(self._found) > TABLES:
                self._found.popitem(last=False)
        except Exception as error:
            log.error("table %s is not rated: %s", code, type(error).__name__)
        finally:
            self._at_work.pop(code, None)

    async def _play(self, code: str, one: Finished) -> None:
        spent = list[float]()
        points = await in_one_of(AT_WORK, lambda: measured(spent, _expected, one))
        self._expected[_place(code, one)] = points
        if len(self._expected) > KEPT:
            self._expected.popitem(last=False)
        # Only one thread of Python runs at a time, so whoever plays would feel more.
        await asyncio.sleep(spent[0] * (1 / SHARE - 1))


def _place(code: str, one: Finished) -> _Place:
    """Return which hand of which table this is.

    Once the database was brought back, a hand of the same number has other cards and another key.
    """
    return code, one.number, "" if one.hand.proof is None else one.hand.proof.key


def counting(history: History, since: Mapping[str, int]) -> list[Finished]:
    """Return the hands that count, `HANDS` at most: the latest; `since` is that of `of`."""
    from rookery.ratings.family import family_of

    found = []
    for one in finished(history):
        people = {seat: person for person, seat in one.hand.people}
        anchors = family_of(one.match.rules).anchors
        seats = range(one.match.rules.seats)
        if (
            people
            and one.hand.whole
            and not one.match.handed
            and all(
                since.get(people[seat], one.number + 1) <= one.number
                if seat in people
                else one.hand.bots[seat] in anchors
                for seat in seats
            )
        ):
            found.append(one)
    return found[-HANDS:]


def rated(
    counted: Sequence[Finished],
    known: Mapping[int, tuple[float, ...] | None],
    since: Mapping[str, int],
) -> dict[str, Ratings]:
    """Return the ratings of each family in which hands count.

    What bots score with the cards of each is `known`, by its number; None where that is gone.
    """
    from rookery.ratings.boards import board_of
    from rookery.ratings.estimate import rate
    from rookery.ratings.family import families, family_of

    boards: dict[str, list[Board]] = {}
    for one in counted:
        points = known[one.number]
        if points is not None and one.hand.line.score is not None:
            people = {seat: person for person, seat in one.hand.people}
            players = [people.get(seat, bot or "") for seat, bot in enumerate(one.hand.bots)]
            board = board_of(one.match.rules, players, one.hand.line.score, points)
            boards.setdefault(family_of(one.match.rules).name, []).append(board)
    return {
        name: rate(_of_most(boards[name], since), family)
        for name, family in families().items()
        if name in boards
    }


def _of_most(boards: Sequence[Board], since: Mapping[str, int]) -> list[Board]:
    """Return the boards of those people alone who have the most."""
    counts = Counter(n for board in boards for unit in board.units for n in unit if n in since)
    others = {name for name, _ in counts.most_common()[PEOPLE:]}
    return [board for board in boards if not others & {n for unit in board.units for n in unit}]


def _expected(one: Finished) -> tuple[float, ...]:
    written = one.hand.written
    from rookery.ratings.baseline import expected

    return expected(Hand.deal(one.match.rules, written.dealer, written.deal or [], written.nest))


class StrangerRatings:
    """Counts the matches of people who came to play with strangers, when they are over."""

    def __init__(self, tables: TableReader) -> None:
        """Begin with none at work; a match is read as `tables` has it."""
        self._tables = tables
        self._at_work: dict[str, asyncio.Task[None]] = {}

    def changed(self, before: Table | None, table: Table) -> None:
        """Count the last match of a table if it has just ended, and only strangers sit there.

        `before` is the table as it was; None where that is not known, and it may have been counted.
        """
        if table.phase != "over" or (before is not None and before.phase == "over"):
            return
        if all(chair.matched for chair in table.chairs) and table.code not in self._at_work:
            work = self._count(table.code, table.matches_before)
            task = asyncio.create_task(work, name="strangers", context=Context())
            self._at_work[table.code] = task

    async def close(self) -> None:
        """Finish what is being counted."""
        await asyncio.gather(*self._at_work.values())

    async def _count(self, code: str, number: int) -> None:
        try:
            history = await self._tables.history(code)
            if history is None or not is_of_strangers(history, number):
                return
            match = history.matches[number]
            people = [person for person, _ in match.hands[-1].people]
            # Most tables have nobody who wants it, and then nothing is loaded, kept or counted.
            if not await self._tables.store.rated.strangers(people):
                return
            from rookery.ratings.family import family_name

            await in_one_of(AT_WORK, lambda: newcomers(0))  # loads what writers then need not load
            played = Played(code, number, match.begun, family_name(match.rules), people)
            await self._tables.store.rated.count(played, lambda known: after_match(match, known))
        except StoreError as error:
            log.warning("a match of strangers is not counted: %s", error)
        except Exception:
            log.exception("a match of strangers is not counted")
        finally:
            self._at_work.pop(code, None)


def is_of_strangers(history: History, number: int) -> bool:
    """Return whether a match is over that strangers have played, all of it and nobody else."""
    if not 0 <= number < len(history.matches):
        return False
    match = history.matches[number]
    played = [hand for hand in match.hands if hand.line.score is not None]
    return (
        match.strangers
        and match.winners is not None
        and len({hand.people for hand in match.hands}) == 1
        and len(match.hands[-1].people) == match.rules.seats  # no bot
        and all(hand.whole for hand in played)
    )


def newcomers(now: int) -> dict[str, Stranger]:
    """Return what is known of somebody who wants to be rated with strangers from now on."""
    from rookery.ratings.family import families
    from rookery.ratings.strangers import newcomer

    return {name: Stranger(now, 0, round(newcomer(name).error * MILLION)) for name in families()}


def after_match(match: PlayedMatch, known: Strangers) -> dict[str, Stranger]:
    """Return what is known of people, by public number, after a match of strangers.

    Those of them who are rated are `known`; any other is somebody unknown.
    """
    from rookery.ratings.family import family_name
    from rookery.ratings.strangers import Standing, after, newcomer

    name, last = family_name(match.rules), match.hands[-1]
    people = {seat: person for person, seat in last.people}
    # Where partners are called, or there are none, everybody has a place of their own.
    units = match.rules.fixed_sides or [(seat,) for seat in range(match.rules.seats)]
    winners, totals = match.winners or (), last.line.totals
    places = [(unit[0] not in winners, -totals[unit[0]]) for unit in units]
    order = sorted(set(places))

    def standing(seat: int) -> Standing:
        row = known.get(people[seat])
        return (
            newcomer(name) if row is None else Standing(row.points / MILLION, row.error / MILLION)
        )

    found = after(
        name, [[standing(seat) for seat in unit] for unit in units], list(map(order.index, places))
    )
    told: dict[str, Stranger] = {}
    for unit, standings in zip(units, found, strict=True):
        for seat, one in zip(unit, standings, strict=True):
            if (row := known.get(people[seat])) is not None:
                points, error = round(one.points * MILLION), round(one.error * MILLION)
                told[people[seat]] = Stranger(row.since, points, error, row.matches + 1)
    return told
