"""P19: a server is updated while people play, and back; nobody loses a card."""

from __future__ import annotations

import asyncio
import subprocess
from importlib import metadata
from pathlib import Path

import pytest
from tests.faults import rolling
from tests.faults.growth import TABLES
from tests.faults.rolling import Rolling, sources
from tests.server.growth.engines import postgres, redis

pytestmark = pytest.mark.slow


def test_both_versions_have_tables_at_once_and_the_games_go_on(tmp_path: Path) -> None:
    # Two copies of one program: what differs in a real update, `scripts/promises --only updates`
    # shows with a revision of the past.
    old, new = sources(tmp_path / "old"), sources(tmp_path / "new")

    async def scene() -> None:
        async with updating.begun(old, TABLES[:2]):
            await updating.becomes(updating.servers[0], new)
            first, second = (running(server.pid) for server in updating.servers)
            assert (first, second) == (new, old)

    with postgres() as elephant, redis() as herald:
        updating = Rolling(tmp_path / "data", elephant, herald, seed=3)
        asyncio.run(scene())
    result = updating.result
    assert result.found == []
    assert result.did == {"replaced": 1}
    assert result.acked >= 16


def test_a_program_of_the_past_finds_its_own_version(tmp_path: Path) -> None:
    (own,) = metadata.distributions(path=[str(sources(tmp_path, "HEAD"))])
    assert (own.name, own.version) == ("rookery-cards", metadata.version("rookery-cards"))


def test_what_is_updated_from_is_the_last_release_or_the_first_that_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / rolling.VERSIONED
    program.parent.mkdir(parents=True)
    monkeypatch.setattr(rolling, "ROOT", tmp_path)

    def git(*words: str) -> str:
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        ran = subprocess.run(
            ("git", *who, *words), cwd=tmp_path, check=True, capture_output=True, text=True
        )
        return ran.stdout.strip()

    def commit(text: str, *releases: str) -> str:
        dated = [f"## [{version}] - 2026-11-28\n" for version in (*releases, "0.9")]
        (tmp_path / "CHANGELOG.md").write_text("".join(dated))
        program.write_text(text)
        git("add", ".")
        git("commit", "-q", "--no-gpg-sign", "-m", "Another one")
        return git("rev-parse", "--short", "HEAD")

    git("init", "-q")
    commit('HEAD: Final = "2"\n')
    with pytest.raises(LookupError, match="of version 2"):
        rolling.before()
    first = commit('HEAD: Final = "3"\n')
    with pytest.raises(LookupError, match="of version 3"):
        rolling.before()  # that is the program of today
    commit('# more\nHEAD: Final = "3"\n')
    assert rolling.before() == first
    written = commit('# as released\nHEAD: Final = "3"\n', "1.0")
    later = commit('# after it\nHEAD: Final = "3"\n', "1.1", "1.0")
    assert rolling.before() == written  # 1.1 is the program of today
    commit('# after 1.1\nHEAD: Final = "3"\n', "1.1", "1.0")
    assert rolling.before() == later
    git("tag", "v1.0")
    program.write_text('# still more\nHEAD: Final = "3"\n')
    assert rolling.before() == "v1.0"


def running(pid: int) -> Path:
    """Return where the program of a process lies."""
    environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    (path,) = (each for each in environment if each.startswith(b"PYTHONPATH="))
    return Path(path.partition(b"=")[2].decode())
