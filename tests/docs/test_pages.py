"""What the pages of the project name exists, and every page can be reached."""

from __future__ import annotations

import ast
import json
import re
import shlex
import tomllib
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.docs.pages import DOCS, KIRO, PAGES, ROOT, commands, missing, name, navigation, unknown
from tests.imports import LAYERS
from tests.test_project import fenced
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.lab.studies.file import read as read_study

LONGEST = 45  # lines of a steering file or a prompt


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_path_and_command_of_a_page_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    assert missing(text) == []
    assert [wrong for words in commands(text) if (wrong := unknown(words)) is not None] == []


def blocks(language: str) -> list[tuple[str, str]]:
    """Return the blocks of one language in all pages, each with the page."""
    return [(name(page), one) for page in PAGES for one in fenced(page.read_text(), language)]


def test_the_house_rules_studies_sheets_and_results_of_the_pages_are_valid(tmp_path: Path) -> None:
    for page, block in blocks("toml"):
        path = tmp_path / "ours.toml"
        path.write_text(block, "utf-8")
        keys = tomllib.loads(block)
        if "questions" in keys:
            assert read_study(path).name, page
            continue
        command = ["evening", "score"] if "players" in keys else ["rules", "check"]
        if "result" in keys:
            command = ["evening", "results"]
        result = CliRunner().invoke(app, [*command, str(path)])
        assert result.exit_code == 0, (page, result.output)


def test_what_the_python_of_the_pages_imports_exists() -> None:
    for page, block in blocks("python"):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("rookery"):
                for one in node.names:
                    module = import_module(str(node.module))
                    full = f"{node.module}.{one.name}"
                    assert hasattr(module, one.name) or find_spec(full), (page, full)


def test_every_page_is_in_the_navigation_once() -> None:
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert sorted(navigation()) == sorted(pages)


def unlinked(first: str) -> list[str]:
    """Return the pages of the navigation that the text of the first page does not link."""
    links = re.findall(r"\(([^)\s]+\.md)\)", first)
    return [page for page in navigation() if page not in (*links, "index.md")]


def test_the_first_page_links_every_page() -> None:
    text = (DOCS / "index.md").read_text("utf-8")
    assert unlinked(text) == []
    assert unlinked(text.replace("(design/daily.md)", "")) == ["design/daily.md"]


def test_every_page_is_of_one_kind() -> None:
    folders = {page.parent.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert folders == {".", "tutorials", "how-to", "reference", "explanation", "design"}
    assert [page.name for page in DOCS.glob("*.md")] == ["index.md"]


def test_a_planted_fault_is_found() -> None:
    text = "`src/rookery/nowhere.py`, `docs/design/table.md`, `server/nowhere.py`, `engine/rng.py`"
    assert missing(text) == ["server/nowhere.py", "src/rookery/nowhere.py"]
    for line in (
        "scripts/nothing",
        "rookery nothing",
        "rookery serve --nothing",
        "rookery rules show --nothing",
        "make all",
        "python -m tests.nothing",
        "python examples/nothing.py",
        ".venv/bin/pytest tests/nothing",
    ):
        assert unknown(shlex.split(line)) is not None, line
    assert commands("```sh\nsudo a \\\n  b && c # d\n```\n") == [["a", "b"], ["c"]]


@pytest.mark.parametrize("page", KIRO, ids=name)
def test_steering_files_and_prompts_are_short_and_of_the_expected_form(page: Path) -> None:
    lines = page.read_text("utf-8").splitlines()
    assert len(lines) <= LONGEST
    if page.parent.name == "steering":
        assert lines[:3] == ["---", "inclusion: always", "---"]
    else:
        assert lines[0].startswith("# ")


def test_the_steering_files_and_prompts_are_these() -> None:
    assert {name(page).removeprefix(".kiro/") for page in KIRO} == {
        *("steering/product.md", "steering/tech.md", "steering/structure.md"),
        *("prompts/backend.md", "prompts/frontend.md"),
    }


@pytest.mark.parametrize(
    ("page", "layer"),
    [
        (".kiro/steering/structure.md", r"(?<=[`\n])`?(\w+)`(?= `|\n\n\|)"),
        ("CONTRIBUTING.md", r"(\w+)(?:(?= →)|(?<=→ cli))"),
        ("docs/explanation/architecture.md", r"(?<=\n\| `)(\w+)(?=` \|)"),
    ],
)
def test_the_layers_are_named_in_their_order(page: str, layer: str) -> None:
    assert tuple(re.findall(layer, (ROOT / page).read_text("utf-8"))) == LAYERS


def test_the_map_in_contributing_names_folders_that_exist() -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Where things are")[2]
    rows = "".join(re.findall(r"^\| .*\|$", table, re.MULTILINE))
    named = re.findall(r"`(\w+[./][\w./]*)`", rows)
    assert len(named) > len(LAYERS) / 2
    assert [path for path in named if not (ROOT / "src" / "rookery" / path).exists()] == []


@cache
def labels() -> list[re.Pattern[str]]:
    """Return what every label of the interface looks like."""
    catalogues = (ROOT / "src/rookery/web/static/i18n").rglob("*en.json")
    known = [label for path in catalogues for label in json.loads(path.read_text()).values()]
    return [re.compile(re.escape(label).replace(r"\{n\}", r"\d+")) for label in known]


def no_labels(page: Path, named: str) -> list[str]:
    """Return what a page names by a pattern and no label says; a sentence in bold is no label."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    names = [" ".join(one.split()) for one in re.findall(named, text)]
    names = [one for one in names if not one.endswith(".")]
    return [one for one in names if not any(label.fullmatch(one) for label in labels())]


@pytest.mark.parametrize("page", sorted((DOCS / "tutorials").glob("*.md")), ids=name)
def test_every_button_of_a_tutorial_has_that_label(page: Path) -> None:
    assert no_labels(page, r"\*\*([^*]+)\*\*") == []


def test_every_button_that_a_guide_says_to_press_has_that_label() -> None:
    pressed = r"(?i)(?:\b(?:press|open|choose|then)|,)\s\*\*([^*]+)\*\*"
    guides = sorted((DOCS / "how-to").glob("*.md"))
    assert [(name(page), wrong) for page in guides for wrong in no_labels(page, pressed)] == []
    assert sum(len(re.findall(pressed, page.read_text("utf-8"))) for page in guides) > 15


def marks(text: str) -> set[str]:
    """Return the marks of sources, as S3 and X9, that stand in brackets."""
    cited = re.findall(r"\[([SX]\d+(?:, ?[SX]\d+)*)\]", text)
    return {mark for each in cited for mark in each.replace(" ", "").split(",")}


def test_every_mark_of_a_source_is_explained_and_no_other() -> None:
    page = DOCS / "design" / "rules.md"
    kinds, cited = {".py", ".toml", ".md", ".json", ".js"}, set[str]()
    for path in [each for top in ("src", "tests", "docs") for each in (ROOT / top).rglob("*")]:
        if path.suffix in kinds and path != page:
            cited |= marks(path.read_text("utf-8"))
    assert marks(page.read_text("utf-8")) == cited
    assert marks("by [S3, X9] and [X10]") == {"S3", "X9", "X10"}


OTHER_WORDS = re.compile(r"\bhome\s*page\b|(?:on|open) the\s+(?:\S+'s\s+)?first\s+page\b", re.I)


def test_the_start_page_has_one_name_everywhere() -> None:
    catalogues = sorted((ROOT / "src/rookery/web/static/i18n").rglob("*en.json"))
    read = {name(page): page.read_text("utf-8") for page in [*PAGES, *catalogues]}
    assert {page for page, text in read.items() if OTHER_WORDS.search(text)} == set()
    assert "start page" in read["docs/reference/privacy.md"]
    for one in ("the home\npage", "Open the server's first page", "on the first page"):
        assert OTHER_WORDS.search(one)  # the controls
