"""`rookery train`: teaches the network that plays cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from pydantic import BaseModel

from rookery.cli.arguments import AsJson, Refused, check_folder, number

if TYPE_CHECKING:
    from rookery.learn.course import Course
    from rookery.learn.fit import Adam

MOST_SEED = 2**40 - 1


class ValidationReport(BaseModel, extra="forbid"):
    """How a network does on examples that it was not fitted to; means over decisions."""

    squares: float
    """The square error of the scores, parts of all points squared."""
    gain: float
    """What picking by softmax of the scores wins over picking at random, parts of all points."""
    best: float
    """What the best-scored card wins over the script's, parts of all points."""


class TrainReport(BaseModel, extra="forbid"):
    """What `rookery train --json` prints."""

    format: Literal["rookery-train/1"] = "rookery-train/1"
    preset: str
    seed: int
    weights: str
    """The file of the weights."""
    decisions: int
    """How many were learned from."""
    cpu_s: float
    """Processor time, seconds."""
    exam: ValidationReport
    course: dict[str, Any]
    """All that the weights depend on."""


def command(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the weights and checkpoints are written.")
    ],
    preset: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="ci (a minute), minutes, half-hour, student, or hours (PyTorch)."
        ),
    ] = "ci",
    seed: Annotated[int, number("The same seed, the same weights.", 0, MOST_SEED, metavar="S")] = 1,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the checkpoint in DIR.")
    ] = False,
    device: Annotated[
        str, typer.Option(metavar="NAME", help="PyTorch's device: auto, cpu, cuda.")
    ] = "auto",
    as_json: AsJson = False,
) -> None:
    """Train the network on examples from simulated hands.

    You may stop it at any time; --resume goes on from the last checkpoint.
    """
    from rookery.cli.output import print_answer, shown
    from rookery.learn.course import CHECKPOINT_FILE, PRESETS, WEIGHTS_FILE, Training
    from rookery.learn.examples import ExampleGenerator

    course = PRESETS.get(preset)
    if course is None:
        raise Refused(f"--preset {preset}: expected one of {', '.join(PRESETS)}")
    if not course.torch and device not in ("auto", "cpu"):
        raise Refused(
            f"--device {device}: --preset {preset} needs no PyTorch and runs on the processor; "
            "leave it out, or take --preset hours"
        )
    check_folder("--out", out)
    if not resume and (out / CHECKPOINT_FILE).exists():
        raise Refused(f"--out {out}: a course lies there; add --resume, or name another folder")
    if resume and not (out / CHECKPOINT_FILE).exists():
        raise Refused(f"--resume: {out} has no {CHECKPOINT_FILE}; expected one to go on from")
    optimizer = _optimizer(course, seed, device)  # before anything is compiled
    training = Training(course, seed, out, ExampleGenerator(), optimizer)
    if resume and not training.resume():
        typer.echo(
            f"{out}: begun by another version of Rookery; the weights are those of no whole course",
            err=True,
        )
    with shown("examples") as progress:
        net = training.run(progress)
    facts = training.facts(net)
    report = TrainReport(preset=preset, seed=seed, weights=str(out / WEIGHTS_FILE), **facts)
    gain = 100 * report.exam.best
    lines = (
        f"{report.decisions:,} decisions learned with seed {seed}: {report.weights}",
        f"On decisions kept aside its cards win {abs(gain):.2f} % of a hand's points "
        f"{'less' if gain < 0 else 'more'} than the script's.",
    )
    print_answer(report.model_dump, lines, as_json)


def _optimizer(course: Course, seed: int, device: str) -> Adam:
    from rookery.learn.course import optimizer_for

    try:
        return optimizer_for(course, seed, device)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise Refused(
            "this preset needs PyTorch, which is not installed: pip install "
            "'rookery-cards[train]', or take --preset minutes"
        ) from None
    except RuntimeError as error:  # PyTorch's word for a device that is not there
        line = str(error).splitlines()[0]
        raise Refused(f"--device {device}: {line}; expected auto, cpu or cuda") from None
