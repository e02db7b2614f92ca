"""A match is repeatable, whoever plays it and wherever, and no illegal action goes unseen."""

import pickle
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from rookery.bots.names import bots
from rookery.bots.player import KernelPlayer, NoAnswer, Player
from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import ACTIONS
from rookery.engine.kernel import kernel
from rookery.engine.state import State
from rookery.engine.targets import Target
from rookery.game import Action, Hand, IllegalAction
from rookery.lab.duplicate.boards import (
    BOARDS,
    BOTS,
    DECISIONS,
    EACH,
    FALLBACKS,
    ILLEGAL,
    ROOM_SQUARES,
    SQUARES,
    TOTAL,
    WIDTH,
    play_room,
)
from rookery.lab.duplicate.by_hand import HandPlayed
from rookery.lab.duplicate.match import LOOK, BadLineup, Match, Played, Stopped, play_match
from rookery.lab.duplicate.result import difference_of, report, result_of
from rookery.lab.duplicate.seeds import Family
from rookery.lab.duplicate.sprt import FEWEST, Sprt
from rookery.lab.run.jobs import Chunk, Counted, InParts, Job, Sums, Threads
from rookery.lab.run.journal import FileJournal
from rookery.lab.stats import interval_of
from rookery.rules import load
from rookery.rules.table import RuleTable

EVERYBODY = "papa,hog,karapet,rabbit"


def match(
    names: str = "papa,karapet",
    variant: str = "kd_tournament",
    deals: int = 40,
    *,
    family: Family = Family.TUNING,
    sprt: Sprt | None = None,
    target: Target = "python",
) -> Match:
    return Match(load(variant), variant, bots(names), deals, 9, family, sprt, target)


def sums_of(what: Match, threads: int = 1) -> tuple[int, ...]:
    return play_match(what, executor=Threads(threads)).sums


# The same everywhere.


@pytest.mark.numba
def test_compiled_and_plain_matches_are_the_same() -> None:
    for names in ("papa,random", "papa,random,random,papa"):
        plain = match(names)
        assert sums_of(plain) == sums_of(replace(plain, target="numba"))


@pytest.mark.numba
def test_any_number_of_threads_is_the_same() -> None:
    long = match("papa,random", deals=9_000, target="numba")
    one, three = (play_match(long, executor=Threads(n)) for n in (1, 3))
    assert one.sums == three.sums
    assert one.track == three.track


@pytest.mark.parametrize(
    ("variant", "names"),
    [
        ("kd_tournament", EVERYBODY),
        ("kd_tournament", "club,random"),
        ("call_partner_6", "club,random"),
        ("rook_two_1914", "random,club"),
        ("circus", "random,random"),
        ("wanamingo", "rabbit,random"),
        ("rook_1906_7", "random,papa"),
    ],
)
def test_a_kernel_bot_that_is_asked_by_hand_scores_the_same(variant: str, names: str) -> None:
    what = match(names, variant, deals=6)
    job = what.job("all")
    by_hand = replace(job, by_hand=True)
    assert by_hand.count(0, 6).tolist() == job.count(0, 6).tolist()


class Watched(Threads):
    """An executor of one that remembers what it was asked to play."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: set[str] = set()

    def work(
        self, jobs: Mapping[str, Job], chunks: Iterator[Chunk]
    ) -> Iterator[tuple[Chunk, Sums]]:
        self.asked |= set(jobs)
        for chunk in chunks:
            self.asked.add(f"{chunk.job} played")
            yield from super().work(jobs, iter([chunk]))


def test_a_journal_takes_a_match_up_again(tmp_path: Path) -> None:
    what = match(deals=120)
    path, watched = tmp_path / "journal", Watched()
    with FileJournal(path, what.run) as journal:
        play_match(replace(what, deals=50), executor=Threads(1), journal=journal)
    with FileJournal(path, what.run) as journal:
        assert play_match(what, executor=watched, journal=journal).sums == sums_of(what)
    played = [job for job in what.stretches() if f"{job.name} played" in watched.asked]
    assert played == [*what.stretches()][2:] != []


def test_slow_bots_are_noted_after_every_board() -> None:
    """Bots that think for seconds lose little when they are stopped, and share out the cores."""
    assert {job.chunk for job in match("expert,club", deals=4).stretches()} == {1}
    assert [job.units for job in match("expert,club", deals=4).stretches()] == [1, 1, 1, 1]
    assert next(match("exec:true,club", deals=1000).stretches()).chunk > 1
    told = replace(match(), told=lambda _: None)  # then all bots are asked, kernels too
    for what, by_hand in ((match(), False), (match("expert,club"), True), (told, True)):
        assert {isinstance(job, InParts) for job in what.stretches()} == {by_hand}


def test_boards_by_hand_can_be_sent_to_another_machine() -> None:
    (job,) = match("expert:rollouts=2:ms=600000,club", deals=1).stretches()
    sent = pickle.loads(pickle.dumps(job))  # noqa: S301  (as a cluster does)
    assert sent == job
    assert sent.count(0, 1).tolist() == job.count(0, 1).tolist()


def test_every_bot_that_is_asked_hears_how_each_hand_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Hand] = []
    told: list[HandPlayed] = []
    monkeypatch.setattr(Player, "finish", lambda _, hand: heard.append(hand))
    play_match(replace(match(deals=2), told=told.append), executor=Threads(1))
    assert len(told) == 4
    assert heard == [one.hand for one in told for _ in range(4)]


@pytest.mark.parametrize(
    ("fault", "illegal"),
    [(NoAnswer("late"), False), (KeyError("x"), False), (IllegalAction("not-held", "x"), True)],
)
def test_a_bot_that_fails_is_answered_for_each_time_and_counted_so(
    fault: Exception, illegal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, asked, failed = KernelPlayer.act, count(), Counter[int]()

    def fails(self: KernelPlayer, hand: Hand) -> Action:
        if next(asked) % 3:
            return act(self, hand)
        failed[hand.to_act or 0] += 1
        raise fault

    told: list[HandPlayed] = []
    monkeypatch.setattr(KernelPlayer, "act", fails)
    what = replace(match(EVERYBODY, deals=2), told=told.append)
    result = result_of(play_match(what, executor=Threads(1)))
    seats, of_bots = Counter[int](), Counter[str]()
    for one in told:
        seats.update(dict(enumerate(one.fallbacks)))
        of_bots.update(dict(zip(map(str, one.bots), one.fallbacks, strict=True)))
    assert seats == failed
    assert of_bots == dict(zip(result.seats, result.fallbacks, strict=True))
    assert result.illegal == (sum(result.fallbacks) if illegal else 0)


def test_families_of_deals_are_different_deals() -> None:
    results = {family: sums_of(match(family=family)) for family in Family}
    assert len(set(results.values())) == 3


@pytest.mark.parametrize("count", [1, 3, 5])
def test_a_line_up_of_another_size_is_refused(count: int) -> None:
    with pytest.raises(BadLineup, match=r"kd_tournament; expected 2, .*or 4, one a seat"):
        match(",".join(["papa"] * count))


# What it says.


def test_the_interval_is_that_of_the_boards() -> None:
    what = match(deals=60)
    played = play_match(what, executor=Threads(1))
    rows = [int(what.job("all").count(board, 1)[1]) for board in range(60)]
    expected = interval_of(60, sum(rows), sum(row * row for row in rows), 2)
    assert difference_of(played) == expected
    hands = interval_of(120, played.sums[TOTAL], played.sums[ROOM_SQUARES], 1)
    assert hands.mean == pytest.approx(expected.mean)
    assert hands.ci95 > 1.2 * expected.ci95


def planted(results: Sequence[int]) -> Played:
    """Return a match as if its boards had come out so, in points a board."""
    sums = [0] * WIDTH
    sums[BOARDS] = len(results)
    sums[TOTAL] = 2 * sum(results)
    sums[SQUARES] = 4 * sum(result * result for result in results)
    return Played(match(deals=len(results)), tuple(sums), (), 0.0)


def test_a_few_boards_that_are_alike_by_chance_have_no_interval() -> None:
    result = result_of(planted([15, 15]))
    assert (result.difference.mean, result.difference.ci95) == (15, None)
    told = " ".join(report(result).split())
    assert "+15.00 points on each of these 2 deals, which gives no interval" in told
    level = result_of(planted([0, 0]))
    assert level.difference.ci95 == (0, 0)


def test_so_many_deals_as_it_says_show_the_gap_nine_times_in_ten() -> None:
    results = [-40, 50] * 50  # 5 points a board
    told = " ".join(report(result_of(planted(results))).split())
    deals = int(
        re.findall(r"about ([\d,]+) deals would show it nine times", told)[0].replace(",", "")
    )
    drawn = np.random.default_rng(1).choice(results, (4000, deals))
    least = drawn.mean(axis=1) - 1.96 * drawn.std(axis=1, ddof=1) / deals**0.5
    assert 0.88 < (least > 0).mean() < 0.92


def test_with_two_sides_the_difference_is_that_of_the_points() -> None:
    for names in ("papa,karapet", EVERYBODY):
        result = result_of(play_match(match(names), executor=Threads(1)))
        first, second = result.points_per_hand[:2]
        assert result.difference.mean == pytest.approx(first - second, abs=2e-4)
    assert result.hands_played == 4 * result.deals


def test_every_action_is_counted_and_none_is_illegal() -> None:
    result = result_of(play_match(match("club,random"), executor=Threads(1)))
    # A hand has 36 cards to play, 5 to discard, a trump call and four calls of an auction at least.
    assert result.decisions >= result.hands_played * (36 + 5 + 1 + 4)
    assert (result.illegal, result.fallbacks) == (0, [0, 0])


# A bot that breaks the rules.


@kernel
def cheating_card(table: RuleTable, s: State, m: SeatInfo, kind: int) -> int:
    """Leads what it should and follows with nonsense: no card, a far-off number, any card."""
    if s.led < 0:
        return m.cards.bit_length() - 1
    return (-1, 1 << 40, 60, 3)[s.tricks % 4]


@kernel
def cheating_call(table: RuleTable, s: State, m: SeatInfo, kind: int) -> int:
    return ACTIONS + 5


def plant(monkeypatch: pytest.MonkeyPatch, name: str, cheat: Callable[..., int]) -> None:
    monkeypatch.setitem(play_room.__globals__, name, cheat)


@pytest.mark.parametrize(
    ("name", "cheat"), [("decide", cheating_call), ("decide_card", cheating_card)]
)
def test_an_illegal_action_is_counted_and_answered_for(
    name: str, cheat: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, name, cheat)
    result = result_of(play_match(match("papa,karapet", deals=10), executor=Threads(1)))
    assert result.hands_played == 20
    assert result.illegal == sum(result.fallbacks) > 100
    if name == "decide":  # every action before the play
        assert result.illegal == result.decisions - 20 * 36


def test_the_cheat_is_found_whoever_sits_next_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    original = play_room.__globals__["decide_card"]
    cheat = bots("hog")[0].kernel

    def only_hog(table: RuleTable, s: State, m: SeatInfo, kind: int) -> int:
        found: int = (cheating_card if kind == cheat else original)(table, s, m, kind)
        return found

    plant(monkeypatch, "decide_card", only_hog)
    sums = sums_of(match("papa,hog,karapet,rabbit", deals=4))
    counts = [sums[BOTS + EACH * seat + ILLEGAL] for seat in range(4)]
    assert counts[1] > 50
    assert [counts[0], *counts[2:]] == [0, 0, 0]
    assert sums[BOTS + EACH + FALLBACKS] == counts[1] < sums[DECISIONS]


# A sequential test.


def test_a_match_ends_when_the_test_knows() -> None:
    what = match("papa,random", deals=3000, sprt=Sprt(0, 40))
    played = play_match(what, executor=Threads(1))
    result = result_of(played)
    assert result.test is not None
    assert result.test.answer == "high"
    assert result.test.unlike == played.track[-1][-1] >= FEWEST
    assert result.deals == len(played.track) * LOOK < 3000
    # What was played beyond that does not count: the same deals without a test say the same.
    plain = play_match(replace(what, sprt=None, deals=result.deals), executor=Threads(1))
    assert plain.sums == played.sums
    assert all(
        what.sprt.answer(what.sprt.ratio(*point, what.scale)) is None
        for point in played.track[:-1]
        if what.sprt
    )


@pytest.mark.parametrize("looks", [0, 1, 5])
def test_a_match_that_is_stopped_says_what_its_looks_in_order_said(
    looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped while later stretches were played and the one after so many looks was not."""
    what = replace(match(deals=1000, sprt=Sprt(10, 20)), seed=1)
    whole = play_match(what, executor=Threads(1))
    known, knows = result_of(whole).test, len(whole.track)
    assert 1 < knows < 5

    def stops(batch: Sequence[Job], *_: object, so_far: dict[str, Counted]) -> dict[str, Sums]:
        for number, job in enumerate(batch[:6]):
            if number != looks:
                so_far[job.name] = Counted([(0, LOOK)], job.count(0, LOOK))
        raise KeyboardInterrupt

    monkeypatch.setattr("rookery.lab.duplicate.match.run_jobs", stops)
    with pytest.raises(Stopped) as found:
        play_match(what)
    stopped = result_of(found.value.played)
    assert stopped.test is not None
    for said, told in ((result_of(whole), False), (stopped, True)):
        assert said.stopped == report(said).startswith("Stopped; what was played") == told
    if looks < knows:
        assert stopped.test.answer is None
        assert found.value.played.track == whole.track[:looks]
        assert stopped.deals == 5 * LOOK  # the points are those of all that was played
    else:
        assert found.value.played.sums == whole.sums
        assert (stopped.test, stopped.deals) == (known, knows * LOOK)


def test_a_test_that_knows_ends_however_many_deals_there_are() -> None:
    what = match("papa,random", deals=10**12, sprt=Sprt(0, 20))
    assert play_match(what, executor=Threads(1)).track[-1][0] < 10**4


def test_a_test_that_never_knows_ends_with_the_deals() -> None:
    what = match("papa,papa", deals=120, sprt=Sprt(-1, 1))
    result = result_of(play_match(what, executor=Threads(1)))
    assert result.test is not None
    assert (result.deals, result.test.answer, result.test.ratio) == (120, None, 0)
    said = " ".join(report(result).split())
    assert "does not know yet after 120 deals. It waits for 40 that do not end level" in said
    assert f"there were {result.test.unlike}." in said


def test_a_test_waits_for_boards_that_tell_two_bots_apart() -> None:
    """Level on every board, two bots may still be apart on others."""
    what = match("papa,papa", deals=200, sprt=Sprt(0, 1))
    result = result_of(play_match(what, executor=Threads(1)))
    assert result.test is not None
    assert (result.deals, result.test.answer, result.test.unlike) == (200, None, 0)


def test_the_answer_does_not_depend_on_the_threads() -> None:
    what = match("papa,karapet", deals=400, sprt=Sprt(0, 20))
    parts: Sequence[Played] = [play_match(what, executor=Threads(n)) for n in (1, 2)]
    assert parts[0].track == parts[1].track
