"""What `rookery train --json` prints."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class ValidationReport(BaseModel):
    """How a network does on examples that it was not fitted to; means over decisions."""

    model_config = ConfigDict(extra="forbid")

    squares: float
    """The square error of the scores, parts of all points squared."""
    gain: float
    """What picking by softmax of the scores wins over picking at random, parts of all points."""
    best: float
    """What the best-scored card wins over the script's, parts of all points."""


class TrainReport(BaseModel):
    """What `rookery train --json` prints."""

    model_config = ConfigDict(extra="forbid")

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
