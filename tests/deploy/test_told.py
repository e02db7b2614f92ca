"""What the steering files, the prompts and the page on deployment name is there."""

from __future__ import annotations

import re
import shlex

import pytest
from tests.deploy.stacks import IGNORED, ROOT, STACKS, resources
from tests.test_project import LAYERS, fenced
from typer.testing import CliRunner

from rookery.cli.bots import SECRET as BOTS_SECRET

STEERING = ("product", "tech", "structure")
PROMPTS = ("backend", "frontend")
KIRO = [
    *(f".kiro/steering/{name}.md" for name in STEERING),
    *(f".kiro/prompts/{name}.md" for name in PROMPTS),
]
PAGES = [*KIRO, "docs/how-to/run-a-server.md"]
TOP = {path.name for path in ROOT.iterdir()}
(SERVER,) = STACKS["app"]["Resources"]["Server"]["Properties"]["ContainerDefinitions"]
LONGEST = 45  # lines: a prompt that nobody reads to the end steers nobody
# What the page has its reader make or install.
THEIRS = {
    "aws",
    "cd",
    "chown",
    "cp",
    "curl",
    "docker",
    "echo",
    "git",
    "ln",
    "mkdir",
    "mv",
    "openssl",
    "sudo",
    "systemctl",
}


def paths(text: str) -> set[str]:
    """Return what a page names in backticks that begins like a path of the project."""
    words = re.findall(r"`([\w./-]+)`", text)
    return {word for word in words if word.split("/")[0] in TOP and ("/" in word or "." in word)}


def lost(text: str) -> list[str]:
    """Return the paths of a text that are not there."""
    return sorted(path for path in paths(text) if not (ROOT / path).exists())


def commands(text: str) -> list[list[str]]:
    """Return the commands of a page, word by word."""
    joined = "".join(fenced(text, "sh")).replace("\\\n", " ")
    lines = [shlex.split(line, comments=True) for line in joined.splitlines()]
    return [words[1:] if words[0] == "sudo" else words for words in lines if words]


def unknown(words: list[str]) -> str | None:
    """Return what of a command there is not, None where all is there."""
    program, *rest = words
    while "=" in program and rest:  # a setting before the command
        program, *rest = rest
    name = program.removeprefix(".venv/bin/").removeprefix("/opt/rookery/bin/")
    if name == "rookery":
        from rookery.cli.main import app

        path = [word for word in rest[:2] if re.fullmatch("[a-z]+", word)]
        found = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "200"})
        options = [word.partition("=")[0] for word in rest if word.startswith("--")]
        missing = [option for option in options if f"{option} " not in found.output]
        return " ".join(words) if found.exit_code or missing else None
    if program.startswith(("scripts/", "deploy/")):
        return None if (ROOT / program).exists() else program
    if name in ("pytest", "mkdocs"):
        files = [word for word in rest if word.startswith("tests/")]
        return next((file for file in files if not (ROOT / file).exists()), None)
    return None if program in THEIRS else program


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_is_named_exists(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert lost(text) == []
    assert paths(text)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_named_exists(page: str) -> None:
    found = commands((ROOT / page).read_text("utf-8"))
    assert [wrong for words in found if (wrong := unknown(words)) is not None] == []


def test_a_planted_fault_is_found() -> None:
    assert lost("see `src/rookery/nowhere.py` and `docs/design/table.md`") == [
        "src/rookery/nowhere.py"
    ]
    for line in ("scripts/nothing", "rookery nothing", "rookery serve --nothing", "make all"):
        assert unknown(shlex.split(line)) is not None
    assert unknown(shlex.split(".venv/bin/pytest tests/nothing")) == "tests/nothing"
    assert commands("```sh\nsudo a \\\n  b # c\n```\n") == [["a", "b"]]


@pytest.mark.parametrize("page", KIRO)
def test_what_steers_is_short_and_of_the_expected_form(page: str) -> None:
    lines = (ROOT / page).read_text("utf-8").splitlines()
    assert len(lines) <= LONGEST
    if "steering" in page:
        assert lines[:3] == ["---", "inclusion: always", "---"]
    else:
        assert lines[0].startswith("# ")


def test_the_layers_are_told_in_their_order() -> None:
    text = (ROOT / ".kiro/steering/structure.md").read_text("utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith("`cards` ")]
    assert tuple(re.findall(r"`(\w+)`", line)) == LAYERS


def test_nothing_else_steers() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in (ROOT / ".kiro").rglob("*.md")}
    assert found == set(KIRO)


def test_the_page_on_deployment_knows_every_alarm_and_parameter() -> None:
    text = (ROOT / "docs/how-to/run-a-server.md").read_text("utf-8")
    alarms = [n for n, r in STACKS["alarms"]["Resources"].items() if "Alarm" in r["Type"]]
    told = set(re.findall(r"`(\w+)`", text))
    assert {name.rstrip("12") for name in alarms} <= told
    asked = {name for stack in STACKS.values() for name in stack["Parameters"]}
    assert asked <= told
    secrets = resources("AWS::SecretsManager::Secret")
    assert f"| {len(alarms)} alarms, {len(secrets)} secrets" in text
    assert f"passes by {len(IGNORED)} of the types" in text


def test_the_costs_add_up() -> None:
    text = (ROOT / "docs/how-to/run-a-server.md").read_text("utf-8")
    rows = re.findall(r"^\|[^|]+\|[^|]*[LE][^|]*\| (\d+) \|$", text, re.MULTILINE)
    (together,) = re.findall(r"\*\*together\*\* \| \| \*\*(\d+)\*\*", text)
    assert len(rows) == 8
    assert sum(map(int, rows)) == int(together)


def test_the_server_reads_what_the_containers_are_told() -> None:
    text = (ROOT / "src/rookery/cli/serve.py").read_text("utf-8")
    read = set(re.findall(r'envvar="(ROOKERY_\w+_URL)"', text))
    assert 'envvar="ROOKERY_BOTS_AT"' in text
    assert 'os.environ.get("ROOKERY_ADMIN_SECRET")' in text
    told = {one["Name"] for one in SERVER["Secrets"]}
    assert told == {*read, BOTS_SECRET, "ROOKERY_ADMIN_SECRET"}
