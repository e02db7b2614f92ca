"""The way of an act: from a screen to its server, to the table, to the database, to all screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from benchmarks.crowd.costs import GATHER, TOGETHER, Costs
from benchmarks.crowd.stations import Clock, Station

WRITERS: Final = {"sqlite": 1, "postgresql": 2}

Told = Callable[[float], object]


class Server:
    """A server process: one core, and writers that commit what waits together."""

    def __init__(self, number: int) -> None:
        """Take its number; its core is the system's to give."""
        self.number = number
        self.core: Station
        self.writers: dict[int, list[Writer]] = {}


class Act:
    """Something that happens at a table: where that is, where its screens are, who is told when."""

    __slots__ = ("asked", "doors", "home", "line", "place", "told", "weight")

    def __init__(
        self, home: Server, place: int, line: int, doors: Sequence[Server], told: Told
    ) -> None:
        """Take the table's server, its database, its writer, its screens' servers."""
        self.home, self.place, self.line, self.doors, self.told = home, place, line, doors, told
        self.asked, self.weight = False, 1.0


class Writer:
    """Commits all that waits in one transaction, at most `TOGETHER` acts."""

    def __init__(self, system: System, server: Server, place: int) -> None:
        """Begin with nothing."""
        self._system, self._server, self._place = system, server, place
        self._waiting: list[Act] = []
        self._writes = False

    def add(self, act: Act) -> None:
        """Take up an act that is to be stored."""
        self._waiting.append(act)
        if not self._writes:
            self._begin()

    def _begin(self) -> None:
        batch, self._waiting = self._waiting[:TOGETHER], self._waiting[TOGETHER:]
        self._writes = True
        costs, clock = self._system.costs, self._system.clock
        sent = self._server.core.work(costs.commit + costs.row * len(batch))
        clock.at(sent, self._sent, batch)

    def _sent(self, batch: list[Act]) -> None:
        system = self._system
        system.clock.at(system.stored(self._place, len(batch)), self._stored, batch)

    def _stored(self, batch: list[Act]) -> None:
        self._writes = False
        if self._waiting:
            self._begin()
        for act in batch:
            self._system.tell(act)


class System:
    """Servers, databases and what connects them.

    Attributes:
        servers: the server processes.
        stored_acts: how many acts were stored.
    """

    def __init__(
        self,
        clock: Clock,
        costs: Costs,
        rng: Random,
        servers: int = 1,
        databases: Sequence[int] = (),
        hints: float = 0.0,
        line: float = 0.0,
        disk: float = 0.0,
        players: Station | None = None,
        spread: Sequence[float] = (1.0,),
    ) -> None:
        """Build it.

        Args:
            clock: the time.
            costs: what each step takes.
            rng: chance.
            servers: how many server processes, a core each.
            databases: how many cores each database has; without any, a file as with SQLite.
            hints: of how many acts the other servers are told, as a share.
            line: seconds from one machine to another.
            disk: seconds that a commit waits besides.
            players: who writes and reads for all people, where one program plays them.
            spread: how many times the mean an act takes, each as likely as the others.
        """
        self.clock, self.costs = clock, costs
        self.servers = [Server(number) for number in range(servers)]
        self.databases = [Station(clock, cores) for cores in databases]
        self.redis = Station(clock)
        self.stored_acts = 0
        self._line, self._disk, self._players, self._rng = line, disk, players, rng
        self._spread = spread
        self._hints, self._hinted = hints, 0.0
        lines = WRITERS["postgresql" if databases else "sqlite"]
        for server in self.servers:
            server.core = Station(clock)
            for place in range(max(1, len(databases))):
                server.writers[place] = [Writer(self, server, place) for _ in range(lines)]
        if hints and servers > 1:
            self._hear()

    def send(self, act: Act, door: Server | None) -> None:
        """Have a command come now to a server, `door`; or the table do something by itself."""
        act.weight, act.asked = self._rng.choice(self._spread), door is not None
        if self._players is not None and act.asked:
            self.clock.at(self._players.work(self.costs.read), self._take, act)
        elif door is None or door is act.home:
            self._take(act)
        else:
            passed = door.core.work(self.costs.pass_on)
            self.clock.at(passed + self._line, self._take, act)

    def _take(self, act: Act) -> None:
        done = act.home.core.work(self._woken(act.home, act.weight * self.costs.act))
        writers = act.home.writers[act.place]
        self.clock.at(done, writers[act.line % len(writers)].add, act)

    def stored(self, place: int, rows: int) -> float:
        """Return when a commit of so many acts, sent now, will be known to be done."""
        self.stored_acts += rows
        self._hinted += rows * self._hints
        costs, done = self.costs, self.clock.now
        if self.databases:
            done = self.databases[place].work(costs.data_commit + costs.data_row * rows)
            done += 2 * self._line
        return done + costs.sync + self._disk

    def tell(self, act: Act) -> None:
        """Tell all screens of an act that is stored, one after the other."""
        home, costs = act.home, self.costs
        waits = _Waits(act.told, len(act.doors))
        if self._players is not None and act.asked:
            self._players.work(costs.read)  # that it was done, which whoever asked is told first
        for door in act.doors:
            done = home.core.work(self._woken(home, act.weight * costs.tell))
            if self._players is not None:
                self.clock.at(done, self._read, waits)
            elif door is not home:
                self.clock.at(done + self._line, self._pass_on, door, waits)
            else:
                self.clock.at(done, waits.one, done)

    def _pass_on(self, door: Server, waits: _Waits) -> None:
        waits.one(door.core.work(self.costs.pass_on))

    def _read(self, waits: _Waits) -> None:
        assert self._players is not None
        waits.one(self._players.work(self.costs.read))

    def _woken(self, server: Server, seconds: float) -> float:
        return seconds + self.costs.wake if server.core.rests else seconds

    def come(self, people: float) -> None:
        """Have so many people a second come in, to any server, from now on."""
        door = self._rng.choice(self.servers)
        door.core.work(self.costs.come)
        self.clock.at(self.clock.now + self._rng.expovariate(people), self.come, people)

    def _hear(self) -> None:
        """Have each server hear what the others have hinted at meanwhile.

        One by one it would be more than all the rest: each hint goes to every server.
        """
        hinted, self._hinted = self._hinted, 0.0
        count, costs = len(self.servers), self.costs
        self.redis.work(hinted * (costs.hint + costs.hinted * count))
        for server in self.servers:
            server.core.work(hinted * costs.hear * (count - 1) / count)
        self.clock.at(self.clock.now + GATHER, self._hear)


class _Waits:
    """Says when the last of several has come."""

    __slots__ = ("_last", "_left", "_told")

    def __init__(self, told: Told, left: int) -> None:
        self._told, self._left, self._last = told, left, 0.0

    def one(self, when: float) -> None:
        """Note that one comes then."""
        self._left -= 1
        self._last = max(self._last, when)
        if not self._left:
            self._told(self._last)
