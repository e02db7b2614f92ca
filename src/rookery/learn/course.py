"""A course: lessons and fitting in turn, with checkpoints from which it is taken up again.

Rounds follow one another. In the first the script plays everything; in each later one the network
of the round before plays hands and tries, so that it learns what is right among players who know
what it knows by now. The same course and seed give the same weights to the last bit, interrupted
or not, where NumPy does the fitting.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from rookery.learn.fit import Fit, Loss, loss_of, picked
from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS
from rookery.learn.net import Net, fresh
from rookery.learn.practice import Lessons
from rookery.learn.school import School
from rookery.learn.weights import BadWeights, read_arrays, write_arrays, write_weights
from rookery.rules import catalog, load
from rookery.rules.table import RuleTable, compile_rules

CHECKPOINT: Final = "rookery-course/1"
CHECKPOINT_FILE: Final = "course.npz"
JOURNAL_FILE: Final = "journal.jsonl"
WEIGHTS_FILE: Final = "weights.npz"
PAUSE: Final = 20.0  # seconds between two checkpoints, at least
WARM, BEGUN = 2.4, 0.12  # chunks in which the rate rises, and where it begins
LEAST: Final = 0.001  # of the rate
EXAM: Final = 1 << 40  # added to the seed for lessons that nothing is fitted to


class WrongCourse(ValueError):
    """A folder that holds another course, or none. Code: ``wrong-course``."""

    code = "wrong-course"


class Fitting(Protocol):
    """What fits the weights: by NumPy (`Fit`) or by PyTorch."""

    steps: int

    @property
    def net(self) -> Net:
        """The network as it is now, a copy."""

    @property
    def memory(self) -> dict[str, Any]:
        """All that it needs to go on later, arrays by name."""

    def recall(self, memory: dict[str, Any]) -> None:
        """Go on from what `memory` said."""

    def step(self, lessons: Lessons, rate: float) -> Loss:
        """Move the weights once, by all of some lessons; return the loss before the move."""


@dataclass(frozen=True)
class Round:
    """A part of a course.

    Attributes:
        chunks: how many times lessons are made and learned.
        worlds: drawn for each decision; 0 for one try of each card, in the true hands.
        taught: how likely a seat plays by the network of the round before, 256ths; above 0 the
            tries are played on by it too.
    """

    chunks: int
    worlds: int
    taught: int = 0


@dataclass(frozen=True)
class Course:
    """What is learned, and how.

    Attributes:
        rounds: its parts.
        decisions: of each rule set in a chunk.
        batch: decisions of a step.
        rate: how far a step goes, at most.
        rates: the part of it after so many chunks, straight lines between; from all of it to
            nothing at the end, where nothing is said.
        wide: units of the network's first layer.
        narrow: units of its second.
        rules: ids of variants; none for the whole catalogue.
        torch: whether PyTorch does the fitting.
    """

    rounds: tuple[Round, ...]
    decisions: int
    batch: int
    rate: float
    wide: int
    narrow: int
    rules: tuple[str, ...] = ()
    torch: bool = False
    rates: tuple[tuple[int, float], ...] = ()

    @property
    def chunks(self) -> int:
        """How many there are in all rounds."""
        return sum(part.chunks for part in self.rounds)

    @property
    def tables(self) -> list[RuleTable]:
        """The rule sets."""
        return [compile_rules(load(name)) for name in self.rules or catalog()]

    def rate_at(self, chunk: float) -> float:
        """Return how far a step goes after so many chunks, a part of the next one included.

        >>> course = PRESETS["ci"]
        >>> course.rate_at(course.chunks) < course.rate_at(0) < course.rate_at(4) < course.rate
        True
        """
        points = self.rates or ((0, 1.0), (self.chunks, 0.0))
        at, parts = zip(*points, strict=True)
        part = float(np.interp(chunk, at, parts))
        return self.rate * min(1.0, (chunk + BEGUN) / WARM) * (part + LEAST)


PRESETS: Final = {
    "ci": Course(
        (Round(10, 6), Round(2, 6, 192)), 300, 256, 3e-3, 16, 8,
        ("kd_tournament", "call_partner_5", "one_low_180"),
    ),
    "minutes": Course(
        (Round(46, 8), Round(7, 4, 192)), 400, 1024, 1.5e-3, 32, 16,
        rates=((0, 1.0), (32, 0.733), (49, 0.288), (53, 0.0)),
    ),
    "hours": Course(
        (Round(180, 16), Round(180, 16, 192), Round(180, 16, 192)), 1000, 4096, 1e-3, 64, 32,
        torch=True,
    ),
}  # fmt: skip


class Training:
    """A course under way in a folder of its own."""

    def __init__(
        self, course: Course, seed: int, folder: Path, school: School, fitting: Fitting
    ) -> None:
        """Begin a course.

        Args:
            course: what is learned.
            seed: of everything.
            folder: where checkpoints, the journal and at the end the weights lie; it is there.
            school: where lessons are made.
            fitting: what fits the weights, as it was made from `beginner`.
        """
        self._course, self._seed, self._folder = course, seed, folder
        self._school, self._fit = school, fitting
        self._teacher = fitting.net
        self._tables = course.tables
        self._seen = [np.zeros(len(names), bool) for names in (TABLE_INPUTS, CARD_INPUTS)]
        self._spent = 0.0
        self.done = 0

    @property
    def asked(self) -> dict[str, Any]:
        """All that the weights depend on, by name."""
        said: dict[str, Any] = json.loads(json.dumps(asdict(self._course)))
        return {"seed": self._seed, **said}

    def take_up(self) -> None:
        """Go on from the folder's checkpoint.

        Raises:
            WrongCourse: it is another course's.
            BadWeights: it is damaged.
            OSError: there is none, or it cannot be read.
        """
        path = self._folder / CHECKPOINT_FILE
        arrays, about = read_arrays(path, CHECKPOINT)
        if about.get("asked") != self.asked:
            raise WrongCourse(f"{path}: a course with another preset or seed; expected this one's")
        try:
            self._teacher = Net(*(arrays[f"teacher_{name}"] for name in Net._fields))
            self._seen = [arrays["seen_table"], arrays["seen_card"]]
            self._fit.recall(arrays)
            self.done, self._spent = int(about["done"]), float(about["spent"])
        except (KeyError, ValueError, TypeError) as error:
            raise BadWeights(f"{path}: damaged ({error})") from None

    def run(self, progress: Callable[[int, int], None] = lambda done, whole: None) -> Net:
        """Learn to the end of the course; write the weights and return them.

        Raises:
            OSError: something cannot be written.
        """
        saved = time.monotonic()
        progress(self.done, self._course.chunks)
        while self.done < self._course.chunks:
            began = time.process_time()
            loss = self._chunk()
            self._spent += time.process_time() - began
            self._note({"chunk": self.done, "cpu_s": round(self._spent, 1), **loss._asdict()})
            progress(self.done, self._course.chunks)
            if time.monotonic() - saved >= PAUSE:
                self.save()
                saved = time.monotonic()
        self.save()
        net = self.net
        write_weights(self._folder / WEIGHTS_FILE, net, self.facts(net))
        return net

    @property
    def net(self) -> Net:
        """The network as it is; an input that never said anything counts for nothing."""
        net = self._fit.net
        for weights, seen in zip((net.table, net.card), self._seen, strict=True):
            weights[~seen] = 0.0
        return net

    def facts(self, net: Net) -> dict[str, Any]:
        """Return what is kept with the weights: the course, its size and an exam."""
        per_chunk = self._course.decisions * len(self._tables)
        return {
            "course": self.asked,
            "decisions": per_chunk * self.done,
            "cpu_s": round(self._spent, 1),
            "exam": loss_of(net, self.exam())._asdict(),
        }

    def exam(self) -> Lessons:
        """Return lessons that nothing is fitted to, tried in many worlds each."""
        return self._school.lessons(
            self._tables, max(20, 1000 // len(self._tables)), self._seed + EXAM, self._teacher,
            worlds=20,
        )  # fmt: skip

    def save(self) -> None:
        """Write a checkpoint.

        Raises:
            OSError: it cannot be written.
        """
        arrays = {
            **{f"teacher_{name}": array for name, array in self._teacher._asdict().items()},
            "seen_table": self._seen[0],
            "seen_card": self._seen[1],
            **self._fit.memory,
        }
        about = {
            "format": CHECKPOINT,
            "asked": self.asked,
            "done": self.done,
            "spent": round(self._spent, 3),
        }
        write_arrays(self._folder / CHECKPOINT_FILE, arrays, about)

    def _chunk(self) -> Loss:
        course, left = self._course, self.done
        for part in course.rounds:
            if left < part.chunks:
                break
            left -= part.chunks
        if left == 0 and part.taught:
            self._teacher = self.net
        lessons = self._school.lessons(
            self._tables, course.decisions, self._seed + self.done, self._teacher,
            worlds=part.worlds, taught=part.taught,
        )  # fmt: skip
        for seen, inputs in zip(self._seen, (lessons.table, lessons.cards), strict=True):
            seen |= (inputs != 0).any(0)
        order = np.random.default_rng([self._seed, self.done]).permutation(len(lessons.table))
        steps = range(0, len(order), course.batch)
        losses = [
            self._fit.step(
                picked(lessons, order[at : at + course.batch]),
                course.rate_at(self.done + at / len(order)),
            )
            for at in steps
        ]
        self.done += 1
        return Loss(*(float(np.mean(some)) for some in zip(*losses, strict=True)))

    def _note(self, line: dict[str, Any]) -> None:
        with (self._folder / JOURNAL_FILE).open("a", encoding="utf-8") as journal:
            journal.write(json.dumps(line) + "\n")


def beginner(course: Course, seed: int) -> Net:
    """Return the network with which a course begins."""
    return fresh(len(TABLE_INPUTS), len(CARD_INPUTS), course.wide, course.narrow, seed)


def fitting_for(course: Course, seed: int, device: str = "auto") -> Fitting:
    """Return what fits a course's weights.

    Raises:
        ModuleNotFoundError: the course wants PyTorch, which is not installed.
    """
    if course.torch:
        from rookery.learn.fit_torch import TorchFit

        return TorchFit(beginner(course, seed), device)
    return Fit(beginner(course, seed))
