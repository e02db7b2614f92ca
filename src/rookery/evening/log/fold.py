"""An evening as its log makes it: each change is checked against all that came before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from typing import Final

from rookery.evening.log import changes as ch
from rookery.evening.log.phones import Phones
from rookery.evening.log.screens import PAUSE, Screens
from rookery.evening.movements.changes import arrive, exchange, here, leave, score, stand_in
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.rounds import fits, next_round, unfinished
from rookery.evening.movements.state import Evening, EveningError, Table
from rookery.evening.versions import Shared, Told, Written

MINUTE: Final = 60_000  # ms
# What changes who is there, or who sits where.
_SEATING: Final = (
    *(ch.RoundLaid, ch.UndoRound, ch.Exchange),
    *(ch.Arrive, ch.StandIn, ch.Return, ch.Leave),
)


class EveningLog:
    """An evening so far, with what phones have said of it.

    Attributes:
        evening: who is there, who sat where, and the scores that count.
        names: what people are called, by their numbers.
        phones: whose phone is that of which person.
        begun: when each round began, milliseconds since 1970.
        ends: when the clock of the round runs out; None where none runs.
        over: whether the evening is.
        screens: how its tables play on screens; None with real cards.
        bots: the numbers of bots.
        hands: how many each table plays in a round with real cards; None for a whole game.
        dealt: whether the server deals the prepared deals, whose key is shown at the end.
        codes: of the tables on screens, by round and number.
        real: the numbers of tables with real cards at an evening on screens, from the next round
            on.
        by_hand: those that play with them, by round and number.
    """

    def __init__(
        self,
        evening: Evening,
        names: Sequence[str],
        *,
        agree: bool = False,
        screens: Screens | None = None,
        bots: Iterable[int] = (),
        hands: int | None = None,
        dealt: bool = False,
        early: bool = False,
    ) -> None:
        """Begin before the first entry; with `agree`, two have to say the same score.

        An `early` evening is one that a program of before has begun, and is read as it read it.
        """
        self._early = early
        self.screens, self.bots = screens, frozenset(bots)
        self.hands, self.dealt = hands if screens is None else screens.hands, dealt
        self._shown = False  # the key of the prepared deals
        self.codes: dict[tuple[int, int], str] = {}
        self.real: frozenset[int] = frozenset()
        self.by_hand: frozenset[tuple[int, int]] = frozenset()
        self._came: frozenset[tuple[int, int]] = frozenset()  # tables on screens that are done
        self._done = 0  # when a table was last done or scored, milliseconds since 1970
        self.evening = evening
        self.names = list(names)
        self.phones = Phones()
        self.begun: list[int] = []
        self.turns: list[int] = []
        self.ends: int | None = None
        self.over = False
        self._agree = agree
        self._turn = 0  # how often something has changed of which seats follow
        self._before: list[tuple[tuple[int, ...], int]] = []  # given up, and planned, by round
        self._written: dict[int, list[Written[ch.Rows]]] = {}
        self._told: dict[int, Told[ch.Rows]] = {}
        self._scores: dict[int, Shared[ch.Rows]] = {}

    def copy(self) -> EveningLog:
        """Return the same evening, on which something can be tried."""
        other = copy(self)
        other.names, other.begun, other.turns = [*self.names], [*self.begun], [*self.turns]
        other.phones, other.codes = self.phones.copy(), {**self.codes}
        other._before = [*self._before]
        other._written, other._scores = {**self._written}, {**self._scores}
        other._told = {**self._told}
        return other

    def forget(self, person: int) -> None:
        """Have somebody without a name, and without a phone."""
        self.names[person] = ""
        self.phones.forget(person)

    def plays_on_screens(self, round_: int, table: int) -> bool:
        """Return whether a table is one of this server in a round, and scores by itself."""
        return self.screens is not None and (round_, table) not in self.by_hand

    def said(self, round_: int, table: int) -> Shared[ch.Rows] | None:
        """Return what is said of the score of a table in a round; None if nothing was."""
        return self._scores.get(ch.place_of(round_, table))

    @property
    def at_play(self) -> list[tuple[int, Table]]:
        """The tables on screens that lack a score, each with the number of its round."""
        return [
            (number, table)
            for number, one in enumerate(self.evening.rounds, 1)
            for table in one.tables
            if table.scores is None and (number, table.number) in self.codes
        ]

    @property
    def is_open(self) -> bool:
        """Whether nobody plays any more, so that prepared deals may be shown."""
        lacking = {(number, table.number) for number, table in self.at_play}
        # What a host takes back was played all the same. An early evening may have gone on then.
        at_play = lacking if self._early else lacking - self._came
        return self._shown or (self.over and not at_play)

    @property
    def next_at(self) -> int | None:
        """When the next round begins by itself, milliseconds since 1970; None where it does not.

        It waits for tables that are not done, and while people dispute a score of this round.
        """
        number = len(self.evening.rounds)
        if self.over or not number or self.screens is None or not self.screens.auto:
            return None
        said = [self.said(number, table.number) for table in self.evening.rounds[-1].tables]
        if unfinished(self.evening) or any(one and one.state == "disputed" for one in said):
            return None
        return max(self._done, self.begun[-1]) + PAUSE

    def written(self, round_: int, table: int) -> Sequence[Written[ch.Rows]]:
        """Return the entries about the score of a table in a round, in order."""
        return self._written.get(ch.place_of(round_, table), ())

    def asked(self, change: ch.Change, now: int) -> ch.Kept:
        """Return a change as it is kept: a round with its seats, a clock with its end.

        It is asked for `now`, in milliseconds since 1970.

        Raises:
            EveningError: it cannot be; ``round-begun`` where that round has begun already, and
                the codes of `take`.
        """
        if isinstance(change, ch.Clock):
            minutes = change.minutes
            return ch.ClockSet(do="clock", ends=minutes and now + minutes * MINUTE)
        if isinstance(change, ch.Score):
            return change.model_copy(update={"at": now, "waits": False})
        if not isinstance(change, ch.NextRound):
            return change
        self._check_next(change.round)
        after = next_round(self.evening, change.slow)
        if not after.rounds[-1].tables:
            raise EveningError("too-few", f"round {change.round}: nobody would play")
        return ch.laid(after, self._turn, now)

    def take(self, entry: int, id_: str, change: ch.Kept, writer: int) -> None:
        """Take in the next entry of the log, number `entry`; the phone calls it `id_`.

        Raises:
            EveningError: it cannot be, as things are, and changes nothing; the codes of
                `rookery.evening.movements`, and ``round-begun``, ``full``, ``claimed``, ``over``.
        """
        if self.over and not isinstance(
            change, ch.End | ch.Score | ch.Played | ch.Claim | ch.Free | ch.Rename
        ):
            raise EveningError("over", "the evening is over")
        match change:
            case ch.Score():
                self._score(entry, id_, change, writer)
            case ch.Played():
                self._played(entry, id_, change, writer)
                self._came |= {(change.round, change.table)}
            case ch.Opened():
                self.evening.table(change.round, change.table)
                self.codes.setdefault((change.round, change.table), change.code)
            case ch.RealCards():
                self._real_cards(change)
            case ch.Rename():
                self._check_person(change.person)
                self.names[change.person] = change.name
            case ch.ClockSet():
                self.ends = change.ends
            case ch.Claim():
                self._claim(change.person, writer, entry)
            case ch.Free():
                self.phones.free(change.person, writer)
            case ch.End():
                if self._shown:
                    raise EveningError("opened", "the key of the deals has been shown")
                self.over, self.ends = change.over, None
            case ch.RoundLaid():
                self._round(change)
            case ch.UndoRound():
                self._undo(change.round)
            case ch.Arrive() | ch.StandIn():
                self._come(change)
            case ch.Return():
                self.evening = self._arrived(self.evening, change.person)
            case ch.Leave():
                self.evening = leave(self.evening, change.person)
            case ch.Exchange():
                self._exchange(change)
        if isinstance(change, _SEATING):
            self._turn += 1
        # For good: whoever has it keeps it, whatever is said of a score afterwards.
        self._shown = self._shown or (self.dealt and self.is_open)

    def _check_person(self, person: int) -> None:
        if not 0 <= person < len(self.names):
            raise EveningError("no-person", f"person {person}: expected 0 to {len(self.names) - 1}")

    def _check_next(self, number: int) -> None:
        there = len(self.evening.rounds)
        if number <= there:
            raise EveningError("round-begun", f"round {number}: has begun already")
        if number != there + 1 or number > ch.MOST_ROUNDS:
            last = min(there + 1, ch.MOST_ROUNDS)
            raise EveningError("no-round", f"round {number}: expected {last} as the next one")

    def _come(self, change: ch.Arrive | ch.StandIn) -> None:
        names = change.names if isinstance(change, ch.Arrive) else [change.name]
        if len(self.names) + len(names) > ch.MOST_PEOPLE:
            raise EveningError(
                "full", f"{len(names)} more: expected {ch.MOST_PEOPLE} people at most"
            )
        more = self.evening
        for _ in names:
            more = self._arrived(more) if isinstance(change, ch.Arrive) else stand_in(more)
        self.evening = more
        self.names += names

    def _arrived(self, evening: Evening, again: int | None = None) -> Evening:
        """Return the evening with one more person, or somebody who is back."""
        if self._early and not any(again in team for team in evening.teams):
            # Once somebody came, nobody belonged to a team any more who had left.
            evening = replace(evening, teams=tuple(here(evening)))
        return arrive(evening, again)

    def _round(self, change: ch.RoundLaid) -> None:
        self._check_next(change.round)
        laid = ch.round_of(change)
        if change.turn != self._turn or not fits(self.evening, laid):
            line = "people or seats have changed meanwhile; expected the round anew"
            raise EveningError("round-begun", line)
        self._before.append((self.evening.withdrawn, self.evening.planned))
        self.evening = replace(
            self.evening,
            rounds=(*self.evening.rounds, laid),
            withdrawn=tuple(change.withdrawn),
            planned=change.planned,
        )
        self.begun.append(change.at)
        self.turns.append(change.turn)
        for number, seats, _, _ in change.tables:
            if number in self.real and not self.bots & {*seats}:
                self.by_hand |= {(change.round, number)}

    def _undo(self, number: int) -> None:
        rounds = self.evening.rounds
        if number != len(rounds):
            raise EveningError("no-round", f"round {number}: expected the last, {len(rounds)}")
        if any((number, table.number) in self.codes for table in rounds[-1].tables):
            raise EveningError("on-screens", f"round {number}: its tables are open; it stays")
        if any(self.said(number, table.number) for table in rounds[-1].tables):
            raise EveningError("scored", f"round {number}: has a score; it stays")
        withdrawn, planned = self._before.pop()
        self.evening = replace(
            self.evening, rounds=rounds[:-1], withdrawn=withdrawn, planned=planned
        )
        self.begun.pop()
        self.turns.pop()
        if not self._early:  # there a name that was taken since stays taken
            self.phones.undo(number - 1)
        self.by_hand = frozenset(one for one in self.by_hand if one[0] < number)
        self.ends = None

    def _real_cards(self, change: ch.RealCards) -> None:
        if self.screens is None:
            raise EveningError("real", "all tables of this evening have real cards")
        if self._has_plan:
            line = "prepared deals are dealt on screens; by hand a table would have others"
            raise EveningError("prepared", line)
        others = self.real - {change.table}
        self.real = others | {change.table} if change.real else others

    def _exchange(self, change: ch.Exchange) -> None:
        if self.screens is not None:
            raise EveningError("on-screens", "on screens whoever has a seat keeps it")
        after = exchange(self.evening, change.one, change.other, teams_only=self._early)
        number, before = len(after.rounds), self.evening.rounds[-1]
        for old, new in zip(before.tables, after.rounds[-1].tables, strict=True):
            if old.seats != new.seats and self.said(number, old.number):
                raise EveningError("scored", f"table {old.number}: has a score; seats stay")
        self.evening = after

    def _claim(self, person: int, writer: int, entry: int) -> None:
        self._check_person(person)
        if person in self.bots:
            raise EveningError("claimed", f"person {person}: is a bot")
        self.phones.claim(
            person,
            writer,
            entry,
            self.evening.rounds,
            on_screens=self.screens is not None,
            prepared=self.screens is not None and self._has_plan,
        )

    @property
    def _has_plan(self) -> bool:
        return MOVEMENTS[self.evening.movement].plan is not None

    def _score(self, entry: int, id_: str, change: ch.Score, writer: int) -> None:
        table = self.evening.table(change.round, change.table)
        rows = ch.rows_of(change)
        if rows is not None:
            self._check_rows(change, table, rows)
        place = ch.place_of(change.round, change.table)
        one = Written(entry, id_, place, change.over, rows, writer, change.waits)
        log = [*self._written.get(place, ()), one]
        saying = self._told.get(place, Told[ch.Rows](early=self._early)).copy()
        saying.write(one)
        told = saying.now(self._agree)
        stands = told.stands.said if told.counts else None
        sums = None if stands is None else [sum(points) for points in zip(*stands, strict=True)]
        self.evening = score(self.evening, change.round, change.table, sums)
        self._written[place], self._told[place], self._scores[place] = log, saying, told
        if change.round == len(self.evening.rounds):
            self._done = max(self._done, change.at)

    def _played(self, entry: int, id_: str, change: ch.Played, writer: int) -> None:
        """Take in what a table on screens scored, unless somebody has said so before."""
        self._done = max(self._done, change.at)
        told = self.said(change.round, change.table)
        if told is not None and told.stands.said is not None:
            return
        written = self.written(change.round, change.table)
        # Not looked at anew: what is typed has bounds that what was played has not.
        said = ch.Score.model_construct(
            do="score",
            round=change.round,
            table=change.table,
            rows=change.rows,
            over=written[-1].number if written else 0,  # what a host has taken back
            at=change.at,
        )
        self._score(entry, id_, said, writer)

    def _check_rows(self, change: ch.Score, table: Table, rows: ch.Rows) -> None:
        where, deals = f"round {change.round}, table {change.table}", len(table.boards) or 1
        if len(rows) != deals:
            raise EveningError("scores", f"{where}: {len(rows)} rows; expected {deals}")
        for row in rows:
            score(self.evening, change.round, change.table, row)
