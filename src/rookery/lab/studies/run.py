"""Running a study file: the jobs of all questions are counted together."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, Field

from rookery.lab.duplicate.seeds import Family
from rookery.lab.run.jobs import Executor, Journal, Progress, Sums, run_jobs
from rookery.lab.studies.file import StudyFile
from rookery.lab.studies.question import Answer, Plan, question

if TYPE_CHECKING:
    import polars as pl

WIDTH: Final = 80


@dataclass(frozen=True)
class NamedJob:
    """A job of a question, with a name that is unique among all questions."""

    name: str
    units: int
    chunk: int
    count: Callable[[int, int], Sums]


class Document(BaseModel):
    """The document that ``rookery study FILE --json`` prints."""

    study: str = Field(description="The study's name.")
    boards: int = Field(description="Boards for each rule set.")
    seed: int
    family: Family
    bots: list[str]
    rules: list[str] = Field(description="What the tables call the rule sets.")
    seconds: float = Field(description="How long it took, compiling included.")
    answers: dict[str, dict[str, list[dict[str, Any]]]] = Field(
        description="The rows of every table, by question and by the table's name; null where "
        "there is no figure."
    )


@dataclass(frozen=True)
class Outcome:
    """A finished study; its seconds include compiling, and its answers go by question."""

    study: StudyFile
    plan: Plan
    seconds: float
    answers: Mapping[str, Answer]

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """Return all tables as Polars frames, by name."""
        return {
            name: table for answer in self.answers.values() for name, table in answer.tables.items()
        }

    @property
    def text(self) -> str:
        """Return the report for a terminal."""
        head = f"{self.study.name}: {self.study.about}".rstrip(": ")
        boards = f"{self.plan.boards:,} boards a rule set, seed {self.plan.seed}"
        head = fill(head, WIDTH, break_on_hyphens=False)
        return "\n\n".join((f"{head}\n{boards}", *(one.text for one in self.answers.values())))

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of ``study FILE --json``."""
        return Document(
            study=self.study.name,
            boards=self.plan.boards,
            seed=self.plan.seed,
            family=self.plan.family,
            bots=list(self.plan.bots),
            rules=[setting.label for setting in self.plan.settings],
            seconds=round(self.seconds, 3),
            answers={
                asked: {name: _rows(table) for name, table in answer.tables.items()}
                for asked, answer in self.answers.items()
            },
        ).model_dump(mode="json")

    def files(self) -> dict[str, bytes]:
        """Return the study's files by name: JSON, tables as CSV and Markdown, text, pictures."""
        document = json.dumps(self.as_json(), indent=2, ensure_ascii=False) + "\n"
        made = {"study.json": document.encode(), "report.txt": f"{self.text}\n".encode()}
        for name, table in self.tables.items():
            made[f"{name}.csv"] = table.write_csv().encode()
            made[f"{name}.md"] = markdown(table).encode()
        for answer in self.answers.values():
            made.update(answer.draw())
        return made


def conduct(
    study: StudyFile,
    plan: Plan,
    *,
    executor: Executor | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Run all questions of a study and return the outcome.

    `executor`, `journal` and `progress` are those of `rookery.lab.run.jobs.run_jobs`.

    Raises:
        CannotAsk: a question does not fit the plan.
    """
    began = time.perf_counter()
    questions = {name: question(name) for name in study.questions}
    jobs = {name: one.jobs(plan) for name, one in questions.items()}
    named = [
        NamedJob(f"{name}: {job.name}", job.units, job.chunk, job.count)
        for name, some in jobs.items()
        for job in some
    ]
    sums = run_jobs(named, executor, journal, progress)
    answers = {
        name: one.answer(plan, {job.name: sums[f"{name}: {job.name}"] for job in jobs[name]})
        for name, one in questions.items()
    }
    return Outcome(study, plan, time.perf_counter() - began, answers)


def run_of(study: StudyFile, plan: Plan) -> dict[str, str | int]:
    """Return everything that the answers depend on, for a journal."""
    rules = [[setting.label, setting.rules.hashed_options()] for setting in plan.settings]
    return {
        "study": study.name,
        "questions": " ".join(study.questions),
        "bots": " ".join(plan.bots),
        "rules": sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:12],
        "boards": plan.boards,
        "seed": plan.seed,
        "family": plan.family.value,
    }


def markdown(table: pl.DataFrame) -> str:
    """Return a table in Markdown, numbers to the right, fractions with three places.

    >>> import polars as pl
    >>> print(markdown(pl.DataFrame({"bot": ["papa"], "points": [1.23456]})), end="")
    | bot | points |
    |:---|---:|
    | papa | 1.235 |
    """
    ruler = [":---" if not kind.is_numeric() else "---:" for kind in table.dtypes]
    lines = [table.columns, *([_cell(value) for value in row] for row in table.rows())]
    head, *rest = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join((head, f"|{'|'.join(ruler)}|", *rest)) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return "" if value is None else str(value).replace("|", "\\|")


def _rows(table: pl.DataFrame) -> list[dict[str, Any]]:
    """Return a table's rows for JSON, which has no NaN."""
    import polars as pl
    import polars.selectors as cs

    return table.with_columns(pl.when(cs.float().is_finite()).then(cs.float())).to_dicts()
