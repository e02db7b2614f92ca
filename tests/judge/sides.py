"""Who plays with whom."""

from __future__ import annotations

from .pack import Options


def is_fixed(options: Options) -> bool:
    """Return whether partners are fixed by their seats."""
    return str(options["partnership"]).startswith("fixed")


def partners_of(options: Options, seat: int) -> list[int]:
    """Return the seats of a fixed side, rising, the seat itself among them."""
    seats = options["seats"]
    if options["partnership"] == "fixed_alternate_3":
        return [other for other in range(seats) if other % 2 == seat % 2]
    return sorted([seat, (seat + seats // 2) % seats])


def fixed_sides(options: Options, first: int) -> list[list[int]]:
    """Return the fixed sides clockwise, the one of seat `first` in front."""
    seats = options["seats"]
    sides: list[list[int]] = []
    for i in range(seats):
        side = partners_of(options, (first + i) % seats)
        if side not in sides:
            sides.append(side)
    return sides


def everyone_alone(options: Options, first: int) -> list[list[int]]:
    """Return one side for each seat, clockwise from seat `first`."""
    seats = options["seats"]
    return [[(first + i) % seats] for i in range(seats)]


def called_sides(options: Options, declarer: int, holders: list[int]) -> list[list[int]]:
    """Return the declarer with the holders of the called cards, and the others together."""
    ours = sorted({declarer, *holders})
    others = [seat for seat in range(options["seats"]) if seat not in ours]
    return [ours, others] if others else [ours]


def side_of(sides: list[list[int]], seat: int) -> int | None:
    """Return the index of the seat's side; None for a blind dummy."""
    for index, side in enumerate(sides):
        if seat in side:
            return index
    return None
