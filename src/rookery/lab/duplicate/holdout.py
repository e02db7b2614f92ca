"""The ledger of holdout matches: each question may be played on the holdout once.

It is an SQLite file in the user's data folder, so two programs at once cannot both use a question.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS looks (question TEXT PRIMARY KEY, asked TEXT NOT NULL,"
    " begun TEXT NOT NULL, outcome TEXT)"
)


class LookedAlready(ValueError):
    """The question has been played on the holdout before. Code: ``looked-already``."""

    code = "looked-already"


class LedgerUnusable(ValueError):
    """The ledger cannot be read or written. Code: ``ledger-unusable``."""

    code = "ledger-unusable"


def usual_ledger() -> Path:
    """Return the ledger's default path."""
    from platformdirs import user_data_path

    return user_data_path("rookery", appauthor=False) / "holdout.sqlite"


@dataclass(frozen=True)
class Look:
    """One holdout match that is being played; call `done` with its outcome."""

    path: Path
    question: str

    def done(self, outcome: str) -> None:
        """Note the outcome, in one line.

        Raises:
            LedgerUnusable: it cannot be noted.
        """
        with _opened(self.path) as ledger:
            ledger.execute(
                "UPDATE looks SET outcome = ? WHERE question = ?", (outcome, self.question)
            )


def begin_look(path: Path, question: str, settings: str) -> Look:
    """Note that a question, a hash, is about to be played on the holdout, and return the look.

    A look that was interrupted before it had an outcome may be begun again, with the same settings:
    seed and size, in words.

    Raises:
        LookedAlready: it was played before, or begun with other settings.
        LedgerUnusable: the ledger cannot be read or written.
    """
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with _opened(path) as ledger:
        done = ledger.execute(
            "INSERT INTO looks VALUES (?, ?, ?, NULL) ON CONFLICT DO NOTHING",
            (question, settings, now),
        )
        if not done.rowcount:
            before, begun, outcome = ledger.execute(
                "SELECT asked, begun, outcome FROM looks WHERE question = ?", (question,)
            ).fetchone()
            if outcome is not None or before != settings:
                showed = outcome or "interrupted; only the same may be begun again"
                raise LookedAlready(
                    f"the holdout was used for this question on {begun[:10]} ({before}: {showed}); "
                    "it is looked at once, so take the family validation or tuning"
                )
    return Look(path, question)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=10)) as ledger, ledger:
            ledger.execute(_TABLE)
            yield ledger
    except (OSError, sqlite3.Error) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
        raise LedgerUnusable(f"{path}: {why}; expected a ledger that can be written") from None
