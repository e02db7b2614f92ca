"""How hands, deals and matches show themselves: as text, and as pictures in a notebook."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

import rookery
from rookery.bots.player import KernelPlayer
from rookery.cards import CARDS, SUIT_WORDS, Pack, card_name
from rookery.game import Deal, Hand, Match
from rookery.rules import catalog, load
from rookery.show.face import colours, crow, face, suits
from rookery.show.notebook import Row, drawn, sheet

SVG = "{http://www.w3.org/2000/svg}"


def played(rules_id: str, actions: int | None = None, bot: str = "papa") -> Hand:
    rules = load(rules_id)
    hand = Hand.shuffled(rules, dealer=0, seed=7)
    players = [KernelPlayer(bot, seed=1, seat=seat) for seat in range(rules.seats)]
    while not hand.over and (actions is None or len(hand.actions) < actions):
        hand = players[hand.to_act or 0].move(hand)
    return hand


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314


@pytest.mark.parametrize("rules_id", catalog())
def test_every_variant_can_be_shown_at_any_time(rules_id: str) -> None:
    for actions in (0, 3, 14, None):
        hand = played(rules_id, actions)
        said = texts(hand._repr_svg_())
        assert {"Seat 0", "Seat 1"} <= set(said)
        assert ("The blind hand" in said) == (hand.rules.dummy == "blind")
        assert len(repr(hand).splitlines()) == 1
        assert rules_id in repr(hand)


def test_a_deal_shows_every_card_once_and_where_it_is_from() -> None:
    deal = Deal.shuffled(load("kd_full_57"), seed=7, dealer=2)
    svg = deal._repr_svg_()
    told = ET.fromstring(svg).attrib["aria-label"]  # noqa: S314
    names = re.findall(r"\b(?:[RGYB]\d+|RK)\b", told)
    assert sorted(names) == sorted(card_name(card) for card in load("kd_full_57").deck)
    assert "seed 7" in told
    assert "deals" in texts(svg)
    assert str(deal).count("\n") == 5
    assert "seed 7" in repr(deal)
    assert svg.count("<g transform=") == 57


def test_a_deal_begins_the_hand_that_it_came_from() -> None:
    rules = load("rook_two_1914")
    by_seed = Deal.shuffled(rules, seed=3, dealer=1)
    assert by_seed.hand().dealt == Hand.shuffled(rules, 1, 3).dealt
    assert Deal.of(by_seed.hand()) == by_seed
    names = [[card_name(card) for card in cards] for cards in by_seed.hands]
    by_name = Deal.named(rules, names, [card_name(card) for card in by_seed.nest], dealer=1)
    assert (by_name.hands, by_name.nest) == (by_seed.hands, by_seed.nest)
    assert by_name.seed is None
    assert by_name.hand().dealt == by_seed.hands
    assert "cards as named" in repr(by_name)


def test_what_has_been_played_is_drawn_faintly_while_the_hand_lasts() -> None:
    hand = played("kd_tournament", 16)
    assert hand.phase == "play"
    gone = len(hand.trick) + 4 * len(hand.tricks)
    assert gone > 0
    assert hand._repr_svg_().count('opacity="0.38"') == gone
    said = texts(hand._repr_svg_())
    assert said.count("On the table") == bool(hand.trick) == 1
    assert sum("declares" in note for note in said) == 1
    done = played("kd_tournament")
    assert "opacity" not in done._repr_svg_()
    assert "score" in texts(done._repr_svg_())[-1]
    assert str(done).splitlines()[1].startswith("seat 0:   R6 R7")


def test_a_match_shows_its_score_sheet() -> None:
    match = Match(load("kd_tournament"), ["Ann", "<Bo>", "Cy", "Di"]).begin(played("kd_tournament"))
    html = match._repr_html_()
    ET.fromstring(html)  # noqa: S314
    assert "&lt;Bo&gt;" in html
    assert "<Bo>" not in html
    for number in match.totals:
        assert f">{number}<" in html
    assert len(str(match).splitlines()) == 2
    assert "1 hand" in repr(match)
    match.shuffled(1)._repr_html_()


@pytest.mark.parametrize("pack", ["rook", "standard"])
def test_faces_are_drawn_with_the_tables_own_shapes(pack: Pack) -> None:
    cards = range(CARDS) if pack == "rook" else [*range(52), 56]
    for card in cards:
        svg = f'<svg xmlns="http://www.w3.org/2000/svg">{face(card, pack, 10)}</svg>'
        ET.fromstring(svg)  # noqa: S314
        if card == 56:
            assert svg.count(crow()) == 2
        else:
            assert svg.count(suits()[SUIT_WORDS[pack][card % 4]]) == 2
    assert len(crow()) > 100
    assert set(suits()) == {*SUIT_WORDS["rook"], *SUIT_WORDS["standard"]}
    assert {"paper", "bird", "red", "green", "yellow", "yellow-fill", "black"} <= set(colours())


def test_names_cannot_break_out_of_a_picture() -> None:
    svg = drawn("<b>&", [Row("a<script>", '"', (0,))], pack="rook", worth={}, foot=["</svg>"])
    ET.fromstring(svg)  # noqa: S314
    assert "<script>" not in svg
    table = sheet("<i>", ["<h>"], [["<c>", "&"]], ["<d>"], "<f>")
    ET.fromstring(table)  # noqa: S314
    assert "<c>" not in table


def test_the_package_hands_out_its_classes_when_asked() -> None:
    assert (rookery.Hand, rookery.Match, rookery.Deal) == (Hand, Match, Deal)
    assert {"Hand", "Match", "Deal"} <= set(dir(rookery))
    with pytest.raises(AttributeError, match="no attribute 'Nest'"):
        rookery.__getattr__("Nest")


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import rookery", {"rookery.game", "rookery.show", "numpy", "pydantic"}),
        ("import rookery.cli.main", {"rookery.game", "rookery.show", "numpy", "pydantic"}),
        ("import rookery; rookery.Hand", {"rookery.show", "numpy", "matplotlib"}),
    ],
)
def test_nothing_is_imported_before_it_is_wanted(code: str, absent: set[str]) -> None:
    show = f"import sys; {code}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", show], check=True, capture_output=True, text=True)
    assert not absent & set(run.stdout.split())
