"""The names that a program may import from the package, and no others."""

import ast
import subprocess
import sys
from pathlib import Path

import rookery

PUBLIC = {
    *("Card", "CardSet", "Seat", "UnknownCard"),
    *("by_suit", "card_name", "pack_cards", "parse_card", "unpack"),
    *("Rules", "RulesError", "catalog", "load_rules"),
    *("Deal", "Hand", "Match", "ScoreLine", "Trick"),
    *("Action", "CardChoice", "Legal", "Verb"),
    *("BadAction", "BadDeal", "IllegalAction"),
    *("View", "view_of"),
    *("Record", "RecordError", "read_record", "record_of", "replay", "write_record"),
    *("Bot", "Player", "UnknownBot", "bot"),
    *("Evaluation", "PolicyError", "evaluate"),
    *("Solution", "Unsolvable", "solve"),
}


def test_these_names_are_public() -> None:
    assert set(rookery.__all__) == PUBLIC
    assert set(dir(rookery)) >= PUBLIC
    for name in PUBLIC:
        assert getattr(rookery, name) is not None


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
