"""The promises that the project keeps about its own files.

Each check is a function from a folder to what is wrong in it. It is run on this project, and on a
small tree with the fault planted, so that a check which has gone blind shows.
"""

import ast
import re
import tomllib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest
from tests.imports import (
    files,
    folders_both_ways,
    frameworks_in_the_api,
    import_cycles,
    sources,
    unreachable,
    wrong_imports,
)

from rookery.about import DISTRIBUTION, version

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 400
MOST_NAMES = 18
# One file a variant, one a version of the database.
LISTS = ("rules/catalog", "server/store/migrations/versions")
BANNED = re.compile(r"manager|helper|utils", re.IGNORECASE)
INDEX = re.compile(
    r"pypi\.org|pythonhosted\.org|registry\.npmjs"
    r"|(\"resolved\": \"|registry = \"|\burl = \"|(index-url|find-links)[ =]+\"?)(https?|file)://"
)
# A version of the program in a page: in the name of a folder or an image, or where one installs.
NAMED_VERSION = re.compile(r"rookery[-:](\d+\.\d+\.\d+)|(\d+\.\d+\.\d+) is not on the Python")
ONE_MACHINES_PATH = re.compile(r"(?<![\w./~-])/(home|root|Users|work|farm)/[\w.]")

Check = Callable[[Path], list[str]]


def long_files(root: Path) -> list[str]:
    """Return the programs and style sheets that are too long to hold one concept."""
    programs = (path for path in files(root) if path.suffix in {".py", ".js", ".css"})
    lengths = ((path, len(path.read_text("utf-8").splitlines())) for path in programs)
    return [
        f"{path.relative_to(root)}: {lines} lines" for path, lines in lengths if lines > LONGEST
    ]


def crowded_folders(root: Path) -> list[str]:
    """Return the folders of the package with more names than one looks over, itself left aside."""
    package = root / "src" / "rookery"
    inside = [path.relative_to(package) for path in files(root) if path.is_relative_to(package)]
    names: dict[Path, set[str]] = {}
    for path in inside:
        for folder, name in zip(path.parents, reversed(path.parts), strict=True):
            names.setdefault(folder, set()).add(name)
    most = {Path(): len(inside)} | dict.fromkeys(map(Path, LISTS), 999)
    return [
        f"{folder}: {len(found)} names"
        for folder, found in sorted(names.items())
        if len(found) > most.get(folder, MOST_NAMES)
    ]


def addresses(root: Path) -> list[str]:
    """Return the lines that name a package index or a folder of somebody's machine."""
    wrong = []
    for path in files(root):
        data = path.read_bytes()
        if b"\0" in data:
            continue
        for number, line in enumerate(data.decode("utf-8").splitlines(), 1):
            if INDEX.search(line) or ONE_MACHINES_PATH.search(line):
                wrong.append(f"{path.relative_to(root)}:{number}: {line.strip()[:80]}")
    return wrong


def empty_names(root: Path) -> list[str]:
    """Return the modules and classes whose name says nothing about the game."""
    wrong = []
    for module, tree in sources(root):
        names = [*module.with_suffix("").parts]
        names += [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        wrong += [f"{module}: {name}" for name in names if BANNED.search(name)]
    return wrong


def stated_version(root: Path) -> str:
    """Return the version that `pyproject.toml` states."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


def second_versions(root: Path) -> list[str]:
    """Return the places in the package that repeat the version, which `pyproject.toml` states.

    The interface in C, `API`, has a version of its own, which may be the same for a while.
    """
    version = stated_version(root)
    found = []
    for module, tree in sources(root):
        nodes = [*ast.walk(tree)]
        api = [node.value for node in nodes if isinstance(node, ast.AnnAssign)
               and isinstance(node.target, ast.Name) and node.target.id == "API"]  # fmt: skip
        found += [
            f"{module}:{node.lineno}: {version}"
            for node in nodes
            if isinstance(node, ast.Constant) and node.value == version and node not in api
        ]
    return found


def other_versions_in_pages(root: Path) -> list[str]:
    """Return where pages name another version of the program than `pyproject.toml` states."""
    version, found = stated_version(root), []
    for page in [*root.glob("*.md"), *root.glob("docs/**/*.md")]:
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
            named = {one for pair in NAMED_VERSION.findall(line) for one in pair if one}
            found += [f"{page.relative_to(root)}:{number}: {one}" for one in named - {version}]
    return found


def fenced(text: str, language: str) -> list[str]:
    """Return the code blocks of one language in a Markdown text."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def unannounced_commands(root: Path) -> list[str]:
    """Return what continuous integration runs and README and CONTRIBUTING do not name.

    The README's last command has to be among what it runs.
    """
    readme, contributing = (
        "".join(fenced((root / page).read_text("utf-8"), "sh")).splitlines()
        for page in ("README.md", "CONTRIBUTING.md")
    )
    lines = (root / ".ci" / "run").read_text("utf-8").splitlines()
    commands = [line for line in lines if line.strip() and not re.match(r"#|set |cd ", line)]
    if not commands:
        return [".ci/run does nothing"]
    unnamed = [line for line in commands if line not in (*readme, *contributing)]
    return unnamed + [line for line in readme[-1:] if line not in commands]


def loose_pins(root: Path) -> list[str]:
    """Return the pins of the small lock that the big one lacks, and pins without a hash."""
    pins = {}
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (root / name).read_text("utf-8").replace("\\\n", " ")
        # On which systems it is needed may differ: the big one has more that asks for it.
        text = re.sub(r" ;.*?(?=  )", "", text)
        pins[name] = {" ".join(line.split()) for line in text.splitlines()}
    bare = {pin for lock in pins.values() for pin in lock if "--hash=sha256:" not in pin}
    return sorted(bare | pins["requirements.lock"] - pins["requirements-dev.lock"])


CHECKS: list[Check] = [
    wrong_imports,
    import_cycles,
    folders_both_ways,
    unreachable,
    frameworks_in_the_api,
    long_files,
    crowded_folders,
    addresses,
    empty_names,
    second_versions,
    other_versions_in_pages,
    unannounced_commands,
    loose_pins,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_project_keeps_its_promises(check: Check) -> None:
    assert check(ROOT) == []


SOUND = {
    "pyproject.toml": '[project]\nversion = "3.2.1"\nscripts.rook = "rookery.cli.main:app"\n',
    "README.md": "`rookery.lab.run.jobs`\n3.2.1 is not on the Python\n```sh\nscripts/test\n```\n",
    "CONTRIBUTING.md": "```sh\nscripts/before\nscripts/test\n```\n",
    ".ci/run": "set -e\nscripts/before\nscripts/test\n",
    "requirements.lock": "one==1 \\\n    --hash=sha256:aa\n",
    "requirements-dev.lock": "one==1 \\\n    --hash=sha256:aa\ntwo==2 \\\n    --hash=sha256:bb\n",
    "src/rookery/__init__.py": "",
    "src/rookery/cards.py": "import math\n",
    "src/rookery/rules/__init__.py": "from rookery.rules.model import Rules\n",
    "src/rookery/rules/model.py": "from rookery import cards\nfrom rookery.rules import table\n",
    "src/rookery/rules/table.py": "from ..cards import parse\n",
    "src/rookery/engine/step.py": "",
    "src/rookery/game/__init__.py": "from rookery.game.hand import Hand\n",
    "src/rookery/game/hand.py": "import_module(f'rookery.engine.{name}')\n"
    "from rookery.rules import model\n",
    "src/rookery/lab/stats.py": "",
    "src/rookery/lab/run.py": "from rookery.lab import stats\n",
    **{f"src/rookery/lab/{number}.toml": "" for number in range(MOST_NAMES - 2)},
    "src/rookery/server/settings.py": "",
    "src/rookery/server/api/tables.py": "from rookery.server import settings\n",
    "src/rookery/server/app.py": "from rookery.server.api import tables\nimport fastapi\n",
    "src/rookery/server/store/base.py": "Path(__file__).with_name('migrations')\n",
    "src/rookery/server/store/migrations/v1.py": "",
    "src/rookery/cli/play.py": "def command():\n    from rookery import game, rules\n",
    "src/rookery/cli/main.py": "class Utility:\n    value = '3.2'\n"
    "COMMANDS = {'play': 'rookery.cli.play:command', 'serve': 'rookery.server.app:serve'}\n"
    "STORE = 'rookery.server.store.base'\n" + "\n" * (LONGEST - 4),
}
FAULTS: list[tuple[Check, str, str, str]] = [
    (wrong_imports, "src/rookery/cards.py", "import rookery.cli.main\n", "cards"),
    (wrong_imports, "src/rookery/__init__.py", "from rookery.cards import parse\n", "__init__"),
    (wrong_imports, "src/rookery/rules/model.py", "from ..engine import step\n", "model"),
    (
        wrong_imports,
        "src/rookery/engine/step.py",
        "def f():\n    from rookery import game\n",
        "step",
    ),
    (wrong_imports, "src/rookery/misc.py", "", "misc"),
    (wrong_imports, "src/rookery/server/misc.py", "", "not one of the parts of server"),
    (
        wrong_imports,
        "src/rookery/server/settings.py",
        "def f():\n    from rookery.server.store import base\n",
        "server.settings imports rookery.server.store.base",
    ),
    (wrong_imports, "src/rookery/lab/stats.py", "from rookery.lab import run\n", "lab.stats"),
    (import_cycles, "src/rookery/game/hand.py", "from rookery.game import Hand\n", "game.hand"),
    (
        import_cycles,
        "src/rookery/rules/table.py",
        "if TYPE_CHECKING:\n    from rookery.rules.model import Rules\n",
        "rookery.rules.model <-> rookery.rules.table",
    ),
    (
        import_cycles,
        "src/rookery/rules/table.py",
        "def f():\n    from rookery.rules import model\n",
        "rookery.rules.model <-> rookery.rules.table",
    ),
    (
        folders_both_ways,
        "src/rookery/rules/deal.py",
        "def f():\n    from rookery.game import hand\n",
        "rookery.game <-> rookery.rules",
    ),
    (unreachable, "src/rookery/rules/lonely.py", "from rookery import cards\n", "rules.lonely"),
    (
        unreachable,
        "src/rookery/rules/lonely.py",
        'log = logging.getLogger("rookery.rules.lonely")\n',
        "rules.lonely",
    ),
    (
        frameworks_in_the_api,
        "src/rookery/server/settings.py",
        "def f():\n    from fastapi import Request\n",
        "rookery.server.settings imports fastapi.Request",
    ),
    (crowded_folders, "src/rookery/lab/x.toml", "", f"lab: {MOST_NAMES + 1} names"),
    (long_files, "tests/test_all.py", "\n" * (LONGEST + 1), "401 lines"),
    (long_files, "src/rookery/web/table.css", "\n" * (LONGEST + 1), "401 lines"),
    (addresses, "uv.toml", 'url = "https:' + '//mirror.example/simple"\n', "uv.toml:1"),
    (addresses, "docs/a.md", "see https://" + "py" + "pi.org/p/x\n", "docs/a.md:1"),
    (addresses, "scripts/go", "# here\ncd /" + "home/ann/rookery\n", "scripts/go:2"),
    (empty_names, "src/rookery/lab/deal_utils.py", "", "deal_utils"),
    (empty_names, "src/rookery/game.py", "class Hand:\n    class TrickManager: ...\n", "game.py"),
    (second_versions, "src/rookery/cli/about.py", 'VERSION = "3.2.1"\n', "about.py:1"),
    (second_versions, "src/rookery/api.py", 'API: str = "3.2.1"\nsay("3.2.1")\n', "api.py:2"),
    (other_versions_in_pages, "docs/index.md", "Version 3.2.0 is not on the Python", "md:1: 3.2.0"),
    (other_versions_in_pages, "docs/a/b.md", "3.1.0\n\n/opt/rookery-3.1.0", "b.md:3: 3.1.0"),
    (other_versions_in_pages, "docs/a.md", "docker push host/rookery:10.2.1\n", "a.md:1: 10.2.1"),
    (unannounced_commands, ".ci/run", "scripts/test\nscripts/other\n", "scripts/other"),
    (unannounced_commands, ".ci/run", "set -e\n", "does nothing"),
    (unannounced_commands, ".ci/run", "set -e\nscripts/before\n", "scripts/test"),
    (loose_pins, "requirements.lock", "one==2 --hash=sha256:aa\n", "one==2"),
    (loose_pins, "requirements-dev.lock", "one==1 \\\n    --hash=sha256:aa\ntwo==2\n", "two==2"),
]


def plant(root: Path, tree: dict[str, str]) -> None:
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_sound_tree_passes(check: Check, tmp_path: Path) -> None:
    plant(tmp_path, SOUND)
    assert check(tmp_path) == []


@pytest.mark.parametrize(("check", "name", "text", "expected"), FAULTS)
def test_a_planted_fault_is_caught(
    check: Check, name: str, text: str, expected: str, tmp_path: Path
) -> None:
    plant(tmp_path, SOUND | {name: text})
    found = check(tmp_path)
    assert len(found) == 1, found
    assert expected in found[0]


def test_every_check_has_a_planted_fault() -> None:
    assert {check for check, *_ in FAULTS} == set(CHECKS)


def test_the_installed_version_is_the_one_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == DISTRIBUTION
    assert metadata.version(DISTRIBUTION) == version() == project["version"]


README = (ROOT / "README.md").read_text("utf-8")


def test_the_readme_is_one_screen_with_two_commands() -> None:
    table, tests = fenced(README, "sh")
    assert table == "scripts/setup && .venv/bin/rookery serve\n"
    assert tests == "scripts/test\n"
    assert len(README.splitlines()) <= 70
    assert max(map(len, README.splitlines())) <= 130
