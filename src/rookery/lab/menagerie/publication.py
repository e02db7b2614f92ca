"""A study as files: the figures as JSON and CSV, the report, the picture."""

from __future__ import annotations

import csv
import io
import json

from rookery.lab.menagerie.picture import picture
from rookery.lab.menagerie.study import Study
from rookery.lab.menagerie.text import report

COLUMNS = ("table", "trimester", "name", "percent", "ci95", "paper")


def files_of(study: Study) -> dict[str, bytes]:
    """Return the study's files by name: its JSON, a CSV table, the report and the picture."""
    document = json.dumps({**study.as_json(), "seed": study.seed}, indent=2) + "\n"
    return {
        "study.json": document.encode(),
        "figures.csv": _figures(study).encode(),
        "report.txt": report(study).encode(),
        **picture(study),
    }


def _figures(study: Study) -> str:
    """Return a CSV line for each figure, with the paper's figure where it has one."""
    paper = study.papers_figures()
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(
        (key[0], key[1] or "", key[2], f"{mean:.4f}", f"{ci95:.4f}", paper.get(key, ""))
        for key, (mean, ci95) in study.tables.cells()
    )
    return lines.getvalue()
