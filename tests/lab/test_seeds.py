"""Three families of deals that never meet, and a holdout that is looked at once."""

from itertools import pairwise
from pathlib import Path

import pytest

from rookery.bots.names import bots
from rookery.engine.rng import seeded
from rookery.lab.duplicate.holdout import LedgerUnusable, LookedAlready, begin_look
from rookery.lab.duplicate.match import Match
from rookery.lab.duplicate.seeds import BOARDS, Family
from rookery.lab.run.streams import SHARE
from rookery.rules import load
from rookery.rules.table import PLACES


def streams(board: int) -> range:
    """Return the streams that the cards and the dice of a board come from."""
    return range(board * SHARE, board * SHARE + 1 + PLACES)


def test_no_stream_is_in_two_families() -> None:
    ends = [
        (streams(family.first_board).start, streams(family.first_board + BOARDS - 1).stop)
        for family in Family
    ]
    assert all(one[1] <= other[0] for one, other in pairwise(ends))
    assert ends[0][0] == 0
    assert ends[-1][1] <= 1 << 63
    assert len(ends) == 3


def test_a_thousand_boards_of_each_family_share_no_generator() -> None:
    states = {
        seeded(seed, stream)
        for family in Family
        for seed in (1, 2, 1 << 62)
        for board in range(100)
        for stream in streams(family.first_board + board)
    }
    assert len(states) == 3 * 3 * 100 * (1 + PLACES)


# The ledger.


def test_the_holdout_is_looked_at_once(tmp_path: Path) -> None:
    ledger = tmp_path / "new" / "holdout.sqlite"
    begin_look(ledger, "one", "seed 1, 100 deals").done("+3.20, +1.00 to +5.40")
    for asked in ("seed 1, 100 deals", "seed 2, 100 deals"):
        with pytest.raises(LookedAlready, match=r"seed 1, 100 deals: \+3\.20, \+1\.00 to \+5\.40"):
            begin_look(ledger, "one", asked)
    begin_look(ledger, "another", "seed 1, 100 deals").done("0")


def test_an_interrupted_look_goes_on_only_as_it_was_begun(tmp_path: Path) -> None:
    ledger = tmp_path / "holdout.sqlite"
    begin_look(ledger, "one", "seed 1, 100 deals")
    with pytest.raises(LookedAlready, match="interrupted"):
        begin_look(ledger, "one", "seed 2, 100 deals")
    begin_look(ledger, "one", "seed 1, 100 deals").done("0")
    with pytest.raises(LookedAlready):
        begin_look(ledger, "one", "seed 1, 100 deals")


def test_a_ledger_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    broken = tmp_path / "broken.sqlite"
    broken.write_text("this is no database, and long enough to be told from an empty one")
    for path in (tmp_path / "file" / "ledger", broken):
        with pytest.raises(LedgerUnusable, match=path.name):
            begin_look(path, "one", "seed 1")
    assert broken.read_text().startswith("this is no database")


def question(names: str, variant: str = "kd_tournament", seed: int = 1, deals: int = 10) -> str:
    return Match(load(variant), variant, bots(names), deals, seed).question


def test_a_question_is_its_bots_and_its_rules_and_nothing_else() -> None:
    asked = question("papa,karapet")
    assert question("karapet,papa") == asked  # the other way round it shows the same
    assert question("papa,karapet,papa,karapet", seed=5, deals=99) == asked
    one = question("papa,hog,karapet,rabbit")
    assert question("karapet,rabbit,papa,hog") == one
    assert question("papa,karapet,hog,rabbit") != one
    assert question("papa,papa,hog,hog") != question("papa,hog,papa,hog")
    assert len({asked, question("papa,hog"), question("papa,karapet", "display")}) == 3
