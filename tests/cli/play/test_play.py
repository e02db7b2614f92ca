"""A match in the terminal: played to its end by a person who picks from what is offered."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.rules.test_bounds import FEW
from typer.testing import CliRunner

from rookery import record as records
from rookery.bots.player import KernelPlayer
from rookery.cli.main import app
from rookery.cli.play.game import Game
from rookery.cli.play.screen import Screen, Stopped
from rookery.game import Hand, Match, Verb
from rookery.lessons.tree import result_of
from rookery.rules import catalog, load, stored
from rookery.view import view_of

runner = CliRunner()


class Person:
    """Answers at prompts with legal words, and leaves after so many answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, answers: int, seed: int = 1) -> None:
        self.left = answers
        self.random = Random(seed)
        self.games: list[Game] = []
        run = Game.run

        def remembered(game: Game) -> None:
            self.games.append(game)
            run(game)

        monkeypatch.setattr(Game, "run", remembered)
        monkeypatch.setattr("builtins.input", self.answer)

    def answer(self) -> str:
        hand = self.games[-1].match.hand
        assert hand is not None
        if hand.over or hand.to_act != 0:
            return ""
        if not self.left:
            return "quit"
        self.left -= 1
        few = list(itertools.islice(hand.legal(), 30))
        return self.random.choice(few).words


@pytest.mark.parametrize("variant", catalog())
def test_every_variant_can_be_played_on_80_columns(
    variant: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Person(monkeypatch, answers=25)
    monkeypatch.chdir(tmp_path)
    kept = Path("game.json")
    shown = runner.invoke(
        app,
        ["play", "--rules", variant, "--seed", "3", "--record", str(kept)],
        catch_exceptions=False,
    )
    assert shown.exit_code == 0
    assert max(map(len, shown.output.splitlines())) <= 80
    match = records.replay(records.read(kept))
    assert match.rules.id == variant
    assert len(match.hands[0].actions) > 10


def test_a_match_is_played_to_its_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    Person(monkeypatch, answers=10_000)
    kept = tmp_path / "game.json"
    shown = runner.invoke(app, ["play", "--seed", "3", "--record", str(kept)])
    assert shown.exit_code == 0, shown.output
    assert "The match goes to" in shown.output
    match = records.replay(records.read(kept))
    assert match.winners is not None
    again = runner.invoke(app, ["play", "--record", str(kept)])
    assert again.exit_code == 2
    assert "this match is over" in again.output


@pytest.mark.parametrize("answers", [0, 1, 4, 7, 13])
def test_a_stopped_match_goes_on_as_if_nothing_had_happened(
    answers: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole, broken = tmp_path / "whole.json", tmp_path / "broken.json"
    options = ["play", "--seed", "11", "--bots", "rabbit,random", "--record"]
    person = Person(monkeypatch, answers=20)
    runner.invoke(app, [*options, str(whole)], catch_exceptions=False)
    person.left, person.random = answers, Random(1)
    runner.invoke(app, [*options, str(broken)], catch_exceptions=False)
    person.left = 20 - answers
    runner.invoke(app, ["play", "--record", str(broken)], catch_exceptions=False)
    assert json.loads(broken.read_text()) == json.loads(whole.read_text())


def said(monkeypatch: pytest.MonkeyPatch, *answers: str, rules: str = "kd_tournament") -> str:
    """Return what a game shows to somebody who answers so, and then leaves."""
    waiting = iter([*answers, "quit"])
    monkeypatch.setattr("builtins.input", lambda: next(waiting))
    words = ["play", "--seed", "5", "--rules", rules]
    shown = runner.invoke(app, words, catch_exceptions=False)
    assert shown.exit_code == 0, shown.output
    assert max(map(len, shown.output.splitlines())) <= 80
    return shown.output


OPENING = ("120", "discard G8 G9 Y9 B8 B12", "green")


def test_help_fits_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "a number from the list" in said(monkeypatch, "?")


def test_what_is_not_understood_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "I don't understand 'dance'. Type ? for what you can say." in said(monkeypatch, "dance")


def test_a_card_that_one_does_not_have_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = said(monkeypatch, "120", "discard G8 G9 Y9 B8 R6")
    assert "You don't have R6." in shown
    assert "seat 0" not in shown


def test_a_hint_says_what_to_do_and_why_and_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = said(monkeypatch, "hint", *OPENING, "hint")
    assert "Hint          Bid 75. Your hand should be worth that much." in shown
    first, last = re.findall(r"Hint +(\w+) .*", shown)
    assert (first, last) == ("Bid", "Play")
    assert shown.count("Trick") == 0


def test_the_partner_is_marked_wherever_they_act(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = said(monkeypatch, *OPENING, "1")
    (partner,) = re.findall(r"(\w+) \(your partner, papa\)", shown)
    assert f"{partner} (partner) passes" in shown
    assert re.search(rf"{partner} \(partner\) plays? [RGYB]", shown)
    assert f"Totals      You & {partner} 0" in said(monkeypatch, "score")


def test_a_called_partner_is_marked_once_they_are_known() -> None:
    rules = load("call_partner_pagat")
    for seed in range(12):
        match = Match(rules, ["You", "Ann", "Ben", "Cy"][: rules.seats]).shuffled(seed)
        players = [KernelPlayer("club", seed + 1, seat) for seat in range(rules.seats)]
        screen = Screen(match, ["club"] * (rules.seats - 1), str)
        while match.hand is not None and not match.hand.over:
            hand = match.hand
            assert hand.to_act is not None
            known = {
                seat for seat in range(1, rules.seats) if "(partner)" in screen.name(hand, seat)
            }
            seen = view_of(hand, 0)
            if hand.declarer == 0 and not set(seen.allies) - {0}:
                assert not known
            if seen.sides is not None:
                (mine,) = (side for side in seen.sides if 0 in side)
                assert known == set(mine) - {0}
            match = match.act(players[hand.to_act].act(hand))


def screened(match: Match) -> Screen:
    return Screen(match, ["club"] * (match.rules.seats - 1), str)


def test_the_example_of_a_call_is_a_card_that_may_be_called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda: "quit")
    calls = ["1 pass", "2 pass", "3 pass", "4 pass", "0 trump spades"]
    match = Match(load("five_person_poker")).shuffled(1).act_all(calls)
    hand = match.hand
    assert hand is not None
    with pytest.raises(Stopped):
        screened(match).ask(match, hand)
    (card,) = re.findall(r"a card, such as (\w+);", capsys.readouterr().out)
    assert f"0 call {card}" in hand.legal()


@pytest.mark.parametrize("after", [[], ["0 pass"]])
def test_a_new_deal_may_be_asked_for_until_the_auction_closes(
    after: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Seat 0 has no counter, and says no until then."""
    kept = tmp_path / "game.json"
    person = Person(monkeypatch, answers=0)

    def answer() -> str:
        hand = person.games[0].match.hand
        assert hand is not None
        said = [str(action) for action in hand.actions]
        if hand.phase != "auction":
            return "quit"
        if hand.to_act == 0:
            return "pass"
        return "y" if said[-1:] == after else ""

    monkeypatch.setattr("builtins.input", answer)
    words = ["play", "--seed", "1", "--record", str(kept)]
    runner.invoke(app, words, catch_exceptions=False)
    actions = records.read(kept).hands[0].actions
    assert actions[-1] == "0 redeal"
    assert actions[:-1][-1:] == after


@pytest.mark.parametrize(("declarer", "calls"), [(0, ["1 pass", "2 pass"]), (1, ["1 bid 120"])])
def test_a_hand_of_old_rules_in_which_no_card_may_be_called_ends_with_one_line(
    declarer: int, calls: list[str], tmp_path: Path
) -> None:
    cards = [f"{suit}{rank}" for suit in "RGYB" for rank in range(5, 15)]
    rest = [name for name in cards if name not in ("R5", "R6")]
    match = Match(stored(FEW)).deal([["R5"], ["RK"], ["R6"]], rest)
    discard = f"{declarer} discard {' '.join(rest)}"
    match = match.act_all([*calls, discard, f"{declarer} trump red"])
    kept = tmp_path / "game.json"
    records.write(records.of_match(match), kept)
    shown = runner.invoke(app, ["play", "--record", str(kept)])
    assert (shown.exit_code, type(shown.exception)) == (2, SystemExit)
    assert "by these rules no card may be called" in shown.output.splitlines()[-1]


def test_who_wants_no_new_deal_is_asked_again_only_after_a_call_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seat 0 has no counter."""
    person, asked = Person(monkeypatch, answers=0), list[int]()

    def answer() -> str:
        hand = person.games[0].match.hand
        assert hand is not None
        if hand.phase != "auction":
            return "quit"
        if hand.to_act == 0:
            return "pass"
        asked.append(sum(action.seat == 0 for action in hand.actions))
        return ""

    monkeypatch.setattr("builtins.input", answer)
    runner.invoke(app, ["play", "--seed", "1"], catch_exceptions=False)
    assert asked == [0, 1]


def at_end(options: Mapping[str, Any], seed: int, names: Sequence[str]) -> Match:
    """Return a match after a hand that `club` has played; a revoke is found out at once."""
    rules = load({"base": "kd_tournament", **options})
    match = Match(rules, names).shuffled(seed)
    players = [KernelPlayer("club", seed + 1, seat) for seat in range(rules.seats)]
    while match.hand is not None and not match.hand.over:
        hand = match.hand
        guilty = hand.hidden.revoked.bit_length() - 1
        if guilty >= 0:
            match = match.act(f"{(guilty + 1) % 4} challenge {guilty}")
        elif hand.phase == "play" and rules.renege == "penalised" and hand.trick:
            match = match.act(f"{hand.turn} play {hand.names(hand.cards_held[hand.turn or 0])[-1]}")
        else:
            match = match.act(players[hand.to_act or 0].act(hand))
    return match


def test_a_match_that_goes_on_shows_no_card_that_was_hidden(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hidden = 0
    for seed in range(8):
        match = Match(load("kd_tournament"), ["You", "Ann", "Ben", "Cy"]).shuffled(seed)
        players = [KernelPlayer("club", seed + 1, seat) for seat in range(4)]
        while match.hand is not None and match.hand.phase != "play":
            match = match.act(players[match.hand.to_act or 0].act(match.hand))
        hand = match.hand
        assert hand is not None
        screened(match).resumed(match, hand)
        shown = capsys.readouterr().out
        for action in hand.actions:
            if action.verb is Verb.DISCARD and action.seat:
                hidden += 1
                assert action.argument not in shown
                assert re.search(r"discards \d cards", shown)
    assert hidden


def test_a_name_that_begins_like_you_stays_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(4):
        match = at_end({}, seed, ["You", "Young", "Youssef", "Yours"])
        hand = match.hands[-1]
        screened(match).hand_over(match, hand)
        told = capsys.readouterr().out
        assert hand.declarer is not None
        who = ["your side", "Young's side", "Youssef's side", "Yours's side"][hand.declarer]
        assert f"; {who} took" in told
        assert told.strip().startswith("Made. " if hand.made else "Set. ")


def test_a_revoke_leaves_a_contract_neither_made_nor_set(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for seed in range(3):
        match = at_end({"renege": "penalised"}, seed, ["You", "Ann", "Ben", "Cy"])
        hand = match.hands[-1]
        assert hand.revoked
        screened(match).hand_over(match, hand)
        told = capsys.readouterr().out
        assert not re.search(r"^(Made|Set)\. ", told, re.MULTILINE)
        assert " bid " in told
        assert [result_of(hand, seat)["how"] for seat in range(4)] == [None] * 4


def test_how_a_hand_went_is_as_the_engine_says() -> None:
    hands: list[Hand] = [at_end({}, seed, list("ABCD")).hands[-1] for seed in range(20)]
    assert {hand.made for hand in hands} == {True, False}
    for hand in hands:
        declares = hand.sides is not None and 0 in hand.sides[0]
        words = ("set", "made") if declares else ("won", "lost")
        assert result_of(hand, 0)["how"] == words[bool(hand.made)]


def lines() -> Iterator[str]:
    yield from ["?", "rules", "last", "score", "", "play G99", "foo", "999", "quit"]


def test_questions_and_nonsense_change_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = lines()
    monkeypatch.setattr("builtins.input", lambda: next(said))
    kept = tmp_path / "game.json"
    shown = runner.invoke(app, ["play", "--seed", "5", "--record", str(kept)])
    assert shown.exit_code == 0, shown.output
    assert "a number from the list" in shown.output
    assert "Four players in two partnerships" in shown.output
    assert "Go on with" in shown.output
    (hand,) = records.read(kept).hands
    assert all(not text.startswith("0 ") for text in hand.actions)


def test_a_number_that_is_no_choice_is_not_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "9" * 5000
    assert said(monkeypatch, long, *OPENING, "0", long).count("I don't understand") == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--rules", "kd_turnament"], "kd_tournament"),
        (["--bots", "papa,pope"], "no bot is called pope"),
        (["--bots", "papa,papa,papa,papa"], "3 seats"),
        (["--seed", "-1"], "out of range"),
        (["--name", "J\udcf6rg"], "no text in Unicode"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(options: list[str], said: str) -> None:
    shown = runner.invoke(app, ["play", *options])
    assert shown.exit_code == 2
    assert said in shown.output
    assert len(shown.output.strip().splitlines()) == 1


def test_a_file_that_is_no_record_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "letter.json"
    other.write_text("Dear Ann")
    shown = runner.invoke(app, ["play", "--record", str(other)])
    assert shown.exit_code == 2
    assert "bad-json" in shown.output
    assert other.read_text() == "Dear Ann"


@pytest.mark.numba
@pytest.mark.slow
def test_levels_that_search_sit_down_and_go_on_with_a_match_that_was_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("numba")
    kept = tmp_path / "game.json"
    Person(monkeypatch, answers=2)
    words = ["play", "--bots", "strong:style=bold,casual", "--seed", "3", "--record", str(kept)]
    shown = runner.invoke(app, words, catch_exceptions=False)
    assert shown.exit_code == 0, shown.output
    table = json.loads(kept.read_text())["table"]
    assert table["bots"] == ["strong:style=bold", "casual", "strong:style=bold"]
    before = len(records.read(kept).hands[-1].actions)
    Person(monkeypatch, answers=3)
    again = runner.invoke(app, ["play", "--record", str(kept)], catch_exceptions=False)
    assert again.exit_code == 0, again.output
    assert len(records.read(kept).hands[-1].actions) > before
