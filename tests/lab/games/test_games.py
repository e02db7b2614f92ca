"""Whole matches: mirrored, to the target, the same whoever plays them and wherever."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from math import sqrt
from pathlib import Path

import pytest

from rookery.bots.names import bots
from rookery.game import Match
from rookery.lab.duplicate.boards import BOTS, DECISIONS, EACH, FALLBACKS
from rookery.lab.duplicate.by_hand import HandPlayed
from rookery.lab.duplicate.match import Match as Meeting
from rookery.lab.duplicate.match import Stopped
from rookery.lab.duplicate.seeds import Family
from rookery.lab.games import games
from rookery.lab.games.games import (
    DEALS,
    GAMES,
    HANDS,
    SETS,
    SHARED,
    UNDECIDED,
    WHOLE,
    WON,
    WON_SQUARES,
)
from rookery.lab.games.result import series_report, series_result, share_of
from rookery.lab.games.series import UnevenGames, job_of, play_series, run_of, series_of
from rookery.lab.run.jobs import Chunk, Job, Sums, Threads
from rookery.lab.run.journal import FileJournal
from rookery.record import of_hand
from rookery.rules import load

VARIANTS = ("kd_tournament", "call_partner_5", "wanamingo", "rook_two_1914", "one_low_180")


def series(
    names: str = "club,papa",
    variant: str = "kd_tournament",
    games: int = 4,
    **more: object,
) -> Meeting:
    made = Meeting(load(variant), variant, bots(names), games, 3, target="python")
    return replace(series_of(made), **more)  # type: ignore[arg-type]


def games_of(variant: str) -> int:
    return series(variant=variant, games=60).rooms


@pytest.mark.parametrize("variant", VARIANTS)
def test_asked_by_hand_the_same_bots_come_to_the_same_sums(variant: str) -> None:
    job = job_of(series("club,random", variant, games_of(variant)))
    assert replace(job, by_hand=True).count(0, 1).tolist() == job.count(0, 1).tolist()


@pytest.mark.numba
def test_compiled_games_are_the_same() -> None:
    plain = series("papa,rabbit", games=12)
    compiled = replace(plain, target="numba")
    found = [play_series(one, executor=Threads(2)).sums for one in (plain, compiled)]
    assert found[0] == found[1]


def hands_of(asked: Meeting) -> tuple[list[HandPlayed], tuple[int, ...]]:
    told: list[HandPlayed] = []
    watched = replace(asked, told=told.append)
    return told, play_series(watched, executor=Threads(1)).sums


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_game_is_a_match_that_somebody_wins_at_its_last_hand(variant: str) -> None:
    """Played again, hand after hand, as a table plays a match."""
    asked = series("club,papa", variant, games_of(variant))
    told, sums = hands_of(asked)
    played: dict[int, list[HandPlayed]] = defaultdict(list)
    for hand in told:
        played[hand.room].append(hand)
    assert len(played) == sums[GAMES] == asked.rooms
    won = 0.0
    for room, hands in played.items():
        again = Match(load(variant))
        for number, one in enumerate(hands):
            assert again.winners is None
            assert one.number == number
            assert again.dealer == one.hand.dealer
            record = of_hand(one.hand)
            again = again.deal(record.deal or [], record.nest).act_all(one.hand.actions)
            assert again.totals == one.totals
        assert again.winners is not None
        sides = {asked.table.partners[seat] for seat in again.winners}
        won += (room in again.winners) / len(sides)
    assert sums[WON] == pytest.approx(WHOLE * won)
    assert (sums[SETS], sums[UNDECIDED]) == (1, 0)
    assert sums[HANDS] == len(told)


def test_the_rooms_of_a_set_have_the_same_cards_and_no_two_sets_have() -> None:
    told, _ = hands_of(series(games=4))
    deals = {(one.unit, one.room, one.number): one.hand.dealt for one in told}
    shared = [key for key in deals if key[1] == 1 and (key[0], 0, key[2]) in deals]
    assert len(shared) > 5
    assert all(deals[key] == deals[key[0], 0, key[2]] for key in shared)
    firsts = {one.hand.dealt for one in told if one.room == 0}
    assert len(firsts) == len([one for one in told if one.room == 0])
    seats = {(one.room, tuple(map(str, one.bots))) for one in told}
    assert seats == {(0, ("club", "papa") * 2), (1, ("papa", "club") * 2)}


def test_equal_bots_win_every_set_by_half() -> None:
    """The games of a set mirror each other, so that luck with the cards is nobody's."""
    sums = play_series(series("hog,hog", games=10), executor=Threads(1)).sums
    assert sums[WON] == 5 * WHOLE
    assert sums[WON_SQUARES] == 5 * WHOLE * WHOLE
    result = series_result(play_series(series("hog,hog", games=10), executor=Threads(1)))
    assert result.won.mean == 0.5


def test_a_game_that_nobody_wins_ends_and_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "DEALS", 2)
    job = job_of(series("random,random", games=4))
    sums = job.count(0, 2)
    assert sums[UNDECIDED] == sums[SHARED] == sums[GAMES] == 4
    assert (sums[HANDS], sums[WON]) == (8, 2 * WHOLE)
    by_hand = replace(job, by_hand=True).count(0, 2)
    assert by_hand.tolist() == sums.tolist()


def test_families_play_other_games() -> None:
    assert all(family.first_board % DEALS == 0 for family in Family)
    found = {
        family: play_series(series(family=family), executor=Threads(1)).sums for family in Family
    }
    assert len({sums[DECISIONS] for sums in found.values()}) == 3


def test_games_that_cannot_be_mirrored_are_refused() -> None:
    with pytest.raises(UnevenGames, match="7 games of kd_tournament: expected a multiple of 2"):
        series(games=7)
    assert series("club,papa,hog,rabbit", games=8).rooms == 4


def test_a_journal_takes_games_up_again(tmp_path: Path) -> None:
    asked = series(games=8)
    whole = play_series(asked, executor=Threads(1)).sums
    path = tmp_path / "journal"
    with FileJournal(path, run_of(asked)) as journal, pytest.raises(Stopped) as stopped:
        play_series(asked, executor=Stopping(), journal=journal)
    partial = series_result(stopped.value.played)
    assert (partial.stopped, partial.games) == (True, 4)
    assert series_report(partial).startswith("Stopped; what was played until then:\n")
    with FileJournal(path, run_of(asked)) as journal:
        assert journal.counted("games").units == 2
        assert play_series(asked, executor=Threads(1), journal=journal).sums == whole


class Stopping(Threads):
    """An executor that somebody stops after two chunks."""

    def work(
        self, jobs: Mapping[str, Job], chunks: Iterator[Chunk]
    ) -> Iterator[tuple[Chunk, Sums]]:
        yield from islice(super().work(jobs, chunks), 2)
        raise KeyboardInterrupt


# The interval.


def covered(share: float, sets: int, tries: int, *, mirrored: float, seed: int = 1) -> float:
    """Return how often the interval has the true share, in drawn series.

    `mirrored` is how often the two games of a set are decided by the cards: then each side wins the
    game in which it has the better ones.
    """
    dice = random.Random(seed)
    p = (share - mirrored / 2) / (1 - mirrored)
    inside = 0
    for _ in range(tries):
        won = squares = 0
        for _ in range(sets):
            if dice.random() < mirrored:
                one = WHOLE
            else:
                one = WHOLE * ((dice.random() < p) + (dice.random() < p))
            won += one
            squares += one * one
        low, high = share_of(sets, won, squares, 2).ci95
        inside += low <= share <= high
    return inside / tries


CASES = [(share, mirrored) for share in (0.5, 0.7, 0.9) for mirrored in (0.0, 0.15)]


@pytest.mark.parametrize("sets", [10, 100])
@pytest.mark.parametrize(("share", "mirrored"), CASES)
def test_the_interval_has_the_truth_in_95_of_100_series(
    share: float, mirrored: float, sets: int
) -> None:
    tries = 2_000
    found = covered(share, sets, tries, mirrored=mirrored)
    assert found > 0.95 - 4 * sqrt(0.95 * 0.05 / tries)


def test_without_the_two_sets_that_are_added_it_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: Student's interval alone, of a side that nearly always wins."""
    assert covered(0.95, 10, 1_000, mirrored=0.0) > 0.93

    def alone(sets: int, won: int, squares: int, rooms: int) -> object:
        mean = won / (WHOLE * rooms) / sets
        spread = max(0.0, squares / (WHOLE * rooms) ** 2 - sets * mean * mean) / (sets - 1)
        half = 2.26 * sqrt(spread / sets)

        class Found:
            ci95 = (mean - half, mean + half)

        return Found

    monkeypatch.setitem(covered.__globals__, "share_of", alone)
    assert covered(0.95, 10, 1_000, mirrored=0.0) < 0.8


def test_where_more_than_two_sides_play_the_report_says_what_an_even_share_is() -> None:
    asked = Meeting(load("rook_three_1914"), "three", bots("papa,hog"), 3, target="python")
    result = series_result(play_series(series_of(asked), executor=Threads(1)))
    assert result.even == 0.3333
    assert "An even share is 33.3 %." in " ".join(series_report(result).split())
    two = series_result(play_series(series(games=2), executor=Threads(1)))
    assert (two.even, "even share" in series_report(two)) == (0.5, False)


def test_games_that_nobody_had_won_are_told_apart_from_those_that_several_won() -> None:
    result = series_result(play_series(series(games=2), executor=Threads(1)))

    def said(shared: int, undecided: int) -> str:
        told = result.model_copy(update={"shared": shared, "undecided": undecided})
        return " ".join(series_report(told).split())

    for several, nobody in ((0, 0), (2, 0), (0, 3), (2, 3)):
        words = said(several + nobody, nobody)
        assert (f"Several sides won {several} of them together" in words) == (several > 0)
        assert (f"Nobody had won {nobody} of them after" in words) == (nobody > 0)


def test_nobody_is_answered_for() -> None:
    sums = play_series(series(games=4), executor=Threads(1)).sums
    assert [sums[BOTS + EACH * who + FALLBACKS] for who in range(4)] == [0] * 4
