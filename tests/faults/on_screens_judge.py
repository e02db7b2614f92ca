"""What people were shown of an evening on screens, and whether its database can explain all of it.

No part of this asks the program what an evening comes to. The database is read while no server
runs.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Final

from tests.faults.history import History, complaints
from tests.faults.people import Seating
from tests.faults.serving import Server

from rookery.server.table import events as ev

# How much of an evening was done when its server was killed.
MOMENTS: Final = ("a round without all its tables", "a table done and not scored", "all scored")


@dataclass
class Shown:
    """What a campaign saw.

    Attributes:
        kills: how often the server was killed.
        cuts: how often somebody lost their network.
        acts: how many acts at tables were answered.
        scores: how many scores of tables were shown.
        tables: how many tables were opened.
        moments: how much was done when the server was killed, by `MOMENTS`.
        lost: what was shown or answered and is gone.
        twice: what is there more than once.
        seats: who sat where the evening did not say.
        wrong: what was shown otherwise before, or is not what a table came to.
    """

    kills: int = 0
    cuts: int = 0
    acts: int = 0
    scores: int = 0
    tables: int = 0
    moments: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    seats: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def complaints(self) -> list[str]:
        """All that should not be."""
        return [*self.lost, *self.twice, *self.seats, *self.wrong]

    @property
    def sound(self) -> bool:
        """Whether nothing is there that should not be, and nothing is missing."""
        return not self.complaints


class Told:
    """What people were shown of an evening: nothing of it may be another later."""

    def __init__(self, seen: Shown, rounds: int) -> None:
        """Complain to `seen`, of an evening that has so many rounds."""
        self._seen, self.rounds = seen, rounds
        self.code = ""
        self.who: dict[str, int] = {}  # the number of each person, by their id
        self.tables: dict[str, Seating] = {}  # by their codes
        self.codes: dict[tuple[int, int], str] = {}
        self.places: dict[tuple[int, int], list[int]] = {}
        self.scores: dict[tuple[int, int], list[int]] = {}
        self.finals: dict[str, list[int]] = {}  # what a table was when it was done, by its code
        self.over = False
        self.standings: dict[int, int] = {}
        self._learnt: dict[tuple[str, Any], int] = {}  # how much was known before it was shown

    @property
    def histories(self) -> list[History]:
        """What was done and told at its tables."""
        return [one.history for one in self.tables.values()]

    @property
    def news(self) -> int:
        """How much was shown."""
        return len(self.codes) + len(self.scores) + len({number for number, _ in self.places})

    @property
    def known(self) -> int:
        """How much was shown; a look that began then need not show what was shown since."""
        return len(self._learnt)

    def see(self, round_: dict[str, Any] | None, known: int) -> None:
        """Take in the round that was shown, None where none has begun, to a look at `known`.

        Of two looks at once, the answer to the later one may be here first.
        """
        if round_ is None:
            before = any(at < known for (what, _), at in self._learnt.items() if what == "seats")
            self._seen.lost += ["no round is shown any more"] if before else []
            return
        for table in round_["tables"]:
            at = round_["number"], table["number"]
            self._same("seats", self.places, at, known, table["seats"])
            self._same("code", self.codes, at, known, table["code"])
            self._same("score", self.scores, at, known, table["scores"])

    def done(self, table: dict[str, Any]) -> None:
        """Take in a table as its people were shown it when it was done."""
        before, last = table["evening"]["points"], table["view"]["totals"]
        total = [one + other for one, other in zip(before, last, strict=True)]
        self._same("end", self.finals, table["code"], 0, total)

    def _same(self, what: str, shown: dict[Any, Any], at: Any, known: int, now: Any) -> None:  # noqa: ANN401
        if now is None:
            if at in shown and self._learnt[what, at] < known:
                self._seen.lost.append(f"{what} of {at}: {shown[at]} is not shown any more")
            return
        self._learnt.setdefault((what, at), len(self._learnt))
        if shown.setdefault(at, now) != now:
            self._seen.wrong.append(f"{what} of {at}: {now} after {shown[at]}")


@dataclass
class _Log:
    """An evening as its entries have it."""

    places: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    codes: dict[tuple[int, int], str] = field(default_factory=dict)
    scores: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    there: Counter[str] = field(default_factory=Counter)


def _log_of(connection: sqlite3.Connection, code: str) -> _Log:
    rows = connection.execute(
        "SELECT body FROM sheet_entries WHERE code = ? ORDER BY number", (code,)
    )
    log = _Log()
    for said in (json.loads(body) for (body,) in rows):
        match said["do"]:
            case "round":
                log.there[f"round {said['round']}"] += 1
                for number, seats, *_ in said["tables"]:
                    log.places[said["round"], number] = seats
            case "opened":
                at = said["round"], said["table"]
                log.there[f"opening of {at}"] += 1
                log.codes[at] = said["code"]
            case "played":
                at = said["round"], said["table"]
                log.there[f"score of {at}"] += 1
                log.scores[at] = [sum(points) for points in zip(*said["rows"], strict=True)]
            case _:
                log.there[said["do"]] += said["do"] == "end"
    return log


def looked(server: Server, told: Told, seen: Shown) -> str:
    """Look into the database while no server runs; return how much was done, of `MOMENTS`."""
    with closing(sqlite3.connect(server.database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        log = _log_of(connection, told.code)
        made = connection.execute("SELECT table_id, body FROM events WHERE seq <= 3")
        joined = [(code, ev.read(body)) for code, body in made]
        kept = {*connection.execute("SELECT client_id, seq FROM events WHERE client_id NOT NULL")}
        over = {
            code
            for (code,) in connection.execute("SELECT table_id FROM tables WHERE phase = 'over'")
        }
    at_tables = Counter(
        (one.round, one.table)
        for _, one in joined
        if isinstance(one, ev.EveningJoined) and one.evening == told.code
    )
    twice = {f"table {at} is open {n} times" for at, n in at_tables.items() if n > 1}
    twice |= {f"{what} is there {n} times" for what, n in log.there.items() if n > 1}
    seen.twice = sorted({*seen.twice, *twice})
    seen.lost += [
        f"seats of {at} are gone" for at, one in told.places.items() if log.places.get(at) != one
    ]
    seen.lost += [
        f"code of {at} is gone" for at, one in told.codes.items() if log.codes.get(at) != one
    ]
    seen.lost += [
        f"score of {at} is gone" for at, one in told.scores.items() if log.scores.get(at) != one
    ]
    for history in told.histories:
        acked = [op for op in history.ops if op.seq is not None]
        seen.lost += [f"{op.client} is gone" for op in acked if (op.client, op.seq) not in kept]
    last = max((number for number, _ in log.places), default=0)
    now = {at for at in log.places if at[0] == last}
    if not now <= log.codes.keys():
        return MOMENTS[0]
    if any(log.codes[at] in over for at in now - log.scores.keys()):
        return MOMENTS[1]
    return MOMENTS[2] if now <= log.scores.keys() else "at play"


def judge(server: Server, told: Told, seen: Shown) -> None:
    """Compare an evening that is over with its tables, seat by seat and score by score."""
    logs = server.logs()
    with closing(sqlite3.connect(server.database)) as connection:
        log = _log_of(connection, told.code)
    wanted = {f"round {number}" for number in range(1, told.rounds + 1)} | {"end"}
    for at in log.places:
        wanted |= {f"opening of {at}", f"score of {at}"}
    seen.lost += sorted(wanted - {what for what, n in log.there.items() if n})
    points: Counter[int] = Counter()
    for at, seats in log.places.items():
        scores, code = log.scores.get(at, []), log.codes.get(at, "")
        points.update(dict(zip(seats, scores, strict=False)))
        if told.finals.get(code, scores) != scores:
            seen.wrong.append(f"{at} came to {told.finals[code]}, and was scored {scores}")
        seen.seats += _seated(told, at, seats, logs.get(code, []))
    if {who: n for who, n in told.standings.items() if n} != {w: n for w, n in points.items() if n}:
        seen.wrong.append(f"standings {told.standings} after {dict(points)}")
    for history in told.histories:
        seen.wrong += [one.text for one in complaints(history, logs.get(history.code, []))]
    seen.scores += len(told.scores)
    seen.tables += len(log.codes)


def _seated(
    told: Told, at: tuple[int, int], seats: Sequence[int], log: Sequence[ev.Entry]
) -> list[str]:
    """Return who sat down at a table where the evening has somebody else, and who is missing."""
    sat = {
        (entry.event.seat, told.who.get(entry.event.person))
        for entry in log
        if isinstance(entry.event, ev.Sat)
    }
    meant = {(seat, who) for seat, who in enumerate(seats) if who in told.who.values()}
    return [f"{at}: {sat} where the evening has {meant}"] if sat != meant else []
