"""Whether a package that a lock file names is known to be bad, and a list of all of them.

`scripts/audit` runs this. What is known stands in public advisories, which `pip-audit` asks for; an
address of other ones may be given, such as one's own copy. Where nobody can be asked, that is said,
and it counts as not passed: what was not looked at is not known to be good.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
LOCKS: Final = (ROOT / "requirements.lock", ROOT / "requirements-dev.lock")
SERVER: Final = LOCKS[0]  # what players' data goes through
BAD, UNASKED = 1, 3


class Hole(NamedTuple):
    """Something that is known of a package.

    Attributes:
        package: its name and version, ``name==1.2.3``.
        advisory: which advisory says it.
        mended: the versions in which it is mended; empty where there is none.
    """

    package: str
    advisory: str
    mended: str


class Unasked(Exception):
    """The advisories could not be asked for."""


def holes(lock: Path, advisories: str | None = None) -> list[Hole]:
    """Return what is known of the packages of a lock file.

    Raises:
        Unasked: the advisories cannot be reached, or a package was left out.
    """
    # Only what is pinned with its hashes is looked at, and nothing is fetched or run for it.
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    command += ["--requirement", str(lock), "--format", "json", "--progress-spinner", "off"]
    command += ["--vulnerability-service", "osv"]
    if advisories is not None:
        command += ["--osv-url", advisories]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    try:
        found = json.loads(done.stdout)["dependencies"]
    except (ValueError, LookupError):
        last = done.stderr.strip().splitlines()[-1:] or ["no answer"]
        raise Unasked(last[0][:200]) from None
    left_out = [each["name"] for each in found if "skip_reason" in each]
    if left_out or not found:
        raise Unasked(f"not looked at: {', '.join(left_out) or 'everything'}")
    return [
        Hole(f"{each['name']}=={each['version']}", hole["id"], ", ".join(hole["fix_versions"]))
        for each in found
        for hole in each["vulns"]
    ]


def list_packages(lock: Path, file: Path, *, check: bool = True) -> int:
    """Write the packages of a lock file as a CycloneDX bill of materials; return how many.

    The same lock gives the same file; `check` holds it against the form's own schema.

    Raises:
        OSError: it cannot be written.
    """
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", str(lock)]
    command += ["--pyproject", str(ROOT / "pyproject.toml"), "--output-reproducible"]
    command += ["--validate" if check else "--no-validate"]
    made = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    document = json.loads(made.stdout)
    for component in document["components"]:
        # Where a package comes from is the installation's affair; what it is, its hashes say.
        component.pop("description", None)
        links = component.pop("externalReferences", [])
        hashes = [one for link in links for one in link.get("hashes", [])]
        component["hashes"] = sorted(hashes, key=lambda one: one["content"])
    text = json.dumps(document, indent=2) + "\n"
    beside = file.with_name(f"{file.name}.part")
    beside.write_text(text, encoding="utf-8")
    beside.replace(file)
    return len(document["components"])


def main(arguments: list[str] | None = None) -> int:
    """Look, and say what was found; return 0, 1 for a hole, 3 where nobody could be asked."""
    parser = argparse.ArgumentParser(
        prog="scripts/audit", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--lock", type=Path, action="append", help="a lock file; both without")
    parser.add_argument("--advisories", metavar="URL", help="other advisories, in OSV's form")
    parser.add_argument("--sbom", type=Path, metavar="FILE", help="write the list of packages too")
    chosen = parser.parse_args(arguments)
    worst = 0
    if chosen.sbom is not None:
        try:
            print(f"{chosen.sbom}: {list_packages(SERVER, chosen.sbom)} packages")
        except OSError as error:
            parser.error(f"--sbom: {chosen.sbom}: {(error.strerror or str(error)).lower()}")
    for lock in chosen.lock or LOCKS:
        if not lock.is_file():
            parser.error(f"--lock: {lock}: no such file")
        try:
            found = holes(lock, chosen.advisories)
        except Unasked as error:
            print(f"{lock.name}: the advisories cannot be asked for: {error}", file=sys.stderr)
            worst = max(worst, UNASKED)
            continue
        for hole in found:
            mended = f"; mended in {hole.mended}" if hole.mended else "; not mended yet"
            print(f"{lock.name}: {hole.package}: {hole.advisory}{mended}", file=sys.stderr)
        if found:
            worst = max(worst, BAD)
        else:
            print(f"{lock.name}: nothing is known against it")
    return worst


if __name__ == "__main__":
    sys.exit(main())
