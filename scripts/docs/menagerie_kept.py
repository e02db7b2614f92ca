"""The Menagerie page's two runs, kept as a file of sums from which every figure follows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from rookery.lab.menagerie.study import Mode, Study
from rookery.lab.menagerie.tally import WIDTH, Sums

FORMAT: Final = "rookery-menagerie/1"


class KeptError(ValueError):
    """A file that does not hold the page's runs. Code: ``bad-results``."""

    code = "bad-results"


def written(studies: Mapping[Mode, Study]) -> str:
    """Return the runs as JSON: the figures for readers, and the sums behind them."""
    runs = {
        mode.value: {
            **{key: value for key, value in study.as_json().items() if key != "seconds"},
            "seed": study.seed,
            "sums": [int(number) for number in study.sums.products],
        }
        for mode, study in studies.items()
    }
    parts = [f"  {json.dumps(mode)}: {json.dumps(run)}" for mode, run in runs.items()]
    head = f'  "format": {json.dumps(FORMAT)}'
    return "{\n" + ",\n".join([head, *parts]) + "\n}\n"


def read(text: str) -> dict[Mode, Study]:
    """Return the runs that `written` wrote.

    Raises:
        KeptError: the text holds none.
    """
    try:
        held: dict[str, Any] = json.loads(text)
        if held["format"] != FORMAT:
            raise KeptError(f"the format is {held['format']!r}; expected {FORMAT!r}")
        return {mode: _study(mode, held[mode.value]) for mode in Mode}
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise KeptError(f"these are not the page's runs: {error!r}") from None


def _study(mode: Mode, run: Mapping[str, Any]) -> Study:
    sums = [int(number) for number in run["sums"]]
    if len(sums) != WIDTH * WIDTH:
        raise KeptError(f"{mode.value}: {len(sums)} sums; expected {WIDTH * WIDTH}")
    return Study(mode, int(run["seed"]), 0.0, Sums(sums))
