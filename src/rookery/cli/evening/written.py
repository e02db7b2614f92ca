"""What people have written down of an evening: a file, or what comes in by standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from rookery.cli.arguments import Refused

T = TypeVar("T")


def read_written(
    file: Path, read: Callable[[str, str], T], expected: str, wrong: type[ValueError]
) -> T:
    """Return what `read` makes of a file's text and name; `-` is standard input.

    Raises:
        Refused: it cannot be read, or `read` raised `wrong`; in one line.
    """
    where = "standard input" if str(file) == "-" else str(file)
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return read(data.decode(), file.name)
    except OSError as error:
        reason = (error.strerror or "cannot be opened").lower()
        raise Refused(f"{where}: {reason}; expected {expected}") from None
    except UnicodeDecodeError:
        raise Refused(f"{where}: is no text in UTF-8; expected {expected}") from None
    except wrong as error:
        # What is neither TOML nor JSON has named the file.
        raise Refused(f"{where}: {str(error).removeprefix(f'{file.name}: ')}") from None
