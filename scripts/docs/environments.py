"""The tables of docs/design/environments.md, from the figures that are kept.

    python -m scripts.docs.environments

`python -m benchmarks.envs.compare --keep` measures them anew and then writes the page too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
RESULTS: Final = ROOT / "benchmarks" / "results"
PAGE: Final = ROOT / "docs" / "design" / "environments.md"
START: Final = "<!-- Made by `python -m scripts.docs.environments`; measure, or change that. -->"
END: Final = "<!-- The end of what is made. -->"
# What is compared: ours, theirs, and how many times as fast it should be; 0: nothing is asked.
AIMS: Final = (
    ("vector", "open_spiel bridge", 20.0),
    ("vector", "pgx bridge_bidding", 20.0),
    ("pettingzoo", "rlcard bridge", 10.0),
    ("pettingzoo, drawn in Python", "rlcard bridge", 0.0),
    ("pettingzoo, drawn in Python", "pettingzoo leduc_holdem_v4", 1.0),
    ("pettingzoo, drawn in Python", "pettingzoo texas_holdem_v4", 1.0),
    ("pettingzoo, drawn in Python", "pettingzoo texas_holdem_no_limit_v6", 1.0),
    ("open_spiel", "open_spiel python_kuhn_poker", 1.0),
    ("open_spiel", "open_spiel python_liars_poker", 1.0),
)


def latest() -> dict[str, Any]:
    """Return the figures that were kept last."""
    found: dict[str, Any] = json.loads(max(RESULTS.glob("*-envs.json")).read_text("utf-8"))
    return found


def _speed(figures: dict[str, Any]) -> str:
    return f"{figures['per_second']:,}" if "per_second" in figures else "could not run"


def _versions(figures: dict[str, Any]) -> str:
    return ", ".join(f"{name} {version}" for name, version in figures.get("versions", {}).items())


def _compared(result: dict[str, Any]) -> Iterator[str]:
    for ours, theirs, aim in AIMS:
        one, other = result["ours"].get(ours, {}), result["others"].get(theirs, {})
        if "per_second" in one and "per_second" in other:
            times = one["per_second"] / other["per_second"]
            wanted = {0.0: "", 1.0: "ahead"}.get(aim, f"{aim:.0f} times")
            yield f"| {ours} | {theirs} | {times:,.1f} | {wanted} |"


def tables(result: dict[str, Any]) -> str:
    """Return the tables of some figures, as Markdown."""
    loads = ", ".join(map(str, result["load_average"]))
    machine = result["described_as"] or result["machine"]["processor"]
    lines = [
        f"{result['date']}, {machine}, Rookery {result['rookery']}, Python"
        f" {result['machine']['python']}; load average {loads}.",
        "",
        "| Rookery | Decisions a second | Versions |",
        "|---|---:|---|",
        *(f"| {name} | {_speed(f)} | {_versions(f)} |" for name, f in result["ours"].items()),
        "",
        "| Others | Decisions a second | Versions |",
        "|---|---:|---|",
        *(f"| {name} | {_speed(f)} | {_versions(f)} |" for name, f in result["others"].items()),
        "",
        "| Rookery | Beside | Times as fast | Aim |",
        "|---|---|---:|---|",
        *_compared(result),
    ]
    return "\n".join(lines)


def filled(text: str, result: dict[str, Any]) -> str:
    """Return a page with the tables of some figures in it."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n\n{tables(result)}\n\n{END}{after}"


def main() -> None:
    """Write the tables."""
    PAGE.write_text(filled(PAGE.read_text("utf-8"), latest()), "utf-8")


if __name__ == "__main__":
    main()
