"""A score sheet in words; and for a spreadsheet, where no name in it is a formula."""

from __future__ import annotations

import csv
import io

import pytest

from rookery.evening.score_sheet import ScoreSheet
from rookery.evening.sheet_text import lines, table
from rookery.evening.tally import Tally
from rookery.rules import load, variant

SHEET = ScoreSheet(variant("kd_tournament"), (Tally(0, 95, points=(60,)),))
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"  # also as wide as they are in East Asia


def test_each_way_in_which_a_hand_can_end_has_its_words() -> None:
    rules = {"base": "kd_tournament", "all_pass": "no_contract", "renege": "penalised"}
    hands = [
        *(Tally(points=(65,)), Tally(0, 80, points=(40, 20), revoked=1), Tally(redealt=True)),
        *(Tally(1, 80, points=(20,)), Tally(1, 80, points=(80,))),
    ]
    sheet, names = ScoreSheet(load(rules), hands, hands=3), ["Ann", "Bob", "Cy", "Dee"]
    assert [" ".join(line.split()) for line in lines(sheet, names)][2:] == [
        *("1 no contract 65 55", "2 80 Ann revoke 40 -80", "3 dealt again - -"),
        *("4 80 Bob made 20 100", "5 80 Bob, after the end 80 -80", "total 125 75"),
        "Ann and Cy have won.",
    ]
    rows = [row[:6] for row in csv.reader(io.StringIO(table(sheet, names)))][1:]
    assert rows == [
        *(["1", "Ann", "", "", "", "65"], ["2", "Bob", "Ann", "80", "", "40"]),
        *(["3", "Cy", "", "", "", ""], ["4", "Cy", "Bob", "80", "made", "20"]),
        ["5", "Dee", "Bob", "80", "set", "80"],
    ]


def test_the_sun_is_called_so() -> None:
    tally = Tally(0, "sun", points=(180, 0), tricks=(10, 0))
    sheet, names = ScoreSheet(variant("five_person_poker"), [tally]), [*"abcde"]
    assert [*lines(sheet, names)][2].split() == ["1", "sun", "a", "made", "180", *"0000"]
    assert list(csv.reader(io.StringIO(table(sheet, names))))[1][3] == "sun"


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
