"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

import typer


class Target(StrEnum):
    """Where the kernels run."""

    NUMBA = "numba"
    PYTHON = "python"
    CUDA = "cuda"


AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Cores: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="How many cores to use; all, if not said.")
]
Cluster: TypeAlias = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Use a Ray cluster: auto, or host:port.")
]
Log: TypeAlias = Annotated[
    str,
    typer.Option(envvar="ROOKERY_LOG", help="How to write the log: text, or json for programs."),
]
Where: TypeAlias = Annotated[
    Target, typer.Option(help="Where hands are played; the figures are the same.")
]
