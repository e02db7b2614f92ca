"""Reviews of matches that are over: each match is reviewed once, and the latest reviews are kept.

A review holds no names. They are added when it is shown, so that whoever is forgotten is forgotten
here too.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from pydantic import BaseModel, Field

from rookery.server.bots.engine import BotTally, BotThreads, Unanswered
from rookery.server.work import cancelled

log = logging.getLogger(__name__)

KEPT: Final = 16 * 1024 * 1024  # bytes of all reviews together, compressed
AT_WORK: Final = 32  # matches that may be under review, or wait for it
FAILED: Final = 256  # matches of which it is known that the last try failed
LONGEST: Final = 1800.0  # seconds until a review is given up


class ReviewAtWork(BaseModel):
    """A review that is being made."""

    done: int = Field(description="Decisions judged so far.")
    whole: int = Field(description="Decisions there are; 0 until that is known.")


class _Job:
    working = ReviewAtWork(done=0, whole=0)
    task: asyncio.Task[None] | None = None

    def progress(self, done: int, whole: int) -> None:
        self.working = ReviewAtWork(done=done, whole=whole)


class Reviews:
    """The reviews of matches: those that are kept, and those that are being made."""

    def __init__(self, tally: BotTally, room: int = KEPT) -> None:
        """Begin with none; `room` is how many bytes are kept."""
        self._tally, self._room = tally, room
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0  # bytes of those
        self._jobs: dict[str, _Job] = {}
        self._failed: dict[str, None] = {}

    def there(self, record: bytes) -> bool:
        """Return whether the review of a match is kept or being made."""
        key = _key(record)
        return key in self._kept or key in self._jobs

    def of(self, record: bytes, thinker: BotThreads) -> bytes | ReviewAtWork:
        """Return the review of a match, JSON, or how far it is; it is begun if need be.

        The `record` is as `anonymous` returns it.

        Raises:
            Unanswered: nobody can make it (``absent``), too many are being made (``busy``), or it
                could not be made (``failed``); the next call after that tries again.
        """
        key = _key(record)
        if key in self._kept:
            self._kept.move_to_end(key)
            return zlib.decompress(self._kept[key])
        if key in self._failed:
            del self._failed[key]
            raise Unanswered("failed")
        if key not in self._jobs:
            if len(self._jobs) >= AT_WORK:
                raise Unanswered("busy")
            job = self._jobs[key] = _Job()
            job.task = asyncio.create_task(self._make(key, record, thinker, job))
        return self._jobs[key].working

    async def close(self) -> None:
        """Make no more reviews."""
        await cancelled(job.task for job in self._jobs.values() if job.task is not None)
        self._jobs.clear()

    async def _make(self, key: str, record: bytes, thinker: BotThreads, job: _Job) -> None:
        ended = "failed"
        try:
            async with asyncio.timeout(LONGEST):
                review = await thinker.review(record, job.progress)
            self._keep(key, await asyncio.to_thread(zlib.compress, review))
            ended = "done"
        except Unanswered as error:
            log.warning("a match is not reviewed: %s", error.why)
            ended = error.why
        except TimeoutError:
            log.warning("a match is not reviewed: it takes too long")
        except Exception:
            log.exception("a match is not reviewed")
        finally:
            if ended != "done":
                self._failed[key] = None
                if len(self._failed) > FAILED:
                    del self._failed[next(iter(self._failed))]
            self._tally.reviews[ended] += 1
            self._jobs.pop(key, None)

    def _keep(self, key: str, packed: bytes) -> None:
        self._kept[key] = packed
        self._size += len(packed)
        while self._size > self._room and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])


def anonymous(record: str) -> bytes:
    """Return a ``rookery/1`` record without who played, and the proofs of its deals.

    >>> anonymous('{"format": "rookery/1", "players": ["Ann"], "hands": [{"players": ["Bob"]}]}')
    b'{"format":"rookery/1","hands":[{}]}'
    """
    document: dict[str, Any] = json.loads(record)
    for part in (document, *document["hands"]):
        for said in ("players", "bots", "proof"):
            part.pop(said, None)
    return json.dumps(document, separators=(",", ":")).encode()


def named(review: bytes, players: Sequence[str]) -> bytes:
    """Return a review with the players' names in it.

    >>> named(b'{"players":[{"seat":0,"name":null}]}', ["Ann"])
    b'{"players":[{"seat":0,"name":"Ann"}]}'
    """
    document: dict[str, Any] = msgspec.json.decode(review)
    for player, name in zip(document.get("players", ()), players, strict=False):
        player["name"] = name
    return msgspec.json.encode(document)


def _key(record: bytes) -> str:
    return hashlib.sha256(record).hexdigest()
