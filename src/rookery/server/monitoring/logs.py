"""What the server says of itself: a line a happening, for people, or for programs as JSON.

A line says when, how grave, which part, and in words what: never a card, a token or what somebody
has said. Of a fault it also says where in the program, and the kind of the fault, but not its
words, which may hold values.
"""

from __future__ import annotations

import logging
import threading
import traceback
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeAlias

import msgspec

Form: TypeAlias = Literal["text", "json"]

# What uvicorn says each time of whatever a stranger sends: no request, an upgrade that there is
# not, a socket that is refused, a message that is no text, and a request beyond all that it takes
# at once. Figures count all but the second.
OF_STRANGERS: Final = (
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "ASGI callable returned without completing handshake.",
    "Invalid UTF-8 sequence received from client.",
    "Exceeded concurrency limit.",
)

log = logging.getLogger(__name__)


def fault(record: logging.LogRecord) -> tuple[str, list[str]] | None:
    """Return the kind of a record's fault, and its places, the innermost last; None without one."""
    if record.exc_info is None or record.exc_info[0] is None:
        return None
    kind, _, where = record.exc_info
    frames = traceback.extract_tb(where)
    return kind.__name__, [f"{f.filename.rpartition('/')[2]}:{f.lineno} {f.name}" for f in frames]


def said(record: logging.LogRecord) -> str:
    """Return what a record says happened, without values of the program."""
    if record.name == "asyncio":
        # It adds what was called with which values, and the words of the fault.
        return str(record.msg).partition("\n")[0].partition(" in callback ")[0]
    return record.getMessage().strip()


class TextLine(logging.Formatter):
    """A record as a line for people.

    >>> made = {"name": "rookery.server", "levelname": "WARNING", "msg": "late"}
    >>> TextLine().format(logging.makeLogRecord(made))
    'late'
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        found = fault(record)
        if found is None:
            return said(record)
        kind, where = found
        return f"{said(record)}: {kind} at {', '.join(where) or 'no place of the program'}"


class JsonLine(logging.Formatter):
    """A record as one JSON object in a line, with what stands in its `fields` besides.

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
            # A path need not be Unicode, and JSON has to be.
            "text": said(record).encode("utf-8", "backslashreplace").decode(),
        }
        line |= getattr(record, "fields", {})
        if (found := fault(record)) is not None:
            line["fault"], line["where"] = found
        return msgspec.json.encode(line).decode()


def begin(form: Form) -> None:
    """Write what the server says to the error output in this form."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLine() if form == "json" else TextLine())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("uvicorn.error").addFilter(is_ours)
    threading.excepthook = _thread_failed


def is_ours(record: logging.LogRecord) -> bool:
    """Return whether a line is not one of those by which a stranger could fill the disk."""
    return record.msg not in OF_STRANGERS


def _thread_failed(failed: threading.ExceptHookArgs) -> None:
    """Log what ends a thread; Python would write the fault's words."""
    if failed.exc_value is not None:
        end = (failed.exc_type, failed.exc_value, failed.exc_traceback)
        log.error("a thread failed", exc_info=end)
