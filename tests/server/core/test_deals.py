"""Deals come from the system's secure source, are fair, and can be checked."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from tests.server.core.tables import PEOPLE, Sheet, started

import rookery.server
from rookery.fairness.check import proven
from rookery.fairness.deal import commitment, deal_cards, permuted, proof, secret
from rookery.record import HandRecord
from rookery.rules import catalog, variant
from rookery.server.table import commands as cm
from rookery.server.table import events as ev

KEY = bytes(range(32))


def test_vectors_of_the_scheme_stay() -> None:
    rules = variant("kd_tournament")
    assert commitment("ABCDEF2", 0, KEY) == (
        "96b5a7061c9c7d645da0a5dc37ddd66115784fcc5871dafd03d149767eb98b35"
    )
    shares = ["", "00" * 16, "", "ff" * 16]
    dealt = deal_cards(rules, "ABCDEF2", 3, KEY, shares)
    assert " ".join(dealt.nest) == "Y11 R6 B10 Y8 Y12"
    assert " ".join(dealt.deal[0]) == "R11 G9 G10 G13 Y9 B5 B12 B13 B14"


@pytest.mark.parametrize("name", sorted(catalog()))
def test_a_deal_has_every_card_once(name: str) -> None:
    rules = variant(name)
    dealt = deal_cards(rules, "ABCDEF2", 0, secret(), [""] * rules.seats)
    cards = [card for hand in [*dealt.deal, dealt.nest] for card in hand]
    assert len(cards) == len(set(cards)) == rules.cards
    assert [len(hand) for hand in dealt.deal] == [rules.hand_size] * rules.hands


def test_every_share_and_every_number_changes_the_deal() -> None:
    rules = variant("kd_tournament")
    none = [""] * 4
    first = deal_cards(rules, "ABCDEF2", 0, KEY, none)
    assert first == deal_cards(rules, "ABCDEF2", 0, KEY, none)
    for seat in range(4):
        shares = [("ab" * 16 if other == seat else "") for other in range(4)]
        assert deal_cards(rules, "ABCDEF2", 0, KEY, shares) != first
    assert deal_cards(rules, "ABCDEF2", 1, KEY, none) != first
    assert deal_cards(rules, "ABCDEF3", 0, KEY, none) != first
    assert deal_cards(variant("kd_original"), "ABCDEF2", 0, KEY, none) != first
    shown = proof(rules, "ABCDEF2", 0, KEY, none)
    for told, good in ((shown, True), ({**shown, "commitment": "0" * 64}, False)):
        assert proven(rules, HandRecord(0, *first, extra={"proof": told})) is good


def chi_square(counts: Counter[tuple[int, int]], places: int, deals: int) -> float:
    expected = deals / places
    cells = [counts[card, place] for card in range(places) for place in range(places)]
    return sum((seen - expected) ** 2 / expected for seen in cells)


def test_no_place_is_preferred() -> None:
    places, deals = 12, 6_000
    counts: Counter[tuple[int, int]] = Counter()
    biased: Counter[tuple[int, int]] = Counter()
    for i in range(deals):
        seed = i.to_bytes(32, "big")
        order = permuted(range(places), seed)
        counts.update((card, place) for place, card in enumerate(order))
        # The control: swaps with any place at all, a well-known fault.
        draws = permuted(range(places), seed + b"x")
        wrong = list(range(places))
        for place in range(places):
            other = (draws[place] * 7 + draws[(place * 5 + 1) % places]) % places
            wrong[place], wrong[other] = wrong[other], wrong[place]
        biased.update((card, place) for place, card in enumerate(wrong))
    # 121 degrees of freedom: one in a million lies beyond 209.
    assert chi_square(counts, places, deals) < 209
    assert chi_square(biased, places, deals) > 209


def test_the_commitment_comes_before_the_shares_and_binds_the_deal() -> None:
    sheet = Sheet()
    promise = sheet.table.promise
    assert promise is not None
    share = "5a" * 16
    assert sheet.code(PEOPLE[1], cm.Contribute("c", 7, share)) == "bad-share"
    sheet.say(PEOPLE[1], cm.Contribute("c", 0, share))
    assert sheet.code(PEOPLE[1], cm.Contribute("d", 0, share)) == "bad-share"
    sheet.say(PEOPLE[0], cm.Start("g"))
    dealt = next(e.event for e in sheet.entries if isinstance(e.event, ev.HandDealt))
    assert dealt.shares == ["", share, "", ""]
    assert sheet.table.proof is not None
    key = bytes.fromhex(sheet.table.proof.key)
    assert commitment("ABCDEF2", 0, key) == promise.commitment
    assert deal_cards(sheet.table.rules, "ABCDEF2", 0, key, dealt.shares).deal == dealt.deal
    following = sheet.table.promise
    assert following is not None
    assert following.number == 1
    assert following.key != promise.key


def test_two_tables_are_dealt_differently() -> None:
    assert started(seed=1).hand.dealt != started(seed=2).hand.dealt
    assert secret() != secret()


def imports(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def test_the_server_never_imports_other_dice() -> None:
    files = sorted(Path(rookery.server.__file__).parent.glob("**/*.py"))
    assert len(files) > 20
    for path in files:
        assert not imports(path.read_text("utf-8")) & {"random", "numpy"}, path.name
    assert imports("from numpy.random import default_rng\nimport random") == {"numpy", "random"}


def share(digit: str) -> str:
    return digit * 32


def contribute(sheet: Sheet, seat: int, digit: str) -> None:
    assert sheet.table.promise is not None
    sheet.say(sheet.person(seat), cm.Contribute("c", sheet.table.promise.number, share(digit)))


def test_a_share_goes_with_its_person_and_a_seat_without_one_takes_a_new_one() -> None:
    ann, bob, cy, dee = PEOPLE[:4]
    sheet = Sheet(people=3)
    contribute(sheet, 0, "a")
    contribute(sheet, 1, "b")
    # Somebody who sat down, added a share and left would else have taken the next person's.
    sheet.say(bob, cm.Leave("l"))
    sheet.say(dee, cm.Sit("s", 1))
    contribute(sheet, 1, "d")
    sheet.say(ann, cm.Arrange("a", [3, 0, 1, 2]))
    contribute(sheet, 3, "c")
    sheet.say(ann, cm.Start("g"))
    dealt = next(one.event for one in sheet.entries if isinstance(one.event, ev.HandDealt))
    assert dealt.shares == ["", share("a"), share("d"), share("c")]
    assert [chair.person for chair in sheet.table.chairs][1:] == [ann.id, dee.id, cy.id]
    assert sheet.table.proof is not None
    key = bytes.fromhex(sheet.table.proof.key)
    assert deal_cards(sheet.table.rules, "ABCDEF2", 0, key, dealt.shares).deal == dealt.deal


def test_a_bot_in_a_seat_has_no_share_of_whoever_sat_there() -> None:
    sheet = started(people=3)
    contribute(sheet, 1, "b")
    contribute(sheet, 2, "c")
    sheet.say(sheet.person(1), cm.Leave("l"))
    assert sheet.table.promise is not None
    assert sheet.table.promise.shares == ((2, share("c")),)
    assert sheet.code(sheet.person(2), cm.Contribute("c", 1, share("e"))) == "bad-share"
