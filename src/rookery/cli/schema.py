"""`rookery schema`: the JSON schemas of what this program reads and prints."""

from __future__ import annotations

from typing import Annotated

import typer

from rookery.cli.arguments import Refused
from rookery.cli.output import print_json

NAMES = (
    "bench",
    "foresight",
    "league",
    "match",
    "odds",
    "review",
    "rules",
    "rules-effect",
    "solve",
    "study",
    "study-answer",
    "train",
    "verify-deal",
    "view",
)


def command(
    name: Annotated[str, typer.Argument(help=f"One of: {', '.join(NAMES)}.")],
) -> None:
    """Print the JSON schema of a file that is read, or of what `--json` prints."""
    if name == "view":
        from rookery.view import schema

        print_json(schema())
    elif name == "bench":
        from rookery.lab.bench import Bench

        print_json(Bench.model_json_schema())
    elif name == "foresight":
        from rookery.lab.foresight import Foresight

        print_json(Foresight.model_json_schema())
    elif name == "league":
        from rookery.lab.league.report import Leagues

        print_json(Leagues.model_json_schema())
    elif name == "match":
        from rookery.lab.duplicate.result import Result

        print_json(Result.model_json_schema())
    elif name == "odds":
        from rookery.lab.odds.answer import schema as odds_schema

        print_json(odds_schema())
    elif name == "review":
        from rookery.review.document import Review

        print_json(Review.model_json_schema())
    elif name == "rules":
        from rookery.rules import Rules

        print_json(Rules.model_json_schema())
    elif name == "rules-effect":
        from rookery.lab.effect.effect import EffectDocument

        print_json(EffectDocument.model_json_schema())
    elif name == "solve":
        from rookery.solver import Solution

        print_json(Solution.model_json_schema())
    elif name == "study-answer":
        from rookery.lab.studies.run import Document

        print_json(Document.model_json_schema())
    elif name == "study":
        from rookery.lab.studies.file import StudyFile

        print_json(StudyFile.model_json_schema())
    elif name == "verify-deal":
        from rookery.fairness.check import CheckedMatch

        print_json(CheckedMatch.model_json_schema())
    elif name == "train":
        from rookery.learn.report import TrainReport

        print_json(TrainReport.model_json_schema())
    else:
        raise Refused(f"no schema is called {name!r}; expected one of {', '.join(NAMES)}")
