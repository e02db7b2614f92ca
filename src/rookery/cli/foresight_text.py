"""What was seen over many records, for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from rookery.cli.output import printable
from rookery.cli.review_text import folded
from rookery.lab.foresight import BEYOND, ENOUGH, Foresight, Watched

NAME = 20
SAID = {
    "too-few": "too few hands to say",
    "nothing": "nothing to see",
    "more": "more than chance explains",
}


def told(found: Foresight) -> Iterator[str]:
    """Yield the lines that tell who chose cards that suit what he could not see."""
    yield typer.style("Play that is better than its information", bold=True)
    yield from folded(_read(found), "")
    yield ""
    yield f"{'':<{NAME}}{'hands':>7}{'cards':>8}{'points a hand':>18}"
    for one in found.players:
        yield _line(one)
    yield ""
    yield from folded(_meaning(found), "")


def _read(found: Foresight) -> str:
    said = f"{_of(found.records, 'record')}, {_of(found.hands, 'hand')} looked at"
    if found.unsuited:
        said += f", {found.unsuited:,} of them with nothing to look at"
    if found.again:
        said += f"; {found.again:,} were there before and count once"
    return f"{said}."


def _of(count: int, unit: str) -> str:
    return f"{count:,} {unit}{'' if count == 1 else 's'}"


def _line(one: Watched) -> str:
    name = f"Seat {one.seat}" if one.name is None else printable(one.name, NAME - 1) or "?"
    figure = "-"
    if one.foresight is not None:
        figure = f"{one.foresight:+.2f}"
        if one.error is not None:
            figure += f" ± {one.error:.2f}"
    return f"{name:<{NAME}}{one.hands:>7,}{one.decisions:>8,}{figure:>18}  {SAID[one.verdict]}"


def _meaning(found: Foresight) -> str:
    others = _of(found.worlds, "other")
    return (
        "Points a hand: by how much more a player's cards gained over the best guess in the true "
        f"hands than in {others} that they could not tell from them, ± the standard error. An "
        "honest player comes out near 0, whether they play well or badly. More than chance "
        f"explains is {BEYOND:.0f} errors above what honest players were measured at, "
        f"{_allowed(found)}in {ENOUGH} hands or more. It is no proof: signals, cards that were "
        "read well, and a partner who sees look the same."
    )


def _allowed(found: Foresight) -> str:
    allowed = {one.allowed for one in found.players if one.allowed is not None}
    return f"{allowed.pop():.1f} points, " if len(allowed) == 1 else ""
