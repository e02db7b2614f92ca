"""A site of files: what lies in the folder, what its pages ask for, and what it never replaces."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pytest
from tests.once import documentation
from tests.server.http.served import Here
from tests.web.kit import kit_or_skip
from typer.testing import CliRunner

from rookery.cli.arguments import Refused
from rookery.cli.server.site import app
from rookery.record import loads, replay
from rookery.rules import load
from rookery.server.http.kit import Kit
from rookery.web.alone import build, docs, folder, live
from rookery.web.alone.folder import MARK, NotOurs

PAGE = "<!doctype html>"
# What a page, or a style sheet, asks for as soon as it is drawn.
ASKS = re.compile(r'(?:src|<link[^>]* href)="([^"]*)"|url\(([^)]*)\)')


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    kit_or_skip()
    there = find_spec("sphinx") is not None
    return build.site(dict(docs.files_of(documentation(tmp_path_factory))) if there else {})


def outside(files: dict[str, bytes]) -> list[str]:
    """Return what pages and style sheets ask for that is not in the folder, each with its page."""
    found = []
    for name, plain in files.items():
        if not name.endswith((".html", ".css")):
            continue
        base = Path("/", name).parent
        text = re.sub(r"<!--.*?-->", "", plain.decode(), flags=re.DOTALL)
        for one in (a or b.strip("\"'") for a, b in ASKS.findall(text)):
            path = unquote(re.split("[?#]", one)[0])
            target = Path(base, path).resolve().as_posix().lstrip("/")
            if path.startswith("/") or ":" in path or (path and target not in files):
                found.append(f"{name}: {one}")
    return found


def test_nothing_is_asked_of_anybody_else(files: dict[str, bytes]) -> None:
    fonts = re.compile(r"\.(eot|ttf|woff|svg)\b")  # of browsers that are older than the client's
    assert [one for one in outside(files) if not fonts.search(one)] == []
    assert len(files) > 300
    for planted in ('<img src="/a.png">', '<script src="https://example.org/a.js"></script>'):
        assert outside({**files, "docs/a/index.html": planted.encode()}) != outside(files)


def test_every_page_has_a_policy_before_anything_else(files: dict[str, bytes]) -> None:
    pages = {name: text.decode() for name, text in files.items() if name.endswith(".html")}
    assert len(pages) > 60 or "docs/index.html" not in pages
    for name, page in pages.items():
        before, policy, _ = page.partition("Content-Security-Policy")
        assert policy, name
        assert "<script" not in before, name
        said = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
        assert said, name
        assert "default-src 'self'" in said[1], name
        assert "unsafe" not in said[1], name
        assert " style=" not in page, name


def test_a_site_answers_as_a_server_does(files: dict[str, bytes]) -> None:
    paths = {
        name.removeprefix("static/answers/").removesuffix(".json"): json.loads(plain)
        for name, plain in files.items()
        if name.startswith("static/answers/")
    }
    assert len(paths) > 80

    async def compared() -> None:
        server = Here()
        async with server.running(), server.browser() as browser:
            for name, told in paths.items():
                path, _, language = name.partition(".")
                answer = await browser.get(f"/api/{path}" + (language and f"?lang={language}"))
                assert answer.status_code == 200, name
                if path == "session":
                    assert (told["person"], told["tables"]) == (None, [])
                elif path == "bots":
                    assert [bot["id"] for bot in told] == [bot["id"] for bot in answer.json()]
                else:
                    assert answer.json() == told, name

    asyncio.run(compared())


def test_the_examples_of_the_documentation_are_live(files: dict[str, bytes]) -> None:
    if "docs/index.html" not in files:
        pytest.skip("no Sphinx")
    pages = [text.decode() for name, text in files.items() if name.endswith(".html")]
    links = [link for page in pages for link in re.findall(r'href="[./]*(\?[^"]*)"', page)]
    packed = [link for link in links if "#r=" in link]
    assert {link.partition("#")[0] for link in packed} == {"?/record", "?/rules/edit"}
    assert [link for link in links if link.startswith("?/odds?question=split&amp;suit=red")]
    assert "?/rules/kd_tournament" in links


def test_a_link_has_what_the_example_has() -> None:
    import base64

    rules = 'name = "Ours"\nbase = "kd_tournament"\nbid_minimum = 60\n'
    [(_, address)] = live.links_of("toml", rules)
    path, _, packed = address.partition("#r=")
    told = json.loads(base64.urlsafe_b64decode(packed + "=="))
    assert path == "?/rules/edit"
    assert told == {"name": "Ours", "base": "kd_tournament", "bid_minimum": 60}
    commands = (
        'rookery odds split red --hand "R14 G5" --trump green --void "left red" --void "right Y"\n'
        "rookery odds nest --hand R14 --sample 100 # the page draws no deals\n"
        "rookery odds --paper\nrookery rules show kd_tournament\nrookery rules show ours.toml\n"
    )
    assert [address for _, address in live.links_of("sh", commands)] == [
        "?/odds?question=split&suit=red&hand=R14%20G5&trump=green&voids=left%20red%2C%20right%20Y",
        "?/rules/kd_tournament",
    ]


def test_the_record_of_the_documentation_can_be_replayed() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "records.md"
    found = re.search(r"```json\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert found
    assert replay(loads(found[1])).rules == load("kd_tournament")


def test_a_folder_is_written_whole_and_an_older_site_goes(tmp_path: Path) -> None:
    where = tmp_path / "deep" / "site"
    folder.replace(where, {"index.html": b"1", "old/a.js": b"a"})
    folder.replace(where, {"index.html": b"2", "new/b.js": b"b"})
    there = {path.relative_to(where).as_posix() for path in where.rglob("*") if path.is_file()}
    assert there == {"index.html", "new/b.js", MARK}
    assert (where / "index.html").read_bytes() == b"2"
    assert [path.name for path in where.parent.iterdir()] == ["site"]


def _file(where: Path) -> None:
    where.write_text("mine")


def _foreign(where: Path) -> None:
    where.mkdir()
    (where / "thesis.txt").write_text("mine")


def _added(where: Path) -> None:
    folder.replace(where, {"index.html": b"1"})
    (where / "CNAME").write_text("rook.example")


def _marked(where: Path) -> None:
    where.mkdir()
    (where / MARK).write_text('{"files": ["thesis.txt"]}')
    (where / "thesis.txt").write_text("mine")


def _linked(where: Path) -> None:
    (where.parent / "else").mkdir()
    where.symlink_to(where.parent / "else")


@pytest.mark.parametrize("lay", [_file, _foreign, _added, _marked, _linked])
def test_a_folder_with_anything_else_is_refused(
    tmp_path: Path, lay: Callable[[Path], None]
) -> None:
    where = tmp_path / "site"
    lay(where)

    def all_of() -> dict[str, bytes]:
        return {str(p): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}

    before = all_of()
    with pytest.raises(NotOurs):
        folder.replace(where, {"index.html": b"2"})
    assert all_of() == before
    told = CliRunner().invoke(app, ["build", str(where)])
    assert told.exit_code != 0
    assert all_of() == before


@pytest.mark.parametrize("mark", ['{"format": "rookery-site/1", "files": 1}', "[" * 99_999])
def test_a_mark_that_is_spoilt_is_none(mark: str, tmp_path: Path) -> None:
    (tmp_path / MARK).write_text(mark)
    with pytest.raises(NotOurs, match="no site that this command wrote"):
        folder.check(tmp_path)


def test_an_empty_folder_is_as_good_as_none(tmp_path: Path) -> None:
    where = tmp_path / "site"
    (where / "empty").mkdir(parents=True)
    folder.replace(where, {"index.html": b"1"})
    assert (where / "index.html").exists()


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = tmp_path / "site"
    folder.replace(where, {"index.html": b"1"})
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.name == "b.js":
            raise OSError(28, "No space left on device", str(path))
        return write(path, data)

    rename = Path.rename

    def held(path: Path, target: Path) -> Path:
        if path.name == "fresh":
            raise OSError(16, "Device or resource busy", str(where))
        return rename(path, target)

    for name, fault in (("write_bytes", full), ("rename", held)):
        with monkeypatch.context() as patched:
            patched.setattr(Path, name, fault)
            with pytest.raises(OSError, match=r"No space|busy"):
                folder.replace(where, {"index.html": b"2", "b.js": b"b"})
        assert (where / "index.html").read_bytes() == b"1"
        assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_folder_that_cannot_be_written_is_refused_before_the_documentation_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docs, "built", lambda: pytest.fail("built"))
    (tmp_path / "file").touch()
    told = CliRunner().invoke(app, ["build", str(tmp_path / "file" / "site")])
    assert isinstance(told.exception, Refused)
    assert str(told.exception) == f"DIR {tmp_path / 'file'}: file exists"


def test_it_is_said_that_the_documentation_is_being_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Kit, "contents", lambda _: None)
    monkeypatch.setattr(docs, "built", dict)
    for can, said in ((True, "building the documentation ...\n"), (False, "")):
        monkeypatch.setattr(docs, "can_build", lambda can=can: can)
        assert CliRunner().invoke(app, ["build", str(tmp_path / "site")]).stderr == said


def test_without_what_plays_there_is_no_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Kit, "contents", lambda _: None)
    monkeypatch.setattr(docs, "built", dict)
    with pytest.raises(build.NoKit):
        build.site({})
    told = CliRunner().invoke(app, ["build", str(tmp_path / "site")])
    assert "scripts.offline" in str(told.exception)
    assert not (tmp_path / "site").exists()


def test_a_page_that_has_changed_is_noticed() -> None:
    with pytest.raises(AssertionError, match="the page has no"):
        build.page_of(PAGE, 1, has_docs=False)
