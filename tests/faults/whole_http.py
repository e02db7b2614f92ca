"""Generated requests in full; what `whole` runs for P9."""

from __future__ import annotations

import time
import warnings
from typing import Final
from unittest.mock import patch

from tests.faults.promises import Control, Result
from tests.server.surface.generated import REVIEW, planted, requests, steps

from rookery.server.api import problems
from rookery.server.http import middleware

REQUESTS: Final = 100_000
# What is no Unicode has one answer, unless it is too long to be read.
DOORS: Final = {"not-unicode", "too-large"}
FOLLOWED: Final = 10  # one request in so many follows a link
REVIEWS: Final = {
    202: "reviews begun",
    200: "reviews shown",
    409: "reviews that nobody can make",
}


def generated(size: int, seed: int, done: int) -> list[Result]:
    """Ask so many generated requests; P9."""
    began = time.perf_counter()
    warnings.simplefilter("ignore")
    control = None
    if not done:
        faulty = requests(300, seed, here=planted())
        with patch.dict(problems.PROBLEMS, {"no-review": problems.Kind(503, "not now")}):
            unable = requests(300, seed, path=REVIEW)
        with patch.object(middleware, "half_at", lambda _: None):
            broken = requests(300, seed, path="/api/rules/check")
        counts = {
            "answers of 5xx to the first": faulty.faults,
            "to the second": unable.faults,
            "other answers to the third": sum(
                broken.halves[code] for code in {*broken.halves} - DOORS
            ),
        }
        control = Control(
            "a handler that trusts an int, a review that nobody can make answered by 503, and a "
            "door that lets half a surrogate pair in",
            faulty.faults > 0 and unable.faults > 0 and bool({*broken.halves} - DOORS),
            counts,
        )
    luck = 1_000_000 * seed + done
    found = [requests(size - size // FOLLOWED, luck), steps(size // FOLLOWED, luck)]
    asked = sum(one.size for one in found)
    counts = {
        "answers of 5xx": sum(one.faults for one in found),
        "bodies that fit no schema": sum(len(one.wrong) for one in found),
        "requests that followed a link": found[1].size,
        "requests that were no Unicode": sum(one.halves.total() for one in found),
        **{told: found[0].statuses[f"GET {REVIEW}", code] for code, told in REVIEWS.items()},
    }
    return [
        Result(
            "P9",
            part="",
            unit="requests",
            size=asked,
            full=REQUESTS,
            held=not any(one.wrong or one.faults or {*one.halves} - DOORS for one in found),
            counts=counts,
            control=control,
            seed=seed,
            seconds=time.perf_counter() - began,
            command="scripts/promises --only P9",
            note=" ".join(told for one in found for told in one.wrong[:1])[:300],
        )
    ]


CAMPAIGNS = {"requests": (("P9",), REQUESTS, 5_000, generated)}
