"""``python -m scripts.docs.website DIR``: build the documentation, for any static host."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scripts.docs.website.build import Failed
from scripts.docs.website.versions import NotOurs, add, put


def main() -> None:
    """Build the site; a fault is said in Sphinx's words, and nothing is written."""
    parser = argparse.ArgumentParser(prog="python -m scripts.docs.website", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder to write")
    parser.add_argument(
        "--among-versions",
        action="store_true",
        help="make DIR/VERSION beside the versions that are there, with a start page",
    )
    chosen = parser.parse_args()
    try:
        if chosen.among_versions:
            print(f"{chosen.folder}: {', '.join(add(chosen.folder))}")
        else:
            put(chosen.folder)
    except (Failed, NotOurs) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
