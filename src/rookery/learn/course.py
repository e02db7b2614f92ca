"""A training course: making examples and fitting in turn, with checkpoints.

A course has rounds. In the first one the script plays everything. In each later one the network of
the round before plays most seats and all rollouts, so that it learns to play among players of its
own strength. A student learns what the network that comes with the program says of each card: that
has no noise, and costs next to nothing beside rollouts. With NumPy the same course and seed give
the same weights to the last bit, whether the course was interrupted or not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from rookery.about import code_version
from rookery.files import write_file
from rookery.learn.examples import SCORED, ExampleGenerator, Examples
from rookery.learn.fit import HEAT, SURE_HEAT, Adam, Loss, loss_of, picked
from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS
from rookery.learn.net import Net, random_net
from rookery.learn.weights import BadWeights, read_arrays, shipped, write_arrays, write_weights
from rookery.rules import catalog, load
from rookery.rules.table import compile_rules

CHECKPOINT: Final = "rookery-course/1"
CHECKPOINT_FILE: Final = "course.npz"
JOURNAL_FILE: Final = "journal.jsonl"
WEIGHTS_FILE: Final = "weights.npz"
PAUSE: Final = 20.0  # seconds between two checkpoints, at least
WARM, BEGUN = 2.4, 0.12  # chunks in which the rate rises, and where it begins
LEAST: Final = 0.001  # of the rate
VALIDATION: Final = 1 << 40  # added to the seed for examples that nothing is fitted to


class WrongCourse(ValueError):
    """A folder with the checkpoint of another course. Code: ``wrong-course``."""

    code = "wrong-course"


@dataclass(frozen=True)
class Round:
    """A part of a course. Checkpoints and weights store its fields by these names.

    Attributes:
        chunks: how many times examples are made and learned.
        worlds: drawn for each decision; 0 tries each card once, in the true hands. With `SCORED`
            none is tried: the network that comes with the program says what each card is worth.
        taught: how likely a seat plays by a network, 256ths: by that of the round before, or with
            `SCORED` by the one that comes with the program. Above 0 it plays all rollouts too.
    """

    chunks: int
    worlds: int
    taught: int = 0


@dataclass(frozen=True)
class Course:
    """What is learned, and how. Checkpoints and weights store its fields by these names.

    Attributes:
        rounds: its parts.
        decisions: for each rule set in a chunk.
        batch: decisions in a step.
        rate: the highest learning rate.
        wide: units of the network's first layer.
        narrow: units of its second layer.
        rules: ids of variants; none for the whole catalogue.
        torch: whether PyTorch does the fitting.
        rates: pairs of a chunk and the part of `rate` at it, with straight lines between them;
            if empty, the rate falls from all of `rate` to nothing.
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
        """The number of chunks in all rounds."""
        return sum(part.chunks for part in self.rounds)

    def rate_at(self, chunk: float) -> float:
        """Return the learning rate after so many chunks, which need not be a whole number.

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
    "half-hour": Course(
        (Round(150, 8), Round(20, 4, 192)), 400, 1024, 1.5e-3, 64, 16,
        rates=((0, 1.0), (100, 0.9), (152, 0.9 - 26 / 60), (170, 0.0)),
    ),
    "student": Course((Round(700, SCORED, 230),), 600, 1024, 4e-3, 32, 8),
    "hours": Course(
        (Round(180, 16), Round(180, 16, 192), Round(180, 16, 192)), 1000, 4096, 1e-3, 64, 32,
        torch=True,
    ),
}  # fmt: skip


@dataclass
class Training:
    """A course that runs in a folder of its own.

    Attributes:
        course: what is learned.
        seed: of everything.
        folder: for the checkpoints, the journal and, at the end, the weights; it must exist.
        generator: makes the examples.
        optimizer: fits the weights; see `optimizer_for`.
        done: how many chunks have been learned.
    """

    course: Course
    seed: int
    folder: Path
    generator: ExampleGenerator
    optimizer: Adam
    done: int = 0

    def __post_init__(self) -> None:
        self._teacher = self.optimizer.net
        self._tables = [compile_rules(load(name)) for name in self.course.rules or catalog()]
        self._used = [np.zeros(len(names), bool) for names in (TABLE_INPUTS, CARD_INPUTS)]
        self._spent = 0.0

    @property
    def conditions(self) -> dict[str, Any]:
        """All that the weights depend on, by name."""
        course: dict[str, Any] = json.loads(json.dumps(asdict(self.course)))
        return {"seed": self.seed, **course}

    def resume(self) -> bool:
        """Go on from the folder's checkpoint; return whether this version of Rookery wrote it.

        Weights of which two versions have made a part are those of no whole course.

        Raises:
            WrongCourse: the checkpoint is of another course.
            BadWeights: the checkpoint is damaged.
            OSError: there is no checkpoint, or it cannot be read.
        """
        path = self.folder / CHECKPOINT_FILE
        arrays, about = read_arrays(path, CHECKPOINT)
        if about.get("asked") != self.conditions:
            raise WrongCourse(f"{path}: a course with another preset or seed; expected this one's")
        try:
            self._teacher = Net(*(arrays[f"teacher_{name}"] for name in Net._fields))
            self._used = [arrays["seen_table"], arrays["seen_card"]]
            self.optimizer.restore(arrays)
            self.done, self._spent = int(about["done"]), float(about["spent"])
        except (KeyError, ValueError, TypeError) as error:
            raise BadWeights(f"{path}: damaged ({error})") from None
        return bool(about.get("version") == code_version())

    def run(self, progress: Callable[[int, int], None] = lambda done, whole: None) -> Net:
        """Run the course to its end; write the weights and return them."""
        self._cut_journal()
        saved = time.monotonic()
        progress(self.done, self.course.chunks)
        while self.done < self.course.chunks:
            began = time.process_time()
            loss = self._chunk()
            self._spent += time.process_time() - began
            line = {"chunk": self.done, "cpu_s": round(self._spent, 1), **loss._asdict()}
            with (self.folder / JOURNAL_FILE).open("a", encoding="utf-8") as journal:
                journal.write(json.dumps(line) + "\n")
            progress(self.done, self.course.chunks)
            if time.monotonic() - saved >= PAUSE:
                self.save()
                saved = time.monotonic()
        self.save()
        net = self.net
        write_weights(self.folder / WEIGHTS_FILE, net, self.facts(net))
        return net

    @property
    def net(self) -> Net:
        """The network as it is now; an input that was always 0 has no weight."""
        net = self.optimizer.net
        for weights, used in zip((net.table, net.card), self._used, strict=True):
            weights[~used] = 0.0
        return net

    def facts(self, net: Net) -> dict[str, Any]:
        """Return the facts that are stored with the weights: the course, its size and its exam."""
        per_chunk = self.course.decisions * len(self._tables)
        return {
            "course": self.conditions,
            "decisions": per_chunk * self.done,
            "cpu_s": round(self._spent, 1),
            "exam": loss_of(net, self.validation_examples())._asdict(),
        }

    def validation_examples(self) -> Examples:
        """Return examples that nothing is fitted to, each tried in many worlds."""
        return self.generator.examples(
            self._tables, max(20, 1000 // len(self._tables)), self.seed + VALIDATION,
            self._teacher, worlds=20,
        )  # fmt: skip

    def save(self) -> None:
        """Write a checkpoint."""
        arrays = {
            **{f"teacher_{name}": array for name, array in self._teacher._asdict().items()},
            "seen_table": self._used[0],
            "seen_card": self._used[1],
            **self.optimizer.state,
        }
        about = {
            "format": CHECKPOINT,
            "asked": self.conditions,
            "version": code_version(),
            "done": self.done,
            "spent": round(self._spent, 3),
        }
        write_arrays(self.folder / CHECKPOINT_FILE, arrays, about)

    def _cut_journal(self) -> None:
        """Keep the lines of the chunks that are done; those after the checkpoint are made again."""
        path = self.folder / JOURNAL_FILE
        if path.exists():
            lines = path.read_bytes().splitlines(keepends=True)
            write_file(path, b"".join(lines[: self.done]))

    def _chunk(self) -> Loss:
        course, left = self.course, self.done
        for part in course.rounds:
            if left < part.chunks:
                break
            left -= part.chunks
        if left == 0 and part.worlds == SCORED:
            self._teacher = shipped().net
        elif left == 0 and part.taught:
            self._teacher = self.net
        examples = self.generator.examples(
            self._tables, course.decisions, self.seed + self.done, self._teacher,
            worlds=part.worlds, net_share=part.taught,
        )  # fmt: skip
        for used, inputs in zip(self._used, (examples.table, examples.cards), strict=True):
            used |= (inputs != 0).any(0)
        order = np.random.default_rng([self.seed, self.done]).permutation(len(examples.table))
        steps = range(0, len(order), course.batch)
        losses = [
            self.optimizer.step(
                picked(examples, order[at : at + course.batch]),
                course.rate_at(self.done + at / len(order)),
                SURE_HEAT if part.worlds == SCORED else HEAT,
            )
            for at in steps
        ]
        self.done += 1
        return Loss(*(float(np.mean(some)) for some in zip(*losses, strict=True)))


def optimizer_for(course: Course, seed: int, device: str = "auto") -> Adam:
    """Return what fits a course's weights; `seed` is of the first ones.

    `device` is PyTorch's name of one, or ``auto``; NumPy always uses the processor.

    Raises:
        ModuleNotFoundError: the course needs PyTorch, which is not installed.
    """
    net = random_net(len(TABLE_INPUTS), len(CARD_INPUTS), course.wide, course.narrow, seed)
    if course.torch:
        from rookery.learn.fit_torch import TorchAdam

        return TorchAdam(net, device)
    return Adam(net)
