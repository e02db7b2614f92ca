"""Making puzzles: hand after hand is played and looked through, and what is found is written down.

The file that is written says which hands are done, so whoever runs it again goes on where it
stopped. A hand depends on the seed, its rules and its number alone, not on the order of the work.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.bots.names import LEVELS, bot
from rookery.engine.rng import seeded
from rookery.files import write_file
from rookery.game import Hand, IllegalAction, Match
from rookery.puzzles.difficulty import Triers
from rookery.puzzles.proof import ROLLOUTS, NoPuzzle, Prover
from rookery.puzzles.puzzle import FORMAT, BadPuzzle, Puzzle, line_of, read_line
from rookery.puzzles.second_judge import reaches
from rookery.puzzles.themes import themes_of
from rookery.record import of_hand
from rookery.review.hand_review import PLACES
from rookery.rules import Rules, variant

# Who plays: mostly well, and now and then badly enough for something to happen.
PLAYERS: Final = ("club", "club", LEVELS["casual"], "expert:rollouts=100:ms=600000")


COUNTS: Final = ("hands", "looked", "near", "refused")


class BadStart(ValueError):
    """A file that another run began with another seed, or that is no file of puzzles.

    Code: ``bad-start``.
    """

    code = "bad-start"


class Unit(NamedTuple):
    """A hand to look through: the name of its rules or its record, and its number from 0."""

    name: str
    number: int


class Task(NamedTuple):
    """A unit with its rules and its hand; None for one that bots have yet to play."""

    unit: Unit
    rules: Rules
    hand: Hand | None


@dataclass
class Tally:
    """What a run has done: hands, decisions that it looked at, and those worth a proof.

    `refused` counts those of them that were no puzzle, by code.
    """

    hands: int = 0
    looked: int = 0
    near: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    puzzles: list[Puzzle] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add what another has done."""
        self.hands += other.hands
        self.looked += other.looked
        self.near += other.near
        self.refused.update(other.refused)
        self.puzzles += other.puzzles


class Workshop:
    """Where the hands of one set of rules are played and looked through, by one thread."""

    def __init__(self, rules: Rules, seed: int, rollouts: int) -> None:
        """Prepare; the first workshop in a process compiles."""
        self._rules = rules
        self._seed = seed
        self._prover = Prover(rules, seed, rollouts)
        self._triers = Triers(rules)
        self._player = cache(lambda name, seat: bot(name).seated(rules, seat))

    def played(self, number: int) -> Hand:
        """Return hand `number` of the bots' own games, played to its end."""
        seats = self._rules.seats
        dice = blake2b(f"{self._seed} {self._rules.id} {number}".encode()).digest()
        hand = Hand.shuffled(self._rules, number % seats, int.from_bytes(dice[-8:], "big") >> 1)
        players = [
            self._player(PLAYERS[byte % len(PLAYERS)], seat)
            for seat, byte in enumerate(dice[:seats])
        ]
        for seat, player in enumerate(players):
            player.begin(hand, seeded(number, seat) >> 1)
        while not hand.over:
            hand = hand.act(players[hand.to_act or 0].act(hand))
        return hand

    def look(self, hand: Hand, number: int) -> Tally:
        """Return what a hand has, looked through from its deal to its end."""
        found = Tally(hands=1)
        for index, before in enumerate(hand.positions()):
            place = PLACES * number + index
            if before.over or before.to_act is None:
                break
            found.looked += 1
            try:
                if self._prover.candidate(before, place):
                    found.near += 1
                    found.puzzles.append(self.puzzle(before, place))
            except NoPuzzle as error:
                found.refused[error.code] += 1
        return found

    def puzzle(self, hand: Hand, place: int) -> Puzzle:
        """Return the puzzle of a decision.

        Raises:
            NoPuzzle: it is none.
        """
        choices = self._prover.prove(hand, place)
        themes = themes_of(hand, choices)
        if not themes:
            raise NoPuzzle("no-theme")
        found = self._triers.found(hand, choices)
        if not reaches(hand) and found[-1] < 100:  # the best bot misses it now and then
            raise NoPuzzle("second-judge")
        try:
            return Puzzle.of(hand, choices, themes, found)
        except (BadPuzzle, IllegalAction):
            raise NoPuzzle("out-of-turn") from None


class Made:
    """A file of made puzzles, one a line, with a line for each hand that is done."""

    def __init__(self, path: Path, seed: int, rollouts: int = ROLLOUTS) -> None:
        """Open a file, or begin it.

        Raises:
            BadStart: it was begun otherwise.
            OSError: it cannot be read or written.
        """
        self._path, self.seed, self.rollouts = path, seed, rollouts
        self.done: dict[Unit, Tally] = {}
        self.puzzles: dict[str, Puzzle] = {}
        head = {"format": FORMAT, "seed": seed, "rollouts": rollouts}
        if path.exists() and path.stat().st_size:
            try:
                self._read(head)
            except (BadPuzzle, KeyError, RecursionError, TypeError, ValueError) as error:
                if isinstance(error, BadStart):
                    raise
                raise BadStart(f"{path}: no file of puzzles that was made") from None
        else:
            write_file(path, f"{json.dumps(head)}\n".encode())

    def _read(self, head: dict[str, Any]) -> None:
        # A run may have ended in the middle of a line, or of a hand.
        lines = self._path.read_text("utf-8").splitlines(keepends=True)
        if not lines[-1].endswith("\n"):
            lines.pop()
        if not lines or json.loads(lines[0]) != head:
            raise BadStart(f"{self._path}: begun with another seed or number of rollouts")
        waiting: list[Puzzle] = []
        whole = 1
        for number, line in enumerate(lines[1:], 2):
            if line.startswith("["):
                waiting.append(read_line(line))
                continue
            said = json.loads(line)
            counts = {key: said[key] for key in COUNTS}
            self.done[Unit(*said["unit"])] = Tally(**counts, puzzles=waiting)
            self.puzzles.update((one.id, one) for one in waiting)
            waiting, whole = [], number
        write_file(self._path, "".join(lines[:whole]).encode())

    def write(self, unit: Unit, found: Tally) -> None:
        """Add a hand that is done."""
        fresh = [one for one in found.puzzles if one.id not in self.puzzles]
        counts = {key: getattr(found, key) for key in COUNTS}
        said = json.dumps({"unit": list(unit), **counts}, separators=(",", ":"))
        with self._path.open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in (*map(line_of, fresh), said))
        self.done[unit] = found
        self.puzzles.update((one.id, one) for one in fresh)

    @property
    def tally(self) -> Tally:
        """All that has been done."""
        total = Tally()
        for one in self.done.values():
            total.add(one)
        return total


def make(
    units: Sequence[Task],
    made: Made,
    *,
    threads: int = 1,
    progress: Callable[[int, int], None] = lambda done, whole: None,
) -> None:
    """Look through hands that are not done, on some threads; each is written when it is done.

    `progress` is called with how many hands are done, and how many there are.
    """
    shops: dict[tuple[int, str], Workshop] = {}

    def work(task: Task) -> tuple[Unit, Tally]:
        key = threading.get_ident(), task.rules.model_dump_json()
        if key not in shops:
            shops[key] = Workshop(task.rules, made.seed, made.rollouts)
        number = task.unit.number
        return task.unit, shops[key].look(task.hand or shops[key].played(number), number)

    todo = [task for task in units if task.unit not in made.done]
    left, done = iter(todo), len(units) - len(todo)
    progress(done, len(units))
    under_way: set[Future[tuple[Unit, Tally]]] = set()
    with ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                fresh = islice(left, 2 * threads - len(under_way))
                under_way |= {pool.submit(work, task) for task in fresh}
                if not under_way:
                    return
                ended, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for one in ended:
                    made.write(*one.result())
                    done += 1
                progress(done, len(units))
        finally:
            for one in under_way:
                one.cancel()


def of_bots(names: Sequence[str], hands: int) -> Iterator[Task]:
    """Yield the hands of the bots' own games, one of every rule set, then the next of each."""
    for number in range(hands):
        for name in names:
            yield Task(Unit(name, number), variant(name), None)


def of_records(matches: Iterable[Match]) -> Iterator[Task]:
    """Yield the hands of some matches; the same hand of two records is the same unit."""
    for match in matches:
        for number, hand in enumerate(match.hands):
            text = json.dumps(of_hand(hand).written())
            name = blake2b(f"{match.rules!r} {text}".encode(), digest_size=8).hexdigest()
            yield Task(Unit(f"record {name}", number), match.rules, hand)
