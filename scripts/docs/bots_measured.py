"""The sections of the bots' page that come from measurements other than ladder and league."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from scripts.docs.bots_kept import Measured, meetings
from scripts.docs.bots_words import table

FAR: Final = 0.03  # a share of contracts made is as good as what was said of it
MANY: Final = 2000  # contracts of a bin


def _of(kept: Mapping[str, Measured], what: str) -> Iterator[tuple[str, Measured]]:
    return ((name, one) for name, one in kept.items() if one.what == what)


def matches(kept: Mapping[str, Measured]) -> str:
    """Return how many whole matches to the target were won, "" where none were kept."""
    rows = [
        (
            f"`{row['rules']}`",
            f"`{row['bots'][0]}`",
            f"`{row['bots'][1]}`",
            f"{row['won']} of {row['games']}",
            f"{100 * row['ci95'][0]:.0f} to {100 * row['ci95'][1]:.0f} %",
        )
        for _, one in _of(kept, "games")
        for row in one.found
    ]
    if not rows:
        return ""
    return (
        "Played to the target, with places changed from one match to the next. The interval is "
        "Wilson's, 95 %.\n\n" + table(("game", "bot", "against", "won", "interval"), rows)
    )


def times(kept: Mapping[str, Measured]) -> str:
    """Return how long decisions take, "" where it was not kept."""
    rows: list[tuple[str, ...]] = []
    for _, one in _of(kept, "speed"):
        decisions = one.found.get("decisions") or {}
        rows += [
            (
                "all" if phase == "all" else f"in the phase `{phase}`",
                f"{found['count']:,}",
                f"{found['mean']:.1f}",
                f"{found['p99']:.1f}",
                f"{found['most']:.1f}",
            )
            for phase, found in decisions.items()
        ]
    if not rows:
        return ""
    return (
        "`expert` with all its rollouts at `kd_tournament`, processor time of one core, in ms. "
        "Scripted bots take millionths of a second.\n\n"
        + table(("decisions", "how many", "mean", "99 of 100 within", "longest"), rows)
    )


def calibration(kept: Mapping[str, Measured]) -> str:
    """Return what was said of contracts against what became of them, "" where it was not kept."""
    parts = [_bins(one.found) for _, one in _of(kept, "calibration")]
    return "\n\n".join(parts)


def _bins(found: Mapping[str, Any]) -> str:
    bins = found["bids"]
    first, last = found["deals"]
    off = [
        one
        for one in bins
        if one["contracts"] >= MANY and abs(one["said"] - one["made"]) > FAR
    ]  # fmt: skip
    many = [one for one in bins if one["contracts"] >= MANY]
    rows = [
        (
            f"{100 * one['from']:.0f} to {100 * one['from'] + 10:.0f} %",
            f"{one['contracts']:,}",
            f"{100 * one['said']:.1f}",
            f"{100 * one['made']:.1f}",
        )
        for one in bins
    ]
    verdict = (
        f"Of the {len(many)} rows with {MANY:,} contracts or more, {len(off)} are more than "
        f"{100 * FAR:.0f} percentage points off."
        if many
        else f"No row has {MANY:,} contracts yet, so the question is open."
    )
    return (
        "When `expert` bids, it states the chance of making the bid. For bids that became the "
        "contract: what it said, and how often the contract was made; "
        f"`{found['rules']}`, {last - first + 1:,} deals.\n\n"
        + table(("said", "contracts", "mean said, %", "made, %"), rows)
        + f"\n\n{verdict}"
    )


def learned(kept: Mapping[str, Measured]) -> str:
    """Return what the network won, "" where nothing was kept."""
    found = _meetings({name: one for name, one in kept.items() if "-learn-" in name})
    if not found:
        return ""
    return (
        "*learned 1* plays its cards by the network, *learned 0* by `club`'s script. *rollouts* is "
        "how many each made, *trust* how many worlds the network's score counted for. "
        "Files before 2026-11-29 are of a smaller network. "
        f"[How the network learns](../design/learning.md) has the conclusions.\n\n{found}"
    )


def others(kept: Mapping[str, Measured]) -> str:
    """Return the meetings that others kept, "" where there are none."""
    found = _meetings({name: one for name, one in kept.items() if "-learn-" not in name})
    if not found:
        return ""
    return f"Measured apart from ladder and league, some with more rollouts.\n\n{found}"


def _meetings(kept: Mapping[str, Measured]) -> str:
    rows = [
        (
            met.bots,
            f"`{met.rules}`",
            f"{met.deals:,}",
            f"{met.points:+.1f}",
            f"{met.low:+.1f} to {met.high:+.1f}",
            {"high": "better", "low": "not better"}.get(met.answer, ""),
            f"`{name}`",
        )
        for name, one in kept.items()
        for met in meetings(one)
    ]
    if not rows:
        return ""
    head = ("bots", "game", "boards", "points a board", "95 % interval", "test says", "file")
    return table(head, rows)
