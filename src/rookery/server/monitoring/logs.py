"""What the server says of itself: a line a happening, for people, or for programs as JSON.

A line says when, how grave, which part, and in words what: never a card, a token or what somebody
has said. Of a fault it also says where in the program, and the kind of the fault, but not its
words, which may hold values.
"""

from __future__ import annotations

import logging
import traceback
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeAlias

import msgspec

Form: TypeAlias = Literal["text", "json"]
FORMS: Final[tuple[Form, ...]] = ("text", "json")


class JsonLine(logging.Formatter):
    """A record as one JSON object in a line.

    >>> made = {"name": "rookery.server", "levelname": "WARNING", "created": 0.5, "msg": "late"}
    >>> JsonLine().format(logging.makeLogRecord(made))
    '{"at":"1970-01-01T00:00:00.500Z","level":"warning","part":"rookery.server","text":"late"}'
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "at": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "part": record.name,
            "text": record.getMessage(),
        }
        if record.exc_info is not None and record.exc_info[0] is not None:
            kind, _, where = record.exc_info
            line["fault"] = kind.__name__
            line["where"] = [
                f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(where)
            ]
        return msgspec.json.encode(line).decode()


def begin(form: Form) -> None:
    """Have what the server says written to the error output in this form."""
    if form == "text":
        return  # as Python does by itself: the words alone
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLine())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
