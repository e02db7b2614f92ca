"""The documentation as a site: what lies in it, where its links lead, and that faults are seen."""

from __future__ import annotations

import contextlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest
from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]
from scripts.docs.website import build, interface, sources, variants, versions
from scripts.docs.website.navigation import Page, Section
from tests.docs.pages import DOCS, ROOT
from tests.hands import RECORD
from tests.once import documentation

import rookery
from rookery.cli.main import SCHEMAS
from rookery.lab.rows.schema import TABLES
from rookery.record import RecordError, loads
from rookery.rules import catalog, describe, load, sections

pytestmark = pytest.mark.slow
LINK = re.compile(r'(?:href|src)="([^"]*)"')
IN_TEXT = re.compile(r"\]\(([^)\s]+)\)")
# On the site they have links, to pages that are made for it alone.
LINKED = ("reference/variants.md", "reference/schemas.md", "reference/python.md")
KEPT = sorted((ROOT / "tests" / "kept" / "v0_1" / "records").glob("*.json"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return documentation(tmp_path_factory)


@cache
def pages(site: Path) -> dict[str, str]:
    """Return the pages that are not the search, by their names in the navigation."""
    found = {}
    for path in site.rglob("index.html"):
        name = path.parent.relative_to(site).as_posix()
        found["index" if name == "." else name] = path.read_text("utf-8")
    del found["search"]
    return found


def lost(site: Path, name: str, text: str, pattern: re.Pattern[str] = LINK) -> list[str]:
    """Return the links of a file that lead nowhere: to no file, or to no place in a page."""
    wrong = []
    for link in pattern.findall(text):
        path, place = urldefrag(re.sub(r"\?[^#]*", "", unquote(link)))
        if re.match(r"\w+:", path):
            continue
        target = (site / name).parent / path if path else site / name
        target = target / "index.html" if target.is_dir() else target
        inside = target.resolve().is_relative_to(site.resolve()) and target.is_file()
        placed = f'id="{place}"' in target.read_text("utf-8") if inside and place else True
        if not inside or (target.suffix == ".html" and not placed):
            wrong.append(link)
    return wrong


def test_every_page_of_the_navigation_is_there_with_its_markdown(site: Path) -> None:
    named = {page.name for section in sources.menu() for page in section.pages}
    named |= {
        one.name for section in sources.menu() for page in section.pages for one in page.below
    }
    found = pages(site)
    assert set(found) == named
    assert len(found) > 110
    for name, page in found.items():
        assert (site / f"{name}.md").read_text("utf-8").startswith("# "), name
        assert 'rel="alternate" type="text/markdown"' in page, name
    for path in DOCS.rglob("*.md"):
        name = path.relative_to(DOCS).as_posix()
        if name not in LINKED:
            assert (site / name).read_bytes() == path.read_bytes()


def test_every_link_leads_somewhere_in_pages_and_in_markdown(site: Path) -> None:
    wrong = {
        path.relative_to(site).as_posix(): found
        for path in site.rglob("*.html")
        if (found := lost(site, path.relative_to(site).as_posix(), path.read_text("utf-8")))
    }
    assert wrong == {}
    wrong = {
        path.name: found
        for path in [*site.rglob("*.md"), site / "llms.txt"]
        if (found := lost(site, path.relative_to(site).as_posix(), _prose(path), IN_TEXT))
    }
    assert wrong == {}
    planted = '<a href="../nowhere/">x</a><a href="#nowhere">x</a><a href="../../../etc/">x</a>'
    assert len(lost(site, "tutorials/first-bot/index.html", planted)) == 3


def _prose(path: Path) -> str:
    """Return a page in Markdown without its code."""
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def test_the_list_for_programs_names_every_page_once(site: Path) -> None:
    text = (site / "llms.txt").read_text("utf-8")
    assert text.startswith("# Rookery\n\n> ")
    listed = re.findall(r"^- \[[^\]]+\]\(([^)]+)\)", text, re.MULTILINE)
    assert sorted(one for one in listed if one.endswith(".md")) == sorted(
        path.relative_to(site).as_posix() for path in site.rglob("*.md")
    )
    assert len(listed) == len(set(listed))
    bare = [line for line in text.splitlines() if line.startswith("- ") and ".md)" in line]
    assert len([line for line in bare if "): " not in line]) < 5


def test_nothing_on_the_site_is_asked_of_anybody_else_or_stands_in_a_page_as_a_script(
    site: Path,
) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        assert not re.findall(r'(?:src|<link[^>]* href)="(?:https?:)?//', text), path
        assert not re.findall(r"<script(?![^>]* src=)|<style| style=", text), path


@pytest.mark.parametrize("variant", catalog())
def test_the_page_of_a_variant_says_what_its_options_say(site: Path, variant: str) -> None:
    rules, own = load(variant), describe(load(variant))
    text = (site / f"reference/variants/{variant}.md").read_text("utf-8")
    assert text.startswith(f"# {own.name}\n")
    for said in (own.special, own.reconstructed, own.notes, *sections(rules).values()):
        assert not said or said in text
    assert own.origin[1:].rstrip(".") in text
    for option in rules.changes(load(variants.BASE)):
        assert f"| `{option}` |" in text
    told = json.loads((site / f"reference/variants/{variant}.json").read_text("utf-8"))
    assert told["options"] == rules.options()
    assert f'href="../{variant}' not in pages(site)["reference/variants"]
    assert f'href="{variant}/"' in pages(site)["reference/variants"]


def test_every_public_name_has_its_place_and_what_its_docstring_says(site: Path) -> None:
    found = pages(site)
    listed = {name for inside in interface.groups().values() for name in inside}
    assert listed == {*rookery.__all__, *interface.ENVIRONMENTS}
    for group, inside in interface.groups().items():
        page = found[f"reference/python/{group}"]
        for name in inside:
            assert f'id="{name.lower()}"' in page, name
    game = (site / "reference/python/game.md").read_text("utf-8")
    assert "Return a hand with these cards, by name" in game
    assert "act_all" in game
    assert "bad-deal" in game


def test_every_published_schema_is_one_and_is_linked(site: Path) -> None:
    folder = site / "reference" / "schemas"
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")}
    parquet = {f"parquet-{one.name}" for one in TABLES.values()}
    socket = {f"socket-{one}" for one in ("commands", "messages", "snapshot")}
    assert set(found) == {*SCHEMAS, *parquet, *socket, "openapi"}
    for name in {*SCHEMAS, *socket}:
        Draft202012Validator.check_schema(found[name])
    assert found["openapi"]["openapi"].startswith("3.")
    for table in TABLES.values():
        columns = [one["name"] for one in found[f"parquet-{table.name}"]["fields"]]
        assert columns == table.schema.names()
    page = pages(site)["reference/schemas"]
    assert [name for name in found if f'href="{name}.json"' not in page] == []


RECORDS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "no format": {"format": None},
    "another format": {"format": "rookery/2"},
    "no rules": {"rules": None},
    "rules are a number": {"rules": 7},
    "players are a text": {"players": "Ann"},
    "players are numbers": {"players": [1, 2, 3, 4]},
    "hands are an object": {"hands": {}},
    "a hand is a text": {"hands": ["x"]},
    "a hand without a dealer": {"hands": [{"seed": 7}]},
    "a dealer is a text": {"hands": [{"seed": 7, "dealer": "0"}]},
    "neither cards nor seed": {"hands": [{"dealer": 0}]},
    "cards and seed": {"hands": [{"dealer": 0, "seed": 7, "deal": []}]},
    "nest and seed": {"hands": [{"dealer": 0, "seed": 7, "nest": []}]},
    "seed alone": {"hands": [{"dealer": 0, "seed": 7}]},
    "more than is known": {"proof": 1, "hands": [{"dealer": 0, "seed": 7, "proof": 1}]},
    "an action is an object": {"hands": [{"dealer": 0, "seed": 7, "actions": [{}]}]},
}


@pytest.mark.parametrize("change", RECORDS.values(), ids=RECORDS)
def test_the_schema_of_a_record_and_its_reader_agree(site: Path, change: dict[str, Any]) -> None:
    schema = json.loads((site / "reference/schemas/record.json").read_text("utf-8"))
    told = {key: value for key, value in {**RECORD, **change}.items() if value is not None}
    good = Draft202012Validator(schema).is_valid(told)
    with contextlib.nullcontext() if good else pytest.raises(RecordError, match="bad-format"):
        loads(json.dumps(told))


def test_records_that_people_have_fit_the_schema(site: Path) -> None:
    schema = json.loads((site / "reference/schemas/record.json").read_text("utf-8"))
    assert len(KEPT) > 3
    for path in KEPT:
        Draft202012Validator(schema).validate(json.loads(path.read_text("utf-8")))
    with pytest.raises(ValidationError):
        Draft202012Validator(schema).validate({"format": "rookery/1", "hands": []})


def test_versions_lie_beside_each_other_and_know_of_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = iter(("0.9.0", "0.10.0", "0.9.0"))

    def built(folder: Path) -> None:
        folder.mkdir()
        line = {"version": next(names), "pages": ["index"]}
        (folder / "versions.json").write_text(json.dumps([line]))

    monkeypatch.setattr(versions, "build", built)
    where = tmp_path / "all"
    for _ in range(3):
        told = versions.add(where)
    assert told == ["0.10.0", "0.9.0"]
    assert sorted(path.name for path in where.iterdir()) == ["0.10.0", "0.9.0", "index.html"]
    for one in told:
        known = json.loads((where / one / "versions.json").read_text())
        assert [line["version"] for line in known] == told
    assert 'url=0.10.0/"' in (where / "index.html").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["all"]
    (where / "thesis.txt").write_text("mine")
    with pytest.raises(versions.NotOurs, match=r"thesis\.txt"):
        versions.add(where)
    with pytest.raises(versions.NotOurs, match="holds no documentation"):
        versions.put(where)
    assert (where / "thesis.txt").read_text() == "mine"


FAULTS = {
    "none": "[the start](../index.md), [a place in it](../index.md#more)",
    "a page": "[a page](../nowhere.md)",
    "a place": "[a place](../index.md#nowhere)",
    "a picture": "![a picture](../img/nowhere.png)",
    "a file": "[a file](nowhere.json)",
}


# MyST asks Sphinx for something by a name that Sphinx 11 will not have.
ABOUT_MYST = pytest.mark.filterwarnings("ignore:'myst_parser")


@ABOUT_MYST
@pytest.mark.parametrize("planted", FAULTS)
def test_a_page_with_a_fault_is_refused_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str
) -> None:
    few = {
        "index.md": "# Start\n\n## More\n",
        "tutorials/first-bot.md": f"# Bot\n\n{FAULTS[planted]}\n",
    }
    menu = [Section("Tutorials", (Page("tutorials/first-bot", "Bot"),))]
    monkeypatch.setattr(sources, "texts", lambda: few)
    monkeypatch.setattr(sources, "menu", lambda: menu)
    if planted == "none":
        versions.put(tmp_path / "site")
        assert (tmp_path / "site" / "tutorials" / "first-bot" / "index.html").is_file()
        return
    with pytest.raises(build.Failed, match=r"tutorials/first-bot\.md"):
        versions.put(tmp_path / "site")
    assert list(tmp_path.iterdir()) == []


@ABOUT_MYST
def test_a_page_that_stands_nowhere_in_the_navigation_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "texts", lambda: {"index.md": "# Start\n", "lost.md": "# Lost\n"})
    monkeypatch.setattr(sources, "menu", lambda: [])
    with pytest.raises(build.Failed, match=r"lost\.md"):
        versions.put(tmp_path / "site")
