"""Matches: who deals, what is added up, when it is over."""

from __future__ import annotations

import pytest
from tests.hands import AUCTION, CALLED, DEAL, NEST, after, dealt, whole_hand

from rookery.game import Hand, IllegalAction, Match
from rookery.rules import Rules, load, variant


def kd() -> Rules:
    return variant("kd_tournament")


def test_the_deal_goes_round_and_a_redealt_hand_is_dealt_again() -> None:
    match = Match(load({"redeal": "auto"}))
    assert (match.hand, match.dealer) == (None, 0)
    seeds = (seed for seed in range(10_000))
    redealt = next(s for s in seeds if Hand.shuffled(match.rules, 0, s).phase == "redealt")
    match = match.shuffled(redealt)
    assert match.dealer == 0
    match = match.begin(whole_hand(redeal="auto"))
    assert match.dealer == 0  # seat 3 dealt that one
    assert match.totals == (-75, 75, -75, 75)
    assert str(match).splitlines()[1:] == [
        "1. the deal was cancelled",
        "2. seat 2 bid 75 in black; 0 and 2 took 45, 1 and 3 took 75; score -75 75 -75 75",
    ]
    assert ">dealt again<" in match._repr_html_()


def test_a_hand_says_where_it_stands_and_what_is_held() -> None:
    hand = dealt()
    three = "seat 3:   R5 R11 R14 G12 G14 Y7 Y9 Y10 Y12 Y14 B8 B10 B11 B13"
    for acts, line, last in (
        ([], "auction, seat 1 to act", "nest:     G12 Y9 Y12 B8 B13"),
        (AUCTION, "seat 3 bid 70; nest, seat 3 to act", three),
        (CALLED, "seat 3 bid 70 in yellow; play, seat 1 to act", "nest:     R5 R11 B8 B10 B11"),
    ):
        said, *held = str(after(hand, *acts)).splitlines()
        assert said == f"<Hand of kd_tournament, cards as named: {line}>"
        assert (held[0], held[-1]) == ("seat 0:   R6 R8 R10 G8 G9 G11 Y5 Y6 Y8", last)


@pytest.mark.parametrize(
    "players",
    ["Anna", [1, 2, 3, 4], [None] * 4, [b"A"] * 4, ["A", "B"], ["A", "B", "C", "\ud800"]],
)
def test_what_are_no_names_for_the_seats_are_refused(players: list[str]) -> None:
    """A record could not keep them: it would be written, and never read again."""
    with pytest.raises(ValueError, match="expected"):
        Match(kd(), players)
    assert Match(kd(), ["A", "B", "C", r"\ud800"]).players == ("A", "B", "C", r"\ud800")


def test_a_match_waits_for_its_hand_and_stops_with_its_winner() -> None:
    match = Match(kd())
    with pytest.raises(IllegalAction) as early:
        match.act("1 pass")
    assert early.value.code == "not-now"
    match = match.deal(DEAL, NEST)
    with pytest.raises(IllegalAction) as waiting:
        match.shuffled(1)
    assert waiting.value.code == "not-now"
    won = Match(load({"target": 75})).begin(whole_hand(target=75))
    assert won.winners == (1, 3)
    with pytest.raises(IllegalAction) as over:
        won.shuffled(1)
    assert over.value.code == "hand-over"


def test_a_match_never_changes() -> None:
    match = Match(kd()).deal(DEAL, NEST)
    later = match.act("1 bid 75")
    assert match.hand is not None
    assert match.hand.actions == ()
    assert later.hand is not None
    assert list(map(str, later.hand.actions)) == ["1 bid 75"]


def test_a_match_takes_no_hand_of_other_rules() -> None:
    with pytest.raises(ValueError, match="other rules"):
        Match(kd()).begin(whole_hand(target=75))


def test_a_match_needs_a_name_for_every_seat() -> None:
    with pytest.raises(ValueError, match=r"^1 player named; expected 4$"):
        Match(kd(), ["Ann"])
