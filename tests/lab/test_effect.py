"""What a house rule does is told from paired deals, in plain words, in every language alike."""

import struct
from collections.abc import Mapping
from math import isnan
from pathlib import Path

import pytest

from rookery.engine.targets import Target
from rookery.engine.targets.native import LIBRARY
from rookery.lab.effect.effect import (
    FOLDER,
    MATCH,
    TOLD,
    UNSEEN,
    UNUSED,
    WIDTH,
    Effect,
    EffectDocument,
    Words,
    document,
    effect,
    effect_texts,
)
from rookery.lab.effect.picture import effect_picture
from rookery.rules import LANGUAGES, OPTIONS, Language, RulesError, Texts, base_of, load

BOARDS = 60
BASE = "kd_tournament"
TARGET: Target = "native" if LIBRARY.exists() else "python"


def found(own: Mapping[str, object], base: str = BASE, boards: int = BOARDS) -> Effect:
    rules = load({"base": base, **own})
    return effect(rules, load(base), boards=boards, seed=4, target=TARGET)


@pytest.fixture(scope="module")
def bottom() -> Effect:
    return found({"rook_rank": "bottom"})


def difference(one: Effect, name: str) -> tuple[float, float]:
    (compared,) = [c for c in one.compared if c.quantity.name == name]
    return compared.difference


def test_the_difference_is_that_of_the_two(bottom: Effect) -> None:
    for one in bottom.compared:
        if one.difference.known:
            assert one.difference.mean == pytest.approx(one.house.mean - one.base.mean)
    assert difference(bottom, "rook")[0] < -20
    assert bottom.same_deals
    assert not bottom.same_hands
    assert not bottom.same_play


def test_pairing_narrows_the_interval() -> None:
    """A rule that touches few hands: most deals come out the same under both."""
    one = found({"nest_points_to": "declarer"})
    (taken,) = [c for c in one.compared if c.quantity.name == "taken"]
    assert 0 < taken.difference.ci95 < taken.base.ci95 / 2


@pytest.mark.parametrize("own", [{"target": 500}, {"tie": "shared", "negative_end": -300}])
def test_a_rule_about_the_match_changes_no_hand(own: Mapping[str, object]) -> None:
    one = found(own)
    assert one.same_hands
    assert one.same_play
    assert all(difference(one, c.quantity.name) == (0, 0) for c in one.compared if c.house.known)
    assert "decides nothing in a hand" in Words(one).text()


@pytest.mark.parametrize(
    "own",
    [{"redeal": "none"}, {"nest_shown": "after_auction"}, {"dummy_exposed": "before_lead"}],
)
def test_what_cannot_matter_to_bots_makes_exactly_no_difference(own: Mapping[str, object]) -> None:
    one = found(own)
    assert not one.same_hands
    assert one.same_play
    assert all(difference(one, c.quantity.name) == (0, 0) for c in one.compared if c.house.known)
    assert "Not one hand came out differently." in Words(one).text()
    assert "How to read it" not in Words(one).text()


def test_rules_equal_to_their_base_are_not_played() -> None:
    one = found({})
    assert one.changes == {}
    assert one.compared == []
    assert "so there is nothing to compare." in Words(one).text()
    assert Words(one, "es").text().startswith("Estas reglas son las de")


def test_a_card_that_is_gone_has_no_value_left() -> None:
    one = found({"rook_in_deck": False, "nest_size": 4, "bid_maximum": 100})
    (rook,) = [c for c in one.compared if c.quantity.name == "rook"]
    assert rook.base.known
    assert isnan(rook.house.mean)
    assert not one.same_deals
    text = Words(one).text()
    assert "No more of this: being dealt the Rook" in text
    assert "not the same" in text
    found_new = effect(one.base.rules, one.house.rules, boards=BOARDS, target=TARGET)
    assert "New: being dealt the Rook" in Words(found_new).text()


def test_the_deals_are_the_same_where_the_deck_is() -> None:
    assert found({"bid_minimum": 60}, boards=2).same_deals
    assert not found({"redeal": "auto"}, boards=2).same_deals
    # Where a deal without counters is dealt again, it matters which cards are counters.
    auto = {"base": "kd_tournament", "redeal": "auto"}
    without_fives = {k: v for k, v in load("kd_tournament").counters.items() if k != "5"}
    bids = {"bid_minimum": 50, "bid_maximum": 100}
    for own, same in ((bids, True), ({"counters": without_fives, **bids}, False)):
        one = effect(load({**auto, **own}), load(auto), boards=2, seed=4, target=TARGET)
        assert one.same_deals is same
    assert not found({"hand_size": 8, "nest_size": 9}, boards=2).same_deals


def test_more_is_asked_where_more_is_looked_at(bottom: Effect) -> None:
    assert 1.3 < bottom.wider < 2
    words = Words(bottom)
    for one in bottom.compared:
        if words.stands_out(one):
            assert abs(one.difference.mean) > 1.3 * one.difference.ci95


def test_two_deals_that_are_alike_by_chance_are_no_change() -> None:
    rules = load({"base": BASE, "bid_minimum": 100})
    one = effect(rules, load(BASE), boards=2, seed=2, target=TARGET)
    words = Words(one)
    (made,) = [c for c in one.compared if c.quantity.name == "made"]
    assert made.difference.mean == pytest.approx(-50)
    assert not words.stands_out(made)
    assert "± 0.0" not in words.text()
    figures = document(one).figures
    assert not [figure for figure in figures if figure.clear]
    (told,) = [figure for figure in figures if figure.name == "made"]
    assert told.difference_ci95 is None


def test_it_says_how_often_each_deal_was_played_by_either_rules() -> None:
    how = Words(found({"partnership": "alone"}, boards=2)).sentences()[0]
    assert how.startswith("2 deals, each played 8 times (10 by the house rules) by the bot club")


def test_a_game_without_a_nest_is_not_played_once_more_with_the_nest_left() -> None:
    how = Words(found({"bid_minimum": 60}, base="boston", boards=2)).sentences()[0]
    assert how.startswith("2 deals, each played 7 times by the bot club")


def test_the_words_of_a_small_run(bottom: Effect) -> None:
    words = Words(bottom)
    assert words.changed() == ['rook_rank = "bottom" instead of "top"']
    assert "How to read it" in words.text()
    how, *said = words.sentences()
    assert how.startswith("60 deals, each played 8 times by the bot club")
    rook, rest = said
    assert rook == "Being dealt the Rook is worth 34 points instead of 87 (±\u00a019)."
    assert rest.startswith(
        "No clear change: contracts made 85\u00a0% (±\u00a08), mean contract 87.2 "
    )
    spanish = Words(bottom, "es").sentences()
    assert spanish[1] == "Recibir el Rook vale 34 puntos en vez de 87 (±\u00a019)."
    assert "contrato medio 87,2 (±\u00a00,6)" in spanish[2]


def test_what_rounds_to_nothing_has_no_sign(bottom: Effect) -> None:
    words, spanish = Words(bottom), Words(bottom, "es")
    assert [words.number(value, 1) for value in (-0.04, 0.04, -0.06)] == ["0.0", "0.0", "\u22120.1"]
    assert [spanish.number(value, 2) for value in (-0.004, -1.5)] == ["0,00", "\u22121,50"]


def test_a_game_of_called_partners_has_an_effect_too() -> None:
    one = found({"called_cards": 2}, base="call_partner_5", boards=20)
    assert difference(one, "contract")[0] > 0
    assert "each played 12 times" in Words(one).sentences()[0]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_line_fits_the_terminal(lang: Language, bottom: Effect) -> None:
    for own in ({"target": 500}, {"rook_in_deck": False, "nest_size": 4, "bid_maximum": 100}):
        for one in (found(own, boards=4), bottom):
            assert max(map(len, Words(one, lang).text().splitlines())) <= WIDTH


def test_every_language_has_the_same_texts_with_the_same_places() -> None:
    import re

    def places(texts: Texts) -> dict[str, set[str]]:
        return {key: set(re.findall(r"\{(\w+)\}", text)) for key, text in texts.texts.items()}

    english = places(effect_texts("en"))
    assert len(list(FOLDER.glob("effect.*.toml"))) == len(LANGUAGES)
    for lang in LANGUAGES:
        assert places(effect_texts(lang)) == english
    for name in TOLD:
        assert f"label.{name}" in english
        assert f"said.{name}.other" in english or f"said.{name}.up" in english


def test_the_options_that_are_told_apart_are_options() -> None:
    assert {*UNUSED, *UNSEEN, *MATCH} <= set(OPTIONS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_picture_is_the_same_each_time(lang: Language, bottom: Effect) -> None:
    drawn = effect_picture(Words(bottom, lang))
    assert drawn == effect_picture(Words(bottom, lang))
    width, height = struct.unpack(">II", drawn[16:24])
    assert drawn.startswith(b"\x89PNG")
    assert width > height > 600


def test_a_picture_of_no_difference_is_drawn_as_well() -> None:
    for own in ({"target": 500}, {}):
        assert effect_picture(Words(found(own, boards=2))).startswith(b"\x89PNG")


def test_the_document_has_its_schema_and_no_nan(bottom: Effect) -> None:
    made = document(bottom).model_dump_json()
    assert "NaN" not in made
    read = EffectDocument.model_validate_json(made)
    assert read == document(bottom)
    assert {figure.name for figure in read.figures} >= {"made", "rook", "luck", "skill"}
    assert "seat_5" not in {figure.name for figure in read.figures}
    schema = EffectDocument.model_json_schema()
    assert set(schema["required"]) == set(read.model_dump())


def test_the_base_is_the_one_that_is_named(tmp_path: Path) -> None:
    ours = tmp_path / "ours.toml"
    ours.write_text('base = "dixie"\nbid_minimum = 60\n', "utf-8")
    assert base_of(str(ours)).id == "dixie"
    ours.write_text("bid_minimum = 60\n", "utf-8")
    assert base_of(str(ours)).id == "kd_tournament"
    assert base_of("dixie_6").id == "dixie"
    assert base_of("kd_tournament").id == "kd_tournament"
    ours.write_text('base = "nobody"\n', "utf-8")
    with pytest.raises(RulesError):
        base_of(str(ours))
