"""The league's cells put together: a cross table for each game."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.ladder.cells import Cell

from rookery.lab.duplicate.boards import sides_of
from rookery.lab.league.league import Outcome, Standing, standing

FEW = 2  # boards without which a meeting says nothing


def names_of(cells: Sequence[Cell]) -> tuple[str, ...]:
    """Return the bots that met, the floor first, in the order in which they entered."""
    return tuple(dict.fromkeys(name for cell in cells for name in reversed(cell.bots)))


def standings(cells: Sequence[Cell]) -> list[Standing]:
    """Return what the league comes to at each game where every two bots have met."""
    games = dict.fromkeys(cell.rules for cell in cells)
    found = (_standing([cell for cell in cells if cell.rules == rules]) for rules in games)
    return [one for one in found if one is not None]


def _standing(cells: Sequence[Cell]) -> Standing | None:
    names = names_of(cells)
    if any(cell.boards < FEW for cell in cells):
        return None
    met = {(names.index(cell.bots[0]), names.index(cell.bots[1])): cell for cell in cells}
    many = sides_of(cells[0].setting.table) > 2
    outcomes = {(i, j): _outcome(cell) for (i, j), cell in met.items() if many or (j, i) not in met}
    return standing(
        cells[0].setting, names, min(cell.boards for cell in cells), outcomes, cells[0].seed
    )


def _outcome(cell: Cell) -> Outcome:
    return Outcome(
        cell.points, cell.won, cell.level, cell.lost, cell.decisions, cell.illegal
    )  # fmt: skip


def by_place(tables: Sequence[Standing]) -> list[str]:
    """Return the bots of leagues with floor and ceiling, those with the best places first."""
    totals: dict[str, float] = {}
    for one in tables:
        if (found := one.places) is not None:
            for name, place in zip(one.bots, found[0], strict=True):
                totals[name] = totals.get(name, 0.0) + float(place)
    return sorted(totals, key=lambda name: -totals[name])
