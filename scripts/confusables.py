"""The confusable characters that the package carries, from Unicode's own file.

``python -m scripts.confusables confusables.txt``, with the file that Unicode publishes for UTS 39,
writes its mapping short: after each prototype the characters that look like it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).resolve().parents[1] / "src/rookery/unicode/confusables.txt"
HEAD: Final = """\
# Which characters look like others: Unicode {version}, UTS 39, from confusables.txt of {date}.
# © 2025 Unicode®, Inc. Unicode and the Unicode Logo are registered trademarks of Unicode, Inc.
# in the U.S. and other countries. The licence is beside this file.
# Code points in hexadecimal: the prototype, then each character that looks like it.
"""


def shortened(text: str) -> str:
    """Return the mapping of Unicode's file as the package carries it."""
    alike: dict[str, list[str]] = {}
    for line in text.splitlines():
        fields = line.partition("#")[0].split(";")
        if len(fields) == 3:
            alike.setdefault(" ".join(fields[1].split()), []).append(fields[0].strip())
    version, date = (re.search(rf"# {what}: ([\d.-]+)", text) for what in ("Version", "Date"))
    if version is None or date is None:
        raise ValueError("expected confusables.txt as Unicode publishes it")
    lines = [f"{prototype}; {' '.join(found)}\n" for prototype, found in alike.items()]
    return HEAD.format(version=version[1], date=date[1]) + "".join(lines)


if __name__ == "__main__":
    PAGE.write_text(shortened(Path(sys.argv[1]).read_text("utf-8-sig")), "utf-8")
