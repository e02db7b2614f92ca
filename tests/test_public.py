"""The names that a program may import from the package, and no others."""

import ast
import builtins
import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rookery
import rookery.rules

PUBLIC = {
    *("Card", "CardSet", "Seat", "UnknownCard"),
    *("by_suit", "card_name", "pack_cards", "parse_card", "unpack"),
    *("Rules", "RulesError", "catalog", "load_rules"),
    *("Deal", "Hand", "Match", "ScoreLine", "Trick"),
    *("Action", "CardChoice", "Legal", "Verb"),
    *("BadAction", "BadDeal", "IllegalAction"),
    *("View", "view_of"),
    *("Record", "RecordError", "read_record", "record_of", "replay", "write_record"),
    *("Bot", "BotFailed", "NoAnswer", "Player", "UnknownBot", "bot"),
    *("BadEvaluation", "Evaluation", "LedgerUnusable", "LookedAlready", "PolicyError", "evaluate"),
    *("Solution", "Unsolvable", "solve"),
}


def test_these_names_are_public() -> None:
    assert set(rookery.__all__) == PUBLIC
    assert set(dir(rookery)) >= PUBLIC
    for name in PUBLIC:
        assert getattr(rookery, name) is not None


def test_a_name_that_is_mistyped_leads_to_the_right_one() -> None:
    done = subprocess.run(  # our own line
        [sys.executable, "-c", "import rookery; rookery.load_rule"], capture_output=True, text=True
    )
    said = "AttributeError: module 'rookery' has no attribute 'load_rule'. Did you mean"
    assert f"{said}: 'load_rules'?" in done.stderr


def test_type_checkers_know_the_same_names() -> None:
    stub = Path(rookery.__file__).with_suffix(".pyi")
    nodes = ast.walk(ast.parse(stub.read_text("utf-8")))
    imports = (node for node in nodes if isinstance(node, ast.ImportFrom))
    assert {alias.asname for node in imports for alias in node.names} == PUBLIC


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import rookery, sys; print([n for n in sys.modules if n.startswith('rookery.')])"
    done = subprocess.run(  # our own line
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"


LOOSE: Any = rookery  # as whoever checks no types calls it
KD = rookery.load_rules("kd_tournament")
HAND: Any = rookery.Deal.shuffled(KD, seed=7).hand()
MATCH = rookery.Match(KD).begin(HAND)
RECORD = rookery.record_of(MATCH)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: LOOSE.solve(MATCH), "hand: expected a Hand, such as Match.hand, not Match"),
        (lambda: LOOSE.view_of(MATCH, 0), "hand: expected a Hand, such as Match.hand, not Match"),
        (lambda: LOOSE.record_of(HAND), r"match: expected a Match, such as .*, not Hand"),
        (lambda: LOOSE.replay("a.json"), "record: expected a Record, as read_record .*, not str"),
        (lambda: LOOSE.write_record(MATCH, "a.json"), "record: expected a Record, .*, not Match"),
        (lambda: LOOSE.Match("dixie"), "rules: expected Rules, as load_rules .*, not str"),
        (lambda: LOOSE.Deal.shuffled("dixie", 7), "rules: expected Rules, as load_rules .*, not"),
        (lambda: LOOSE.Match(KD).begin(LOOSE.Deal.of(HAND)), "hand: expected a Hand, .*Deal$"),
        (lambda: LOOSE.bot(None), "bot: expected a name, such as papa, not NoneType"),
    ],
)
def test_what_is_of_another_kind_is_refused_in_words(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        call()


def test_the_control_what_is_of_that_kind_is_taken(tmp_path: Path) -> None:
    rookery.write_record(RECORD, tmp_path / "a.json")
    assert rookery.record_of(rookery.replay(rookery.read_record(tmp_path / "a.json"))) == RECORD
    assert rookery.view_of(HAND, 0).hand
    assert str(rookery.bot("papa")) == "papa"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: LOOSE.parse_card(37), "37 is not a card of this pack; expected one like R14, G10"),
        (lambda: LOOSE.card_name(-1), "-1 is the number of no card; expected 0 to 56"),
        (lambda: LOOSE.card_name(57), "57 is the number of no card; expected 0 to 56"),
        (lambda: list(LOOSE.unpack(-1)), "-1 is no set of cards; expected 0 or more"),
        (lambda: LOOSE.Deal.named(KD, HAND.dealt), "seat 0: '[0-9]+' is not a card of this pack"),
        (lambda: LOOSE.Deal.named(KD, ["R5 R6"] * 4), "seat 0 has 'R5 R6'; expected a list of"),
        (lambda: LOOSE.Match(KD).deal(LOOSE.Deal.of(HAND)), "a list of hands"),
        (lambda: HAND.legal(1.0), "there is no seat 1.0; expected 0 to 3"),
        (lambda: LOOSE.Action(0, LOOSE.Verb.PLAY, ("G5",)), "a card is a number from 0 to 56"),
        (lambda: LOOSE.Action(0, LOOSE.Verb.PLAY, 17), "cards '17': expected a tuple"),
        (lambda: LOOSE.Action("0", LOOSE.Verb.PASS), "no such seat; expected 0 to 7"),
    ],
)
def test_what_names_no_card_and_no_seat_is_refused_in_words(
    call: Callable[[], Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_the_control_what_names_cards_and_seats_is_taken() -> None:
    named = [HAND.names(cards) for cards in HAND.dealt]
    assert rookery.Deal.named(KD, named, HAND.names(HAND.nest_dealt)).hands == HAND.dealt
    assert [rookery.card_name(card) for card in rookery.unpack(1 | 1 << 56)] == ["R1", "RK"]
    assert str(rookery.Action(0, rookery.Verb.PLAY, (17,))) == "0 play G5"
    assert HAND.legal(1).actions


RAISED = re.compile(r"^ {4,}(\w+(?:, \w+)*): ", re.MULTILINE)


def raised(doc: str) -> Iterator[str]:
    """Yield the errors that a docstring says are raised."""
    _, _, listed = doc.partition("Raises:\n")
    for names in RAISED.findall(listed.partition("\n\n")[0]):
        yield from names.split(", ")


def test_every_error_that_a_public_name_raises_is_public_or_pythons_own() -> None:
    found = set[str]()
    for name in PUBLIC:
        one = getattr(rookery, name)
        own = [vars(one).get(part) for part in dir(one)] if isinstance(one, type) else []
        for each in (one, *own):
            each = getattr(each, "__func__", each)
            found |= {*raised(inspect.getdoc(each) or "")} if callable(each) else set()
    assert "RulesError" in found
    kinds = {name for name in found - PUBLIC if not hasattr(builtins, name)}
    assert all(issubclass(getattr(rookery.rules, kind), rookery.RulesError) for kind in kinds)
