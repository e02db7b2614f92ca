"""The odds, against every deal of small decks, dealt one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest  # type: ignore[import-untyped]

from rookery.cards import ROOK, pack_cards, parse_card, unpack
from rookery.lab.odds.chances import Question, TooMany, count
from rookery.lab.odds.hand import Way, look, nest_odds, parse_cards, partner_trumps, split_odds
from rookery.lab.odds.unseen import OddsError, Place, Unseen, seat_names
from rookery.rules import Rules, load
from rookery.rules.chances import at_least, exactly
from rookery.rules.table import compile_rules

SMALL = {"ranks": [5, 10, 14], "ones": "absent", "hand_size": 3, "nest_size": 1}
GAMES: dict[str, dict[str, Any]] = {
    "partners": {"base": "kd_tournament", **SMALL},
    "called": {"base": "call_partner_4", **SMALL, "bid_maximum": 140},
    "rook in red": {"base": "low_card_no_trump", **SMALL, "bid_maximum": 120},
    "thrown in": {
        **{"base": "kd_tournament", **SMALL, "ranks": [5, 7, 8]},
        **{"redeal": "auto", "bid_minimum": 10, "bid_maximum": 40},
    },
}


def game(name: str) -> Rules:
    return load(GAMES[name])


def seen(rules: Rules, hand: str, **known: Any) -> Unseen:  # noqa: ANN401
    return look(rules, parse_cards(hand, rules, "--hand"), **known)


def ways_to_deal(cards: list[int], sizes: list[int]) -> Iterator[list[int]]:
    """Yield every way of laying cards into places of these sizes, as sets."""
    if not sizes:
        yield []
        return
    for some in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in some]
        for others in ways_to_deal(rest, sizes[1:]):
            yield [pack_cards(some), *others]


def possible(unseen: Unseen) -> list[list[int]]:
    sizes = [place.size for place in unseen.places]
    deals = ways_to_deal(list(unpack(unseen.cards)), sizes)
    return [
        deal
        for deal in deals
        if not any(hand & place.closed for hand, place in zip(deal, unseen.places, strict=True))
    ]


def shares(outcomes: list[Any]) -> dict[Any, Fraction]:
    return {value: Fraction(n, len(outcomes)) for value, n in Counter(outcomes).items()}


TRICK = [parse_card(name) for name in ("B5", "B10", "B14", "RK")]
Known = tuple[str, str, dict[str, Any]]
SITUATIONS: list[Known] = [
    ("partners", "R14 G5 B10", {"trump": "red"}),
    ("partners", "R14 G5 RK", {"trump": "green", "voids": ["left red"]}),
    ("partners", "R14 G5 RK", {"trump": "black", "voids": ["left red", "partner green"]}),
    ("partners", "R14 G5 B10", {"trump": "red", "voids": ["right trump", "partner yellow"]}),
    ("partners", "R14 G5 B10 Y5", {"trump": "red"}),
    ("partners", "R14 G5 B10", {"trump": "red", "nest": [parse_card("Y10")]}),
    ("partners", "R14 G5 B10", {"trump": "red", "declarer": "left"}),
    ("partners", "R14 G5 B10", {"trump": "yellow", "declarer": "partner", "voids": ["left red"]}),
    ("partners", "R14 G5", {"trump": "red", "declarer": "partner", "played": TRICK}),
    ("partners", "R14 G5", {"trump": "red", "nest": [parse_card("Y10")], "played": TRICK}),
    ("rook in red", "R14 G5 B10", {"trump": "notrump"}),
    ("rook in red", "R14 G5 B10", {"trump": "red-low", "voids": ["left green"]}),
]


@pytest.mark.parametrize(("name", "hand", "known"), SITUATIONS)
def test_splits_agree_with_dealing_every_deal(name: str, hand: str, known: dict[str, Any]) -> None:
    unseen = seen(game(name), hand, **known)
    deals = possible(unseen)
    for suit in ("red", "green", "trump"):
        cards = unseen.suit(suit)
        expected = shares([tuple((cards & part).bit_count() for part in deal) for deal in deals])
        answer = split_odds(unseen, suit)
        assert answer.method == "exact"
        found = {tuple(row.cards): Fraction(row.chance.fraction or 0) for row in answer.splits}
        assert found == expected
        assert sum(Fraction(row.chance.fraction or 0) for row in answer.shapes) == 1


@pytest.mark.parametrize(("name", "hand", "known"), SITUATIONS[:10])
def test_partners_trumps_agree_with_dealing_every_deal(
    name: str, hand: str, known: dict[str, Any]
) -> None:
    unseen = seen(game(name), hand, **known)
    trumps = unseen.suit("trump")
    held = [(deal[1] & trumps).bit_count() for deal in possible(unseen)]
    answer = partner_trumps(unseen)
    for row in answer.chances:
        assert row.exactly.fraction == str(Fraction(held.count(row.count), len(held)))
        more = sum(number >= row.count for number in held)
        assert row.at_least.fraction == str(Fraction(more, len(held)))
    assert {row.count for row in answer.chances} == set(held)
    assert answer.average.mean == pytest.approx(sum(held) / len(held))


@pytest.mark.parametrize("known", ["Y10 G14", "R10 B5 RK", "R5 R10 Y5 Y10 B14"])
@pytest.mark.parametrize("way", [Way(), Way(samples=2_000)])
def test_cards_of_the_nest_that_the_declarer_took_are_theirs(known: str, way: Way) -> None:
    rules = load({**GAMES["partners"], "hand_size": 2, "nest_size": 5})
    nest = parse_cards(known, rules, "--nest")
    asked: dict[str, Any] = {"trump": "red", "nest": nest, "declarer": "partner"}
    unseen = seen(rules, "R14 G5", **asked)
    trumps = unseen.suit("trump")
    shown = (trumps & pack_cards(nest)).bit_count()
    held = [shown + (deal[1] & trumps).bit_count() for deal in possible(unseen)]
    answer = partner_trumps(unseen, way=way)
    assert answer.partner == "partner and the nest"
    assert {row.count for row in answer.chances} == set(held)
    if way.samples:
        assert answer.average.mean == pytest.approx(sum(held) / len(held), abs=0.1)
        return
    for row in answer.chances:
        assert row.exactly.fraction == str(Fraction(held.count(row.count), len(held)))
    # Of the suit, a split has only what has not been seen.
    split = split_odds(unseen, "trump")
    assert {sum(row.cards) for row in split.splits} == {len(split.cards)}
    with pytest.raises(OddsError, match="they may have discarded that suit"):
        seen(rules, "R14 G5", voids=["partner yellow"], **asked)


@pytest.mark.parametrize("called", ["B14", "G10"])
@pytest.mark.parametrize("voids", [[], ["left black"]])
def test_the_called_partner_is_whoever_holds_the_card(called: str, voids: list[str]) -> None:
    unseen = seen(game("called"), "R14 G5 B10", trump="black", voids=voids)
    card, trumps = parse_card(called), unseen.suit("trump")
    held = [
        (hand & trumps).bit_count()
        for deal in possible(unseen)
        for hand in deal[:3]
        if hand >> card & 1
    ]
    answer = partner_trumps(unseen, card)
    found = {row.count: Fraction(row.exactly.fraction or 0) for row in answer.chances}
    assert found == shares(held)


@pytest.mark.parametrize(("hand", "nest"), [("R14 G5 B10", 1), ("R14 G5", 5)])
def test_the_nest_agrees_with_dealing_every_deal(hand: str, nest: int) -> None:
    size = len(hand.split())
    rules = load({**GAMES["partners"], "hand_size": size, "nest_size": nest})
    unseen = seen(rules, hand)
    values = compile_rules(rules).value
    nests = [list(unpack(deal[-1])) for deal in possible(unseen)]
    points = [sum(values[card] for card in cards) for cards in nests]
    answer = nest_odds(unseen)
    worthy = sum(any(values[card] for card in cards) for cards in nests)
    assert answer.counter.fraction == str(Fraction(worthy, len(nests)))
    assert answer.rook is not None
    assert answer.rook.fraction == str(Fraction(sum(ROOK in n for n in nests), len(nests)))
    for row in answer.points:
        more = sum(number >= row.points for number in points)
        assert row.at_least.fraction == str(Fraction(more, len(nests)))
    assert answer.average.mean == pytest.approx(sum(points) / len(points))


def test_who_lacks_trumps_lacks_the_rook_although_it_need_not_follow() -> None:
    unseen = seen(game("partners"), "R14 G5 B10", trump="red", voids=["right trump"])
    assert unseen.table.any_time[unseen.trump_row] >> ROOK & 1
    assert unseen.places[unseen.place("right")].closed == unseen.suit("red")
    assert unseen.suit("red") >> ROOK & 1


def test_a_deal_that_is_thrown_in_does_not_count() -> None:
    rules = game("thrown in")
    unseen = seen(rules, "R5 G7 B8", trump="red")
    counters = compile_rules(rules).counters
    deals = [deal for deal in possible(unseen) if all(hand & counters for hand in deal[:3])]
    assert len(deals) < len(possible(unseen))
    trumps = unseen.suit("trump")
    expected = shares([(deal[1] & trumps).bit_count() for deal in deals])
    answer = partner_trumps(unseen)
    assert {r.count: Fraction(r.exactly.fraction or 0) for r in answer.chances} == expected
    with pytest.raises(OddsError, match="no counter"):
        seen(rules, "R7 G7 B8", trump="red")


@pytest.mark.parametrize("called", ["B5", "G5", "Y8"])
def test_the_holder_of_a_called_counter_needs_no_other(called: str) -> None:
    rules = load({**GAMES["thrown in"], "base": "call_partner_4"})
    unseen, card = seen(rules, "R5 G7 B8", trump="black"), parse_card(called)
    counters, trumps = compile_rules(rules).counters, unseen.suit("trump")
    deals = [deal for deal in possible(unseen) if all(hand & counters for hand in deal[:3])]
    held = [(hand & trumps).bit_count() for deal in deals for hand in deal[:3] if hand >> card & 1]
    answer = partner_trumps(unseen, card)
    found = {row.count: Fraction(row.exactly.fraction or 0) for row in answer.chances}
    assert found == shares(held)


def test_whoever_has_put_their_counters_away_may_ask() -> None:
    unseen = seen(game("thrown in"), "R7 G7 B8", trump="red", nest=[parse_card("R5")])
    assert unseen.counters_everywhere


def test_without_voids_it_is_the_plain_hypergeometric() -> None:
    unseen = seen(load("kd_tournament"), "R14 R10 R5 G14 G13 G9 G6 Y8 B11", trump="green")
    for row in partner_trumps(unseen).chances:
        assert row.exactly.fraction == str(exactly(32, 7, 9, row.count))
        assert row.at_least.fraction == str(at_least(32, 7, 9, row.count))


def test_the_papers_chances_are_those_of_a_partner_too() -> None:
    table = compile_rules(load("kd_tournament"))
    cards = pack_cards(load("kd_tournament").deck)
    places = (Place("a hand", 9), Place("the rest", 32))
    unseen = Unseen(table, load("kd_tournament"), None, 0, cards, places)
    low = {card: 1 for card in unpack(cards) if card != ROOK and card // 4 + 1 <= 9}
    ways = count(Question(unseen, ((0,),), low))
    for least, printed in ((1, 99.92), (4, 74.79), (7, 5.45)):
        share = sum(n for (held,), n in ways.items() if held >= least) / sum(ways.values())
        assert round(100 * share, 2) == printed


def chances(unseen: Unseen, way: Way) -> list[tuple[str, Any]]:
    """Return every chance of the partner's trumps and of the splits, each with its name."""
    trumps, splits = partner_trumps(unseen, way=way), split_odds(unseen, "green", way)
    rows = [(f"{row.count} trumps", row.exactly) for row in trumps.chances]
    return rows + [(f"{row.hands} {row.nest}", row.chance) for row in splits.shapes]


@pytest.mark.parametrize("voids", [[], ["left red", "partner yellow"], ["right trump"]])
def test_intervals_of_drawn_deals_cover_the_exact_chances(voids: list[str]) -> None:
    rules = load("kd_tournament")
    unseen = seen(rules, "R14 R10 R5 G14 G13 G9 G6 Y8 B11", trump="green", voids=voids)
    exact = {name: chance.probability for name, chance in chances(unseen, Way())}
    inside = total = 0
    for seed in range(12):
        for name, chance in chances(unseen, Way(samples=600, seed=seed)):
            assert chance.fraction is None
            if exact[name] > 0.01:  # seeds are fixed: so is this share
                total += 1
                inside += chance.ci95[0] <= exact[name] <= chance.ci95[1]
    assert total > 150
    assert 0.90 < inside / total < 0.99


def test_deals_that_all_count_the_same_have_the_usual_intervals() -> None:
    """Wilson's for a chance, and the mean's; without voids all deals have one weight."""
    unseen = seen(load("kd_tournament"), "R14 R10 R5 G14 G13 G9 G6 Y8 B11", trump="green")
    answer = partner_trumps(unseen, way=Way(samples=600))
    values = []
    for row in answer.chances:
        for chance in (row.exactly, row.at_least):
            hits = round(600 * chance.probability)
            assert chance.probability == pytest.approx(hits / 600)
            wilson = binomtest(hits, 600).proportion_ci(0.95, "wilson")
            assert chance.ci95 == pytest.approx(tuple(wilson), abs=1e-6)
        values += [row.count] * round(600 * row.exactly.probability)
    half = 1.959964 * np.std(values) / 600**0.5
    mean = np.mean(values)
    assert answer.average.mean == pytest.approx(mean)
    assert answer.average.ci95 == pytest.approx((mean - half, mean + half))


def test_weights_put_right_what_drawing_in_turn_makes_crooked() -> None:
    # Three voids that overlap: drawn hand by hand, deals are far from equally likely.
    unseen = seen(
        game("partners"), "R14 G5 B10", trump="red", voids=["left yellow", "partner green"]
    )
    exact, drawn = split_odds(unseen, "yellow"), split_odds(unseen, "yellow", Way(samples=20_000))
    truth = {tuple(row.cards): row.chance.probability for row in exact.splits}
    for row in drawn.splits:
        assert row.chance.probability == pytest.approx(truth[tuple(row.cards)], abs=0.012)


def test_what_takes_too_long_to_count_is_drawn_and_says_so() -> None:
    unseen = seen(load("kd_tournament"), "R14 R10 R5 G14 G13 G9 G6 Y8 B11", trump="green")
    question = Question(unseen, ((0,), (1,), (2,)), dict.fromkeys(unpack(unseen.suit("red")), 1))
    with pytest.raises(TooMany):
        count(question, steps=10)
    answer = partner_trumps(unseen, way=Way(seed=5, steps=3))
    assert (answer.method, answer.samples, answer.seed) == ("sampled", 20_000, 5)
    assert partner_trumps(unseen, way=Way(seed=5)).seed is None


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        ("kd_tournament", ["left", "partner", "right"]),
        ("rook_three_1914", ["left", "right"]),
        ("rook_two_1914", ["left"]),
        ("dixie_6", ["left", "2 to the left", "3 to the left", "4 to the left", "right"]),
    ],
)
def test_seats_have_names(rules: str, names: list[str]) -> None:
    assert seat_names(compile_rules(load(rules))) == names


def test_two_partners_count_together() -> None:
    hand = "R14 R13 R12 R11 G2 G3 G4 B4 B5"
    answer = partner_trumps(seen(load("dixie_6"), hand, trump="red"))
    assert answer.partner == "2 to the left and 4 to the left"
    first = answer.chances[3]
    assert first.exactly.fraction == str(exactly(47, answer.unseen_trumps, 18, first.count))


KD = "R14 R10 R5 G14 G13 G9 G6 Y8 B11"
Ask = Callable[[], object]
REFUSED: list[tuple[Ask, str]] = [
    (lambda: seen(load("kd_tournament"), "R14"), "--hand: 1 card; expected 9"),
    (lambda: seen(load("kd_tournament"), KD + " B12"), "expected 9, or 14 with the nest"),
    (lambda: seen(load("kd_tournament"), KD + " R14"), "R14 is named twice"),
    (lambda: seen(load("kd_tournament"), KD + " R4"), "R4 is not in this game's deck"),
    (lambda: seen(load("kd_tournament"), KD, trump="pink"), "--trump pink: expected one of red"),
    (lambda: seen(load("kd_tournament"), KD, trump="notrump"), "--trump notrump: expected"),
    (lambda: seen(load("kd_tournament"), KD, nest=[parse_card("R14")]), "R14 is in --hand already"),
    (lambda: seen(load("kd_tournament"), KD, nest=list(range(4, 10))), "--nest: 6 cards"),
    (
        lambda: seen(load("kd_tournament"), KD + " B12 B13 Y9 Y10 Y11", nest=[parse_card("R12")]),
        "--nest: you hold it; expected 9 cards in --hand",
    ),
    (lambda: seen(load("kd_tournament"), KD[4:], trump="red"), "or 4 cards of past tricks"),
    (
        lambda: seen(game("partners"), "R14 G5", declarer="left", played=TRICK[:3]),
        "--played: 3 cards; expected 4, with 2 still in your hand",
    ),
    (lambda: seen(game("partners"), "R14 G5", played=TRICK), "--declarer: missing; tricks are"),
    (lambda: seen(load("kd_tournament"), KD, declarer="west"), "'west' is nobody here"),
    (lambda: seen(load("kd_tournament"), KD, voids=["left red"]), "--trump: missing"),
    (lambda: seen(load("kd_tournament"), KD, trump="red", voids=["red"]), "--void 'red'"),
    (
        lambda: seen(load("kd_tournament"), KD, trump="red", voids=["left pink"]),
        "'pink' is no suit",
    ),
    (
        lambda: seen(load("kd_tournament"), KD, trump="red", declarer="left", voids=["left green"]),
        "--void 'left green': they may have discarded that suit",
    ),
    (
        lambda: seen(load("kd_tournament"), KD + " B12 B13 Y9 Y10 Y11", declarer="left"),
        "--declarer: you hold the nest",
    ),
    (lambda: partner_trumps(seen(load("kd_tournament"), KD)), "--trump: missing"),
    (
        lambda: nest_odds(seen(load("boston"), "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14")),
        "no nest",
    ),
    (lambda: nest_odds(seen(load("kd_tournament"), KD, declarer="left")), "nothing in the nest"),
]


@pytest.mark.parametrize(("ask", "words"), REFUSED)
def test_what_cannot_be_asked_gets_one_line(ask: Ask, words: str) -> None:
    with pytest.raises(OddsError, match=r"^[^\n]+$") as refusal:
        ask()
    assert words in str(refusal.value)


def test_what_is_drawn_in_part_is_not_called_exact() -> None:
    unseen = seen(load("kd_tournament"), KD)
    told = set()
    for steps in (60, 100, 300, 1_000_000):
        found = nest_odds(unseen, Way(steps=steps))
        chances = [found.counter, found.rook, *(point.at_least for point in found.points)]
        drawn = any(one is not None and one.ci95 is not None for one in chances)
        assert (found.method == "sampled") == drawn == (found.samples is not None)
        told.add((found.method, found.counter.ci95 is None))
    assert ("sampled", True) in told  # the counters were counted, the points drawn
    assert ("exact", True) in told
