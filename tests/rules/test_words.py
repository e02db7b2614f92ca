"""Laws of the plain words: what changes play changes the words, and nothing else does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

import pytest

from rookery.rules import (
    LANGUAGES,
    OPTIONS,
    Language,
    Rules,
    RulesError,
    catalog,
    load,
    sections,
    summary,
    texts,
)

# Other values to try, for every option that can change by itself.
OTHERS: dict[str, list[object]] = {
    "partnership": ["fixed_opposite", "fixed_alternate_3", "called", "alone"],
    "nest_dealing": ["spread", "end"],
    "nest_face_up": [0, 1, 2],
    "nest_shown": ["never", "after_auction"],
    "redeal": ["any_time_no_counters", "none", "own_turn_no_counters", "auto"],
    "first_bidder": ["left_of_dealer", "dealer", 0, 1],
    "auction_form": ["multi_round", "one_call_each", "dealer_opens", "dealer_must_bid"],
    "bid_minimum": [20, 40],
    "bid_maximum": [80, 100, 120],
    "bid_step": [1, 5],
    "all_pass": ["dealer", "last_player", "redeal", "no_contract"],
    "special_bids": [
        [],
        [{"name": "sun", "value": 180}],
        [{"name": "sun", "value": "game"}],
        [{"name": "moon", "value": 180}],
        [{"name": "moon", "value": 200}],
    ],
    "return_after_pass": [True, False],
    "nest_exchange": ["all", {"up_to": 5}, {"up_to": 1}, {"exactly_or_none": 1}],
    "discard_ban": [[], ["counters"], ["counters_unless_forced"], ["trumps"], ["rook"]],
    "nest_statement": ["none", "yes_no", "amount"],
    "declaration_order": [
        ["discard", "trump"],
        ["trump", "discard"],
        ["trump", "rook", "call", "discard"],
        ["discard", "call", "rook", "trump"],
    ],
    "trump_calls": [
        ["suits"],
        ["suits", "suits-low"],
        ["suits", "notrump"],
        ["suits", "notrump-low"],
        ["suits", "circus"],
    ],
    "low_order_one": ["worst", "best"],
    "rook_at_no_trump": ["sole_trump", "red_10_5", "loser"],
    "rook_rank": ["top", "bottom", "10.5", "12.5", "declared"],
    "rook_any_time": [True, False],
    "rook_value": [20, 30],
    "red_1": ["off", "top_trump", "top_trump_any_time"],
    "black_2": ["off", "beats_rook", "top_trump"],
    "red_2": ["off", "second_trump"],
    "ones": ["high", "low"],
    "counters": [{"5": 5, "10": 10, "14": 15, "1": 50}, {"5": 5, "10": 20, "14": 15, "1": 50}],
    "nest_points_to": ["last_trick", "declarer", "nobody"],
    "trick_bonus": ["none", "majority", "last_trick", "first_to_six", "per_trick"],
    "trick_bonus_value": [20, 30],
    "tied_majority": ["nobody", "split"],
    "first_lead": [
        *("left_of_dealer", "declarer", "left_of_declarer"),
        *("declarer_chooses", "caller"),
    ],
    "trump_lead": ["free", "when_broken"],
    "void_duty": ["none", "must_trump", "must_beat"],
    "dummy": ["none", "partner"],
    "dummy_exposed": ["after_lead", "before_lead"],
    "called_cards": [1, 2],
    "callable": ["unheld", "any", "no_trumps"],
    "partner_revealed": ["when_played", "at_once"],
    "defenders_score": [True, False],
    "set_penalty": ["contract", "double"],
    "partner_shares_set": [True, False],
    "sweep_value": ["none", {"replace": 250}, {"add": 250}, {"add": 20}],
    "sweep_test": ["all_tricks", "all_points", "either_side_all_points"],
    "target": [300, 700],
    "tie": ["another_hand", "shared", "declarer"],
    "negative_end": ["none", -500, -300],
    "own_contract_to_go_out": ["no", "yes", {"cap": 140}, {"cap": 100}],
    "renege": ["prevented", "penalised"],
    "circus_passing": [
        {"best": best, "worst": worst}
        for best in ("enforced", "free")
        for worst in ("enforced", "free")
    ],
    "totals": ["team", "player"],
    "rotation": ["deal_left", "deal_left_partners_redrawn"],
}

# These change the deal and so need another option with them; they have a test of their own.
DEALT = {"seats", "pack", "ranks", "rook_in_deck", "extra_cards", "hand_size", "nest_size"}
ONE_VALUE = {"several_over_target"}


def no_nest(rules: Rules) -> bool:
    return rules.nest_size == 0


def no_rook(rules: Rules) -> bool:
    return not rules.rook_in_deck


def nobody_called(rules: Rules) -> bool:
    return rules.partnership != "called"


def no_low_call(rules: Rules) -> bool:
    return not any(call.endswith("-low") for call in rules.trump_calls)


def always_trump(rules: Rules) -> bool:
    return no_rook(rules) or (
        not any(call.startswith("notrump") for call in rules.trump_calls)
        and (rules.all_pass != "no_contract" or rules.dealer_bids)  # noqa: S105
    )


# Where an option changes nothing, because the game has no such thing.
IDLE: dict[str, Callable[[Rules], bool]] = {
    "nest_dealing": lambda rules: rules.nest_size < 2 or rules.nest_size > rules.hand_size,
    "discard_ban": no_nest,
    "nest_points_to": no_nest,
    "all_pass": lambda rules: rules.dealer_bids,
    "return_after_pass": lambda rules: rules.auction_form == "one_call_each",
    "low_order_one": no_low_call,
    "rook_at_no_trump": always_trump,
    "rook_rank": no_rook,
    "rook_any_time": no_rook,
    "rook_value": no_rook,
    "trick_bonus_value": lambda rules: rules.trick_bonus == "none",
    "tied_majority": lambda rules: rules.trick_bonus != "majority",
    "dummy_exposed": lambda rules: rules.dummy != "partner",
    "callable": nobody_called,
    "partner_revealed": nobody_called,
    "sweep_test": lambda rules: rules.sweep_value == "none",
    "circus_passing": lambda rules: "circus" not in rules.trump_calls,
    "totals": lambda rules: rules.partnership == "alone",
}


def same_play(option: str, one: Rules, other: Rules) -> bool:
    """Return whether `option`, in which the two differ, means the same in both."""
    if option in IDLE and IDLE[option](one) and IDLE[option](other):
        return True
    if option == "declaration_order":
        return one.steps == other.steps
    if option == "counters":
        return one.card_points == other.card_points
    if option == "discard_ban" and no_rook(one):
        return set(one.discard_ban) ^ set(other.discard_ban) == {"rook"}
    return False


# Two games that no variant plays, so that no option is idle everywhere.
ODD: dict[str, dict[str, object]] = {
    "sweeping": {"base": "kd_full_57", "sweep_value": {"add": 20}, "ones": "high"},
    "red and black": {"base": "kd_full_57", "red_1": "top_trump", "trick_bonus": "per_trick"},
}


def everything() -> Iterator[tuple[str, Rules]]:
    for name in catalog():
        yield name, load(name)
    for name, changes in ODD.items():
        yield name, load(changes)


GAMES = dict(everything())


def neighbours(rules: Rules, option: str) -> Iterator[Rules]:
    """Yield the playable games that differ from `rules` in `option` alone."""
    for value in OTHERS[option]:
        try:
            other = load({**rules.options(), option: value})
        except RulesError:
            continue
        if other.changes(rules):
            yield other


@cache
def plain(name: str, lang: Language) -> dict[str, str]:
    """Return the words of one of `GAMES`."""
    return sections(GAMES[name], lang)


def test_every_option_is_tried() -> None:
    untried = sorted(set(OPTIONS) - set(OTHERS) - DEALT - ONE_VALUE)
    assert not untried, f"add values to try to OTHERS in tests/rules/test_words.py: {untried}"
    assert set(OTHERS) | DEALT | ONE_VALUE <= set(OPTIONS)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("option", OTHERS)
def test_an_option_that_changes_play_changes_the_words(option: str, lang: Language) -> None:
    tried = 0
    for name, rules in GAMES.items():
        games = [rules, *neighbours(rules, option)]
        words = [plain(name, lang), *(sections(game, lang) for game in games[1:])]
        for i, j in combinations(range(len(games)), 2):
            if not same_play(option, games[i], games[j]):
                tried += 1
                assert words[i] != words[j], (name, games[j].changes(games[i]))
    assert tried


@pytest.mark.parametrize(
    ("one", "other", "section"),
    [
        ({}, {"seats": 6, "hand_size": 6}, "Players"),
        ({}, {"hand_size": 10, "nest_size": 1}, "Deal"),
        ({}, {"rook_in_deck": False, "nest_size": 4, "bid_maximum": 100}, "Cards"),
        ({}, {"ranks": [2, *range(5, 15)], "nest_size": 9}, "Cards"),
        ({}, {"extra_cards": ["R1"], "nest_size": 6}, "Cards"),
        ({"extra_cards": ["R1"], "nest_size": 6}, {"extra_cards": ["B1"], "nest_size": 6}, "Cards"),
        ({"base": "kd_original"}, {"base": "kd_original", "hand_size": 8, "nest_size": 8}, "Deal"),
        (
            {"ranks": [*range(5, 14)], "nest_size": 1, "bid_maximum": 80},
            {"ranks": [*range(5, 14)], "nest_size": 1, "bid_maximum": 80, "pack": "standard"},
            "Cards",
        ),
    ],
)
def test_the_deal_is_told(one: dict[str, object], other: dict[str, object], section: str) -> None:
    assert sections(load(one))[section] != sections(load(other))[section]
    assert summary(load(one), "es") != summary(load(other), "es")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_the_words_are_made_of_options_alone(name: str, lang: Language) -> None:
    rules = GAMES[name]
    other = load({**rules.options(), "name": "Xyzzy", "origin": "a hat"})
    assert summary(other, lang) == summary(rules, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_the_words_fit_a_page_of_80_columns(name: str, lang: Language) -> None:
    assert max(map(len, summary(GAMES[name], lang).splitlines())) <= 80
    for title, text in sections(GAMES[name], lang).items():
        assert text[0].isupper() or text[0].isdigit()
        assert text.endswith("."), title
        assert not any(odd in text for odd in ("  ", "{", "}", "_", " .", " ,", "None", ".."))


ROOK_WORDS: dict[Language, str] = {
    "en": "rook colour red green yellow black 11 12 14",
    "es": "rook color rojo roja verde amarillo negro negra 11 12 14",
}
STANDARD_WORDS: dict[Language, str] = {
    "en": "joker spades hearts ace king queen jack",
    "es": "comodín palo picas corazones as rey reina jota",
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_a_standard_pack_is_told_in_its_own_words(name: str, lang: Language) -> None:
    rules = GAMES[name]
    words = set(re.findall(r"\w+", summary(rules, lang).casefold()))
    others = ROOK_WORDS if rules.pack == "standard" else STANDARD_WORDS
    assert not words & set(others[lang].split())


def test_the_tournament_game_in_plain_words() -> None:
    words = sections(load("kd_tournament"))
    assert words["Cards"] == (
        "41 cards: 5 to 14 in red, green, yellow and black, plus the Rook. In each colour, "
        "best first: 14 down to 5. Counters: 5 for each 5, 10 for each 10 and each 14, 20 for the "
        "Rook; 120 points in all."
    )
    assert words["Bidding"].endswith(
        "Bids go from 70 to 120 points in steps of 5; 120 ends the bidding. If all the others "
        "pass, the dealer has to play for 70."
    )


def test_a_game_without_a_nest_says_nothing_of_one() -> None:
    words = sections(load("regular_partnership"))
    assert "Nest" not in words
    assert "no nest" in words["Deal"]


def test_what_stands_above_the_rook_is_said_with_it() -> None:
    words = sections(load("red_1"))["Trump"]
    assert "the highest trump except for the red 1" in words


def said(changes: dict[str, object], lang: Language = "en") -> str:
    """Return the rules in words as one line."""
    return " ".join(summary(load(changes), lang).split())


def test_a_rook_that_the_declarer_ranks_has_the_same_cards_above_it() -> None:
    declared: dict[str, object] = {"base": "call_partner_4"}
    assert "whether it is the highest or the lowest." in said(declared)
    red: dict[str, object] = {**declared, "red_1": "top_trump"}
    assert "whether it is the highest except for the red 1, or the lowest." in said(red)
    assert "si es el más alto, salvo el 1 rojo, o el más bajo." in said(red, "es")
    both: dict[str, object] = {**red, "black_2": "top_trump"}
    assert "the highest except for the black 2 and the red 1, or the lowest." in said(both)


def test_a_partner_who_loses_nothing_is_an_exception() -> None:
    shared: dict[str, object] = {"base": "call_partner_4"}
    assert "Partners each score what their side scores." in said(shared)
    free: dict[str, object] = {**shared, "partner_shares_set": False}
    expected = "Partners each score what their side scores, but a called partner loses nothing"
    assert f"{expected} when the contract is set." in said(free)
    assert said(free).count("loses nothing") == said(free).count("their side scores") == 1
    expected = "Cada compañero se anota lo mismo que su bando, pero el compañero pedido no pierde"
    assert f"{expected} nada si el contrato falla." in said(free, "es")


def test_a_rook_of_no_suit_does_not_follow_at_no_trump() -> None:
    loser: dict[str, object] = {
        "trump_calls": ["suits", "notrump"],
        "rook_at_no_trump": "loser",
        "rook_any_time": False,
    }
    expected = "at no trump it may be led, or played by whoever cannot follow suit."
    assert f"The Rook follows suit like any other trump; {expected}" in said(loser)
    expected = "se puede salir con esa carta, o jugarla cuando no se puede seguir el color."
    assert f"como cualquier otro triunfo; si se juega sin triunfo, {expected}" in said(loser, "es")
    assert expected not in said({**loser, "trump_calls": ["suits"]}, "es")


@pytest.mark.parametrize(
    ("changes", "en", "es"),
    [
        ({"base": "one_high_partnership"}, "and one to the nest", "y una al nido"),
        ({"base": "hoyle_standard"}, "and one to the nest", "y una al nido"),
        ({"hand_size": 8, "nest_size": 9}, "and nine to the nest", "y nueve al nido"),
    ],
)
def test_a_nest_that_no_rounds_are_left_for_is_dealt_at_the_end(
    changes: dict[str, object], en: str, es: str
) -> None:
    assert f"{en} at the end." in said(changes)
    assert f"{es}, al final." in said(changes, "es")


def test_an_option_may_say_nothing_of_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    before, key = sections(load("kd_tournament"))["Bidding"], "option.bid_step.says"
    more = {f"{key}.5": "", f"{key}.other": "Each bid adds {n}."}
    monkeypatch.setattr(texts("en"), "texts", {**texts("en").texts, **more})
    assert sections(load("kd_tournament"))["Bidding"] == before
    assert sections(load({"bid_step": 10}))["Bidding"].endswith(" Each bid adds 10.")
