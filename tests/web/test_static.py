"""The client's files, read as files: what they weigh, what they say, what they must not contain."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from starlette.datastructures import Headers

import rookery
from rookery.server.api import problems
from rookery.server.http.static import Static
from rookery.server.names import PHRASES
from rookery.server.settings import DAY, Settings
from rookery.server.table import refusals

STATIC = Path(rookery.__file__).parent / "web" / "static"
BUDGET = 200_000  # bytes, compressed: all that the first view of a table needs
CATALOGUES = sorted((STATIC / "i18n").rglob("*.json"))
OURS = sorted(path for path in STATIC.rglob("*.js") if "vendor" not in path.parts)

_STATIC_IMPORT = re.compile(r'^(?:import|export)\b[^;"=]*?"([^"]+)";', re.MULTILINE)
_DYNAMIC_IMPORT = re.compile(r'\bimport\("([^"]+)"\)')
_KEY = re.compile(r'\b(?:t|plural|has)\(\s*"([^"]+)"')
_MADE_KEY = re.compile(r"`([a-z_]+\.[^`$/ ]*)\$\{[^`]*?\}([^`$/ ]*)`")
_REMARK = re.compile(r"^\s*//.*$", re.MULTILINE)
_PLURALS = ("zero", "one", "two", "few", "many", "other")


def imports(path: Path) -> list[str]:
    text = path.read_text("utf-8")
    return _STATIC_IMPORT.findall(text)


def code(path: Path) -> str:
    return _REMARK.sub("", path.read_text("utf-8"))


def needed(entry: str | Path) -> list[Path]:
    found: list[Path] = []
    waiting = [STATIC / entry]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.append(path)
        waiting += [(path.parent / name).resolve() for name in imports(path)]
    return found


def put_off(how: str = "(?:lazy|seldom)") -> dict[Path, set[str]]:
    """Return the modules that are fetched later, and what is wanted of each."""
    found: dict[Path, set[str]] = {}
    for path in OURS:
        text = code(path)
        named = dict(re.findall(r'^const (\w+) = \(\) => import\("([^"]+)"\);', text, re.MULTILINE))
        for load, name in re.findall(rf'\b{how}\((.+?), "(\w+)"\)', text):
            relative = named.get(load) or _DYNAMIC_IMPORT.findall(load)[0]
            found.setdefault((path.parent / relative).resolve(), set()).add(name)
    return found


def styles(modules: Iterable[Path]) -> set[Path]:
    """Return the style sheets that some modules load by themselves."""
    names = {name for path in modules for name in re.findall(r'needStyle\("(\w+)"\)', code(path))}
    return {STATIC / "css" / f"{name}.css" for name in names}


def page() -> str:
    return (STATIC / "index.html").read_text("utf-8")


def words(path: Path) -> dict[str, str]:
    loaded: dict[str, str] = json.loads(path.read_text("utf-8"))
    return loaded


def part(path: Path) -> str:
    return path.name.removesuffix(".json").rpartition(".")[0]


def language(path: Path) -> str:
    return path.name.removesuffix(".json").rpartition(".")[2]


def all_words(lang: str) -> dict[str, str]:
    return {
        key: text
        for path in CATALOGUES
        if language(path) == lang
        for key, text in words(path).items()
    }


def without_plural(key: str) -> str:
    head, _, last = key.rpartition(".")
    return head if last in _PLURALS else key


def test_the_first_view_of_a_table_is_light() -> None:
    modules = [*needed("app.js"), *needed("pages/table.js"), *needed("table/game.js")]
    # What is put off comes all the same, a moment later; what is seldom wanted does not.
    soon = [entry for entry in put_off("lazy") if "pages" not in entry.parts]
    modules += [path for entry in soon for path in needed(entry)]
    files = {*modules, STATIC / "index.html", STATIC / "preload.js"}
    files |= {STATIC / name.removeprefix("/static/") for name in _linked("stylesheet")}
    files |= styles(modules)
    files |= {STATIC / "i18n" / "es.json", STATIC / "i18n" / "en.json"}
    weight = sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)
    assert weight < BUDGET


def _linked(rel: str) -> list[str]:
    links = re.findall(r"<link\b[^>]*>", page())
    return [
        match[1]
        for link in links
        if f'rel="{rel}"' in link and (match := re.search(r'href="([^"]+)"', link))
    ]


def test_what_the_page_asks_for_exists() -> None:
    for rel in ("stylesheet", "icon", "apple-touch-icon", "manifest"):
        names = _linked(rel)
        assert names, rel
        for name in names:
            assert (STATIC / name.removeprefix("/static/")).is_file(), name


def preloaded() -> dict[str, list[str]]:
    text = code(STATIC / "preload.js")
    block = text[text.index("{") : text.index("};")]
    lists = re.findall(r'^  "?(\w*)"?: \[(.*?)\]', block, re.MULTILINE | re.DOTALL)
    return {segment: re.findall(r'"([^"]+)"', names) for segment, names in lists}


# What each address needs before it is whole; the game is fetched beside the lobby.
ENTRIES = {
    "": ["pages/home/home.js"],
    "alone": ["pages/home/alone.js"],
    "new": ["pages/create/create.js"],
    "t": ["pages/table.js", "table/game.js"],
    "replay": ["pages/replay/replay.js"],
    "rules": ["pages/rules/rules.js"],
    "stats": ["pages/stats/stats.js"],
    "group": ["pages/stats/group.js"],
    "mistakes": ["pages/mistakes/mistakes.js"],
    "learn": ["pages/learn/learn.js", "pages/learn/lesson.js"],
    "puzzles": ["pages/puzzles/puzzles.js"],
    "daily": ["pages/daily/daily.js", "pages/daily/archive.js"],
    "deal": ["pages/daily/deal.js", "pages/daily/replay.js"],
    "sheet": ["pages/sheet/new.js"],
    "s": ["pages/sheet/sheet.js"],
    "hall": ["pages/evening/hall/hall.js"],
    "evening": ["pages/evening/new.js"],
    "e": ["pages/evening/evening.js", "pages/evening/table.js"],
    "print": ["pages/evening/hall/print.js"],
    "fair": ["pages/fair.js"],
    "offline": ["table/offline/page.js"],
    "review": ["pages/review/review.js"],
    "admin": ["pages/admin/admin.js"],
    "return": ["pages/return.js"],
}


def test_everything_a_page_needs_is_asked_for_at_once() -> None:
    # The server writes the modules of app.js in place of the mark.
    assert "@@MODULES@@" in page()
    lists, by_all = preloaded(), set(needed("app.js"))
    for segment, names in ENTRIES.items():
        own = {path for entry in names for path in needed(entry)} - by_all
        wanted = {path.relative_to(STATIC).as_posix() for path in own | styles(own)}
        assert set(lists[segment]) == wanted, segment


def test_what_is_fetched_later_is_there_and_not_fetched_before() -> None:
    later = put_off()
    assert len(later) >= 10
    for path, names in later.items():
        text = path.read_text("utf-8")
        for name in names:
            assert f"export function {name}(" in text, f"{path.name}: {name}"
    at_once = {STATIC / name for names in preloaded().values() for name in names}
    assert not at_once & set(later)


def test_what_an_evening_adds_comes_to_tables_of_evenings_alone() -> None:
    added = {path for path in put_off("seldom") if "evening" in path.relative_to(STATIC).parts}
    screens = STATIC / "pages" / "evening" / "screens"
    # What became of prepared deals is for those who open it, once all is over.
    assert added == {
        screens / "at_table.js",
        screens / "strangers.js",
        screens.parent / "deals.js",
    }
    assert not added & set(put_off("lazy"))
    every_table = {path for entry in put_off("lazy") for path in needed(entry)}
    every_table |= {*needed("pages/table.js"), *needed("table/game.js")}
    assert not [path for path in every_table if "evening" in path.relative_to(STATIC).parts]
    assert all(set(needed(one)) - every_table for one in added)


def test_nothing_of_play_without_a_server_is_fetched_at_the_start() -> None:
    at_once = {*needed("app.js"), *needed("pages/home/home.js")}
    assert STATIC / "core" / "here.js" not in at_once
    assert not [path for path in at_once if "offline" in path.parts]


def test_no_page_is_fetched_for_the_sake_of_another() -> None:
    asked_by_all = Static(STATIC).modules()
    assert "app.js" in asked_by_all
    assert not [name for name in asked_by_all if name.startswith(("pages/", "table/"))]


def test_a_folder_holds_at_most_18_names() -> None:
    folders = [STATIC, *(path for path in STATIC.rglob("*") if path.is_dir())]
    sizes = {str(path): len(list(path.iterdir())) for path in folders}
    assert max(sizes.values()) <= 18, sizes


def test_the_manifest_names_icons_that_exist() -> None:
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text("utf-8"))
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        assert (STATIC / icon["src"].removeprefix("/static/")).is_file(), icon["src"]


def test_every_module_keeps_the_rules_of_the_house() -> None:
    assert len(OURS) > 100
    for path in OURS:
        text = path.read_text("utf-8")
        assert text.startswith("//"), f"{path} does not begin with a line that says what it is"
        assert text.count("\n") <= 400, path
        for name in [*imports(path), *_DYNAMIC_IMPORT.findall(text)]:
            assert name.startswith("."), f"{name}: without a build step no bare name can be found"
            assert (path.parent / name).resolve().is_file(), f"{path}: {name}"
        wrong = r"\bstyle=\"|\bon[a-z]+=\"|javascript:|innerHTML|\beval\("
        assert not re.search(wrong, text), path


def fields(source: str) -> Iterator[str]:
    """Yield what stands in each tag of a field."""
    for found in re.finditer(r"<(?:input|textarea|\$\{Field\})", source):
        depth = 0
        for at in range(found.end(), len(source)):
            depth += {"{": 1, "}": -1}.get(source[at], 0)
            if source[at] == ">" and not depth:
                yield source[found.start() : at]
                break


def test_what_is_typed_is_not_written_over() -> None:
    # Whenever a field is drawn, its `value` is written into it; `defaultValue` is not.
    listens = re.compile(r"\bon(?:Input|Change)=|type=\"(?:checkbox|radio)\"")
    every = [(path.name, tag) for path in OURS for tag in fields(code(path))]
    assert len(every) > 40
    deaf = [one for one in every if " value=" in one[1] and not listens.search(one[1])]
    assert not deaf
    assert list(fields("<input value=${(n) => n > 2} name=x /><b>")) == [
        "<input value=${(n) => n > 2} name=x /"
    ]


def test_the_page_has_no_script_or_style_of_its_own() -> None:
    assert not re.search(r"<style|\bstyle=|\bon[a-z]+=|javascript:", page())
    scripts = re.findall(r"<script\b([^>]*)>(.*?)</script>", page(), re.DOTALL)
    assert scripts
    for attributes, inside in scripts:
        assert "src=" in attributes
        assert not inside.strip()


def test_the_vendored_modules_stand_on_their_own() -> None:
    for path in (STATIC / "vendor").glob("*.js"):
        named = re.findall(r'\bfrom ?"([^"]+)"', path.read_text("utf-8"))
        assert all(name.startswith("./") for name in named), path.name
        assert path.name in (STATIC / "vendor" / "README.md").read_text("utf-8")


def twice(text: str) -> list[str]:
    """Return the keys that stand twice in an object of a JSON text: the first would be lost."""
    found: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in pairs]
        found.extend(key for key in dict.fromkeys(keys) if keys.count(key) > 1)
        return dict(pairs)

    json.loads(text, object_pairs_hook=note)
    return found


def test_no_sentence_stands_twice_under_one_key() -> None:
    found = {path.name: twice(path.read_text("utf-8")) for path in CATALOGUES}
    assert not {name: keys for name, keys in found.items() if keys}
    assert twice('{"a": "1", "b": "2", "a": "3"}') == ["a"]


def test_every_language_says_the_same_things() -> None:
    for name in {part(path) for path in CATALOGUES}:
        english, spanish = (words(path) for path in CATALOGUES if part(path) == name)
        assert set(english) == set(spanish), name
        for key, text in english.items():
            assert text.strip(), key
            assert spanish[key].strip(), key
            assert _holes(text) == _holes(spanish[key]), key


def _holes(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def asked() -> Iterator[tuple[str, str]]:
    for path in OURS:
        for key in _KEY.findall(code(path)):
            yield path.name, key


def test_every_text_that_is_asked_for_exists() -> None:
    known = all_words("en")
    stems = {without_plural(key) for key in known} | set(known)
    missing = [f"{name}: {key}" for name, key in asked() if key not in stems]
    assert not missing


def _made() -> list[tuple[str, str]]:
    sources = "\n".join(map(code, OURS))
    return _MADE_KEY.findall(sources)


def test_every_text_made_up_at_run_time_has_its_kind() -> None:
    known = {without_plural(key) for key in all_words("en")}
    for head, tail in _made():
        assert any(key.startswith(head) and key.endswith(tail) for key in known), head


def test_no_text_is_left_over() -> None:
    # Files to keep are written by the server, from the same catalogues.
    written = (Path(rookery.__file__).parent / "evening").rglob("*.py")
    sources = "\n".join(
        [*map(code, OURS), *(path.read_text("utf-8").replace("'", '"') for path in written)]
    )
    made = _made()
    unused = [
        key
        for key in {without_plural(key) for key in all_words("en")}
        if f'"{key}"' not in sources
        and not any(key.startswith(head) and key.endswith(tail) for head, tail in made)
    ]
    assert not unused


def test_every_refusal_of_the_server_can_be_said() -> None:
    known = all_words("en")
    said = {*refusals.CODES, *problems.PROBLEMS}
    assert {code for code in said if f"refused.{code}" not in known} == set()


def test_the_start_page_says_how_long_things_are_kept() -> None:
    held = code(STATIC / "pages" / "home" / "lists.js")
    line = next(line for line in held.splitlines() if line.startswith("const KEPT"))
    days = dict(re.findall(r"(\w+): (\d+)", line))
    kept = {name: getattr(Settings(), f"keep_{name}") // DAY for name in days}
    assert {name: int(many) for name, many in days.items()} == kept
    assert set(kept) == {"lobby", "table", "chat", "sheet", "person"}


def test_every_quick_phrase_can_be_said() -> None:
    assert {f"phrase.{phrase}" for phrase in PHRASES} <= set(all_words("en"))


def test_what_is_sent_is_the_file_without_its_comments() -> None:
    files = Static()
    saved = 0
    for path in sorted({*STATIC.rglob("*.js"), *STATIC.rglob("*.css")}):
        name = path.relative_to(STATIC).as_posix()
        whole = path.read_text("utf-8")
        sent = bytes(files.file(name, Headers()).body).decode("utf-8")
        if "vendor/" in name:
            assert sent == whole  # with its licence
            continue
        saved += len(whole) - len(sent)
        pairs = zip(whole.split("\n"), sent.split("\n"), strict=True)
        changed = [line.strip() for line, left in pairs if line != left]
        if path.suffix == ".js":
            # Whole lines alone, each of them a comment's.
            assert all(re.match(r"//|/\*\*|\*|[^`$]*\*/$", line) for line in changed), name
        assert not re.search(r"^\s*(//|/\*)", sent, re.MULTILINE), name
    assert saved > 20_000
