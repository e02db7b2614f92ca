"""The Menagerie's rows are the hands that its tables count."""

from __future__ import annotations

import polars as pl
import pytest

from rookery.cards import CARDS, card_name
from rookery.engine.targets import Target
from rookery.lab.menagerie.figures import NAMES
from rookery.lab.menagerie.study import Mode, run_study
from rookery.lab.menagerie.tally import BOOKED, CAST, GAMES, HANDS, PAIRS, THIRDS, TRICKS
from rookery.lab.rows import games as rows_games
from rookery.lab.rows.frames import Frames
from rookery.lab.rows.games import game_rows
from rookery.lab.rows.record import record_of
from rookery.lab.rows.schema import TABLES
from rookery.record import replay
from rookery.rules import load

SEED = 3
PLAYED = 12  # games


def tables_of(mode: Mode, target: Target = "python", games: int = PLAYED) -> Frames:
    found = list(game_rows(mode, games, SEED, target=target))
    return {name: pl.concat([frames[name] for frames in found]) for name in TABLES}


@pytest.mark.parametrize("mode", Mode)
def test_rows_add_up_to_the_tables_of_the_study(mode: Mode) -> None:
    sums = run_study(mode, PLAYED, SEED, threads=1, target="python").sums
    found = tables_of(mode)
    scored = found["hands"].filter(pl.col("ended") == "done")
    assert len(scored) == sums.total({HANDS: 1})
    assert scored["board"].n_unique() == PLAYED
    tricks = (
        found["tricks"]
        .join(scored, on="hand")
        .with_columns(bot=pl.col("bots").list.get(pl.col("winner")))
    )
    for third in range(THIRDS):
        for kind, name in enumerate(NAMES):
            won = tricks.filter((pl.col("trick") // 3 == third) & (pl.col("bot") == name))
            assert len(won) == sums.total({TRICKS + third * CAST + kind: 1})
    assert sums.total({BOOKED + pair: 1 for pair in range(PAIRS)}) <= len(tricks)


@pytest.mark.parametrize("mode", Mode)
def test_the_scores_of_a_game_lead_to_its_winners(mode: Mode) -> None:
    sums = run_study(mode, PLAYED, SEED, threads=1, target="python").sums
    hands = tables_of(mode)["hands"].filter(pl.col("ended") == "done")
    won = dict.fromkeys(NAMES, 0)
    for _, game in hands.group_by("board"):
        totals = [sum(seat) for seat in zip(*game["score"].to_list(), strict=True)]
        top = max(totals)
        for seat, name in enumerate(game["bots"][0]):
            won[name] += totals[seat] == top
    assert won == {name: sums.total({GAMES + kind: 1}) for kind, name in enumerate(NAMES)}


def test_a_game_by_the_rules_replays_to_its_end() -> None:
    found = tables_of(Mode.RULES)
    for game in range(PLAYED):
        hands = found["hands"].filter(pl.col("board") == game)
        match = replay(record_of(hands, found["decisions"], load("kd_tournament")))
        assert match.winners is not None
        assert [hand.score and list(hand.score) for hand in match.hands] == hands["score"].to_list()


def test_the_programs_hands_hold_every_card_once() -> None:
    found = tables_of(Mode.PUBLISHED)
    deck = {card_name(card) for card in range(CARDS)}
    for row in found["hands"].head(20).to_dicts():
        dealt = [card for hand in row["deal"] for card in hand] + row["nest"]
        assert len(dealt) == len(set(dealt)) == 41
        played = found["decisions"].filter(pl.col("hand") == row["hand"])["action"].to_list()
        assert sorted(action.split()[1] for action in played) == sorted(dealt)
        assert {action.split()[0] for action in played} == {"discard", "play"}
        assert set(dealt) < deck


def test_batches_of_any_size_give_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tables_of(Mode.RULES)
    monkeypatch.setattr(rows_games, "BATCH", 1)
    in_small = tables_of(Mode.RULES)
    assert all(whole[name].equals(in_small[name]) for name in TABLES)


@pytest.mark.numba
@pytest.mark.parametrize("mode", Mode)
def test_compiled_code_writes_the_same_rows(mode: Mode) -> None:
    one, other = tables_of(mode, games=3), tables_of(mode, "numba", games=3)
    assert all(one[name].equals(other[name]) for name in TABLES)
