"""Matches that are over, looked at again: each once, and the last of them kept.

A review holds no names: they are put on it when it is shown, so that whoever is forgotten is
forgotten here too.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from rookery.server.bots.engine import BotTally, BotThreads, Unanswered

log = logging.getLogger(__name__)

KEPT: Final = 16 * 1024 * 1024  # bytes of all reviews together, packed
AT_WORK: Final = 32  # matches that may wait to be looked at
LONGEST: Final = 1800.0  # seconds until one is given up


class Working(NamedTuple):
    """How far it is: decisions judged, of how many; of 0 before that is known."""

    done: int
    whole: int


class _Job:
    def __init__(self) -> None:
        self.done = self.whole = 0
        self.task: asyncio.Task[None] | None = None

    def progress(self, done: int, whole: int) -> None:
        self.done, self.whole = done, whole


class Reviews:
    """What has been found about matches, and what is being found."""

    def __init__(self, tally: BotTally, room: int = KEPT) -> None:
        """Begin with none; `room` is how many bytes are kept."""
        self._tally, self._room = tally, room
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._held = 0
        self._jobs: dict[str, _Job] = {}
        self._failed: set[str] = set()

    def there(self, record: bytes) -> bool:
        """Return whether a match has been looked at, or is being."""
        key = _key(record)
        return key in self._kept or key in self._jobs

    def of(self, record: bytes, thinker: BotThreads) -> bytes | Working:
        """Return the review of a match, JSON, or how far it is; it is begun if need be.

        Args:
            record: the match, as `anonymous` has it.
            thinker: who looks at it.

        Raises:
            Unanswered: nobody can, ``absent``; too many are waited for, ``busy``; or it came to
                nothing, ``failed``: asked again, it is tried again.
        """
        key = _key(record)
        if key in self._kept:
            self._kept.move_to_end(key)
            return zlib.decompress(self._kept[key])
        if key in self._failed:
            self._failed.discard(key)
            raise Unanswered("failed")
        if key not in self._jobs:
            if len(self._jobs) >= AT_WORK:
                raise Unanswered("busy")
            job = self._jobs[key] = _Job()
            job.task = asyncio.create_task(self._find(key, record, thinker, job))
        return Working(self._jobs[key].done, self._jobs[key].whole)

    async def close(self) -> None:
        """Look at nothing more."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._jobs.clear()

    async def _find(self, key: str, record: bytes, thinker: BotThreads, job: _Job) -> None:
        ended = "failed"
        try:
            async with asyncio.timeout(LONGEST):
                found = await thinker.review(record, job.progress)
            self._keep(key, await asyncio.to_thread(zlib.compress, found))
            ended = "done"
        except Unanswered as error:
            log.warning("a match is not looked at: %s", error.why)
            ended = error.why
            self._failed.add(key)
        except TimeoutError:
            log.warning("a match is not looked at: it takes too long")
            self._failed.add(key)
        finally:
            self._tally.reviews[ended] += 1
            self._jobs.pop(key, None)

    def _keep(self, key: str, packed: bytes) -> None:
        self._kept[key] = packed
        self._held += len(packed)
        while self._held > self._room and len(self._kept) > 1:
            self._held -= len(self._kept.popitem(last=False)[1])


def anonymous(record: str) -> bytes:
    """Return a ``rookery/1`` record without the names in it, and without the proofs of its deals.

    >>> anonymous('{"format": "rookery/1", "players": ["Ann"], "hands": [{"proof": {}}]}')
    b'{"format":"rookery/1","hands":[{}]}'
    """
    held: dict[str, Any] = json.loads(record)
    held.pop("players", None)
    for hand in held["hands"]:
        hand.pop("proof", None)
    return json.dumps(held, separators=(",", ":")).encode()


def named(review: bytes, players: Sequence[str]) -> bytes:
    """Return a review with the players' names on it.

    >>> named(b'{"players":[{"seat":0,"name":null}]}', ["Ann"])
    b'{"players":[{"seat":0,"name":"Ann"}]}'
    """
    held: dict[str, Any] = msgspec.json.decode(review)
    for player, name in zip(held.get("players", ()), players, strict=False):
        player["name"] = name
    return msgspec.json.encode(held)


def _key(record: bytes) -> str:
    return hashlib.sha256(record).hexdigest()
