"""The regulars of a table: each figure comes to the same as the score sheet does."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from random import Random

import pytest
from tests.laws.playing import random_action
from tests.server.core.tables import PEOPLE, Sheet, started

from rookery.rules import load
from rookery.server.registry import regulars
from rookery.server.registry.history import History
from rookery.server.registry.played import Statistics, _add_all, finished
from rookery.server.registry.regulars import Regular, regulars_of
from rookery.server.table import commands as cm
from rookery.server.table import events as ev


@lru_cache(maxsize=2)
def an_evening(base: str, target: int, **more: bool) -> Sheet:
    """Return a table with two matches that were played to their end."""
    sheet = started(load({"base": base, "target": target, **more}), seed=5)
    rng = Random(5)
    sheet.play(rng, lambda _: False)
    sheet.say(PEOPLE[0], cm.Rematch("r"))
    sheet.play(rng, lambda _: False)
    return sheet


EVENINGS = [("kd_tournament", 60), ("call_partner_5", 100)]


@pytest.mark.parametrize("game", EVENINGS)
def test_points_are_those_of_the_score_sheets(game: tuple[str, int]) -> None:
    history = an_evening(*game).history
    found = regulars_of(history)
    names = {who.name for who in PEOPLE[: len(history.table.chairs)]}
    assert {one.name for one in found.people} == names
    totals: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    for match in history.matches:
        last = match.hands[-1]
        totals.update(dict(zip(last.players, last.line.totals, strict=True)))
        wins.update(last.players[seat] for seat in match.winners or ())
    for one in found.people:
        assert one.points == totals[one.name] == sum(one.trend)
        assert (one.matches, one.matches_won) == (2, wins[one.name])
        assert len(one.trend) == 2
        assert one.hands == found.hands > 0
    assert found.matches == 2
    assert sum(wins.values()) > 0


@pytest.mark.parametrize("game", EVENINGS)
def test_the_best_hand_is_where_it_is_said_to_be(game: tuple[str, int]) -> None:
    history = an_evening(*game).history
    listed = {one.number: one.listed() for one in finished(history)}
    for one in regulars_of(history).people:
        assert one.best is not None
        where = {number: hand.players.index(one.name) for number, hand in listed.items()}
        scored = {number: listed[number].score[seat] for number, seat in where.items()}
        assert one.best.points == scored[one.best.number] == max(scored.values())
        won = [
            each.hand.line.score[each.hand.line.declarer]
            for each in finished(history)
            if each.hand.line.score and each.hand.line.declarer is not None
            for side in each.hand.sides[:1]
            if where[each.number] in side
        ]
        assert (one.declared, one.made) == (len(won), sum(points > 0 for points in won))


def test_partners_are_those_who_sit_across() -> None:
    found = regulars_of(an_evening(*EVENINGS[0]).history)
    pairs = {frozenset(found.people[at].name for at in one.pair) for one in found.partners}
    assert pairs == {frozenset({"Ann", "Cy"}), frozenset({"Bob", "Dee"})}
    for one in found.partners:
        a, b = (found.people[at] for at in one.pair)
        assert (one.hands, one.points) == (a.hands, a.points) == (b.hands, b.points)
        assert (one.matches, one.matches_won) == (a.matches, a.matches_won)


def test_where_partners_are_called_every_side_counts() -> None:
    history = an_evening(*EVENINGS[1]).history
    found = regulars_of(history)
    sides = [side for one in finished(history) for side in one.hand.sides]
    together: Counter[frozenset[str]] = Counter(
        frozenset((PEOPLE[a].name, PEOPLE[b].name))
        for side in sides
        for a in side
        for b in side
        if a < b
    )
    assert together
    counted = {
        frozenset(found.people[at].name for at in one.pair): one.hands for one in found.partners
    }
    assert counted == together


def test_a_pair_has_what_both_scored_and_won() -> None:
    history = an_evening(*EVENINGS[1], partner_shares_set=False).history
    names = [who.name for who in PEOPLE]
    points: Counter[frozenset[str]] = Counter()
    matches: Counter[frozenset[str]] = Counter()
    wins: Counter[frozenset[str]] = Counter()
    unlike = alone = 0
    for one in finished(history):
        score, winners = one.hand.line.score or (), one.match.winners or ()
        ends = one.hand is one.match.hands[-1]
        for a, b in (pair for side in one.hand.sides for pair in combinations(side, 2)):
            both = frozenset((names[a], names[b]))
            points[both] += (score[a] + score[b]) // 2
            matches[both] += ends
            wins[both] += ends and a in winners and b in winners
            unlike += score[a] != score[b]
            alone += ends and (a in winners) != (b in winners)
    assert unlike
    assert alone
    found = regulars_of(history)
    assert {*points} == {
        frozenset(found.people[at].name for at in one.pair) for one in found.partners
    }
    for pair in found.partners:
        both = frozenset(found.people[at].name for at in pair.pair)
        told = (pair.points, pair.matches, pair.matches_won)
        assert told == (points[both], matches[both], wins[both])


def test_a_bot_is_no_regular_and_the_last_name_is_shown() -> None:
    sheet = started(load("kd_tournament"), people=3, seed=8)
    assert regulars_of(sheet.history).people == []
    rng = Random(8)
    one_hand(sheet, rng)
    sheet.add([ev.Renamed(0, "Annette")])
    for seat in range(3):
        sheet.say(PEOPLE[seat], cm.Next("n"))
    sheet.say(PEOPLE[1], cm.Leave("l"))
    one_hand(sheet, rng)
    found = regulars_of(sheet.history)
    hands = {one.name: one.hands for one in found.people}
    assert hands == {"Annette": 2, "Cy": 2, "Bob": 1}
    assert found.people[-1].name == "Bob"
    assert (found.hands, found.matches) == (2, 0)


def one_hand(sheet: Sheet, rng: Random) -> None:
    """Have the hand under way played at random to its end, whoever sits there."""
    while not sheet.hand.over:
        text = random_action(sheet.hand, rng)
        sheet.add([ev.Acted(int(text.split()[0]), text, "bot")])


def test_the_list_and_the_trend_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    history = an_evening(*EVENINGS[0]).history
    monkeypatch.setattr(regulars, "MOST", 3)
    monkeypatch.setattr(regulars, "TREND", 1)
    found = regulars_of(history)
    whole: list[Regular] = found.people
    assert len(whole) == 3
    assert all(len(one.trend) == 1 for one in whole)
    assert all(at < 3 for one in found.partners for at in one.pair)


def test_a_match_that_goes_on_is_counted_by_its_hands_alone() -> None:
    history = an_evening(*EVENINGS[0]).history
    open_match = replace(history.matches[1], hands=history.matches[1].hands[:-1], winners=None)
    found = regulars_of(History(history.table, (history.matches[0], open_match)))
    assert found.matches == 1
    assert all(one.matches == 1 for one in found.people)


def test_a_contract_is_made_or_defeated() -> None:
    history = an_evening(*EVENINGS[0]).history
    first = history.matches[0]
    won = next(hand for hand in first.hands if hand.line.declarer is not None)
    for made, n, set_back in ((True, 1, 0), (False, 0, 1)):
        alone = replace(first, hands=(replace(won, made=made),), winners=None)
        figures = regulars_of(History(history.table, (alone,))).people
        declaring = {won.players[seat] for seat in won.declaring}
        assert {one.name for one in figures if one.declared} == declaring
        assert {one.made for one in figures if one.declared} == {n}
        sums = Statistics()
        defender = next(one for one, seat in won.people if seat not in won.declaring)
        _add_all(sums, defender, (alone,))
        assert (sums.defended, sums.defeated) == (1, set_back)


def test_the_sun_is_no_bid_of_no_points() -> None:
    (match, *_) = an_evening(*EVENINGS[1]).history.matches
    hand = next(hand for hand in match.hands if hand.declaring and isinstance(hand.line.bid, int))
    (person, _) = next(one for one in hand.people if one[1] in hand.declaring)
    sun = replace(hand, line=hand.line._replace(bid="sun"))
    sums = Statistics()
    _add_all(sums, person, (replace(match, hands=(hand, sun)),))
    assert (sums.declared, sums.bids, sums.bid_total) == (2, 1, hand.line.bid)
