"""What every command says of itself fits a terminal, and is cut off nowhere."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from rookery.cli.main import COMMANDS, app

WIDTH = 80


def told(*words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": str(WIDTH)})
    assert done.exit_code == 0
    return done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_eighty_columns_and_ends_its_sentences(name: str) -> None:
    whole = told(name)
    _, _, listed = whole.partition("\nCommands:\n")
    inner = re.findall(r"^  (\S+)  ", listed, re.MULTILINE)
    for text in (whole, *(told(name, one) for one in inner)):
        assert max(map(len, text.splitlines())) <= WIDTH
    said = " ".join(listed.split())
    assert "..." not in said
    for one in inner:
        what = told(name, one).split("\n\n")[1]
        assert " ".join(what.split()) in said
