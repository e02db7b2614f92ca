"""A score sheet for a spreadsheet: no name in it is a formula."""

from __future__ import annotations

import csv
import io

import pytest

from rookery.evening.score_sheet import ScoreSheet
from rookery.evening.sheet_text import table
from rookery.evening.tally import Tally
from rookery.rules import variant

SHEET = ScoreSheet(variant("kd_tournament"), (Tally(0, 95, points=(60,)),))
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"  # also as wide as they are in East Asia


@pytest.mark.parametrize("sign", ["", *SIGNS])
def test_no_name_is_a_formula(sign: str) -> None:
    name = f"{sign}1+1"
    rows = list(csv.reader(io.StringIO(table(SHEET, [name, "Bob", "Cy", "Dee"]))))
    named = [cell for row in rows for cell in row if name in cell]
    assert len(named) == 4  # a score, a total, the dealer, the declarer
    assert all(cell.startswith("'") == bool(sign) for cell in named)
    assert [row[5] for row in rows[1:]] == ["-95"]  # a score stays a number


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", ["a;", "a; ", ";", 'a;"'])
def test_nor_is_its_end_where_a_spreadsheet_divides_by_semicolons(before: str, sign: str) -> None:
    name = f"{before}{sign}1+1"  # as in Spain
    text = table(SHEET, [name, "Bob", "Cy", "Dee"], language="es")
    cells = [cell for row in csv.reader(io.StringIO(text), delimiter=";") for cell in row]
    assert sum(f"{sign}1+1" in cell for cell in cells) == 4
    assert not [cell for cell in cells if cell.lstrip().startswith(sign)]
