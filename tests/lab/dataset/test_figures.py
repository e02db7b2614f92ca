"""The figures on a datasheet follow from the rows of its tables, computed anew."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import numpy as np
import polars as pl
import pytest
from scipy import stats  # type: ignore[import-untyped]

from rookery.lab.dataset.making import DataSet, make
from rookery.lab.dataset.read import Facts, facts_of, sample, scan
from rookery.lab.run.jobs import Threads
from rookery.lab.studies.question import Setting
from rookery.rules import load


def follow_from(hands: pl.DataFrame, facts: Facts) -> None:
    """Check what facts say of two bots against the hands."""
    first = facts.bots[0]
    margins: dict[int, list[float]] = {}
    contracts: dict[str, list[bool]] = {name: [] for name in facts.bots}
    for hand in hands.iter_rows(named=True):
        scores: dict[bool, list[int]] = {True: [], False: []}
        for name, score in zip(hand["bots"], hand["score"] or [0] * 9, strict=False):
            scores[name == first].append(score)
        margin = fmean(scores[True]) - fmean(scores[False])
        margins.setdefault(hand["board"], []).append(margin)
        if hand["made"] is not None:
            contracts[hand["bots"][hand["declarer"]]].append(hand["made"])
    boards = np.array([fmean(rooms) for rooms in margins.values()])
    assert len(boards) == facts.deals
    assert facts.points_a_board == pytest.approx(boards.mean(), abs=1e-4)
    half = stats.t.ppf(0.975, len(boards) - 1) * stats.sem(boards)
    assert facts.points_a_board_ci95 == pytest.approx(
        (boards.mean() - half, boards.mean() + half), abs=1e-3
    )
    for name, won in contracts.items():
        assert facts.made[name] == (pytest.approx(fmean(won), abs=1e-4) if won else None)
    assert facts.unscored == hands["score"].is_null().sum()


@pytest.mark.parametrize("variant", ["kd_tournament", "call_partner_5", "rook_three_1914"])
def test_the_figures_of_a_data_set_follow_from_its_rows(variant: str, tmp_path: Path) -> None:
    asked = DataSet(Setting(variant, load(variant)), ("papa", "random"), 6, 5)
    facts = make(asked, tmp_path, executor=Threads(1))
    follow_from(scan(tmp_path)["hands"].collect(), facts)


def test_so_do_those_of_the_sample() -> None:
    follow_from(scan(sample())["hands"].collect(), facts_of(sample()))
