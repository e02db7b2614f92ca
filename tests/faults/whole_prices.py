"""What one address can take of a server, in full."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

from fastapi import FastAPI
from tests.faults.deluge import Deluge
from tests.faults.price import DEAR, HANDS, NAMES, OWN, costs, flooded, unpaid, unpriced
from tests.faults.promises import Control, Result, share
from tests.server.http.served import Here

MOST: Final = 50.0  # milliseconds, p99
PRICED: Final = 10.0  # seconds in which somebody asks for what is dear
PRICE: Final = 10.0  # per cent of a core
CHARGED: Final = 0.5  # of what a request takes, which its address pays at least


def prices(size: int, seed: int, done: int) -> list[Result]:
    """Ask without end for the dearest of so many routes and messages, one by one, then all; P25."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        cost = costs(_made(folder / "costs"), HANDS)
        with unpaid(DEAR["replay"].path):
            unseen = costs(_made(folder / "unpaid"), HANDS)["replay"]
        alone = flooded(folder, None, PRICED).share
        found = {name: measured(folder, name, alone) for name in NAMES[done : done + size]}
        free = flooded(folder, "replay", PRICED, "gratis")
    app, further = _application(), _application()
    further.add_api_route("/api/new", lambda: None)
    taken = {name: median(_share(one, alone) for one in each) for name, each in found.items()}
    waits = {name: median(_wait(one) for one in each) for name, each in found.items()}
    every = [one for each in found.values() for one in each]
    # Their own tables' play is apart, but nobody else may wait for it.
    dearest = max(taken.keys() - {OWN}, key=lambda n: taken[n])
    slowest = max(waits, key=lambda n: waits[n])
    most = max(cost, key=lambda n: cost[n].taken)
    least = min(cost, key=lambda n: cost[n].paid / cost[n].taken)
    caught = {
        "a server that gives everything away": 100 * (free.share - alone) > PRICE,
        "a route for which nobody pays": unseen.paid < CHARGED * unseen.taken,
        "a route that has no price here": bool(unpriced(further)),
    }
    return [
        Result(
            promise="P25",
            part="",
            unit="routes and messages",
            size=len(found),
            full=len(NAMES),
            held=taken[dearest] <= PRICE
            and waits[slowest] < MOST
            and cost[least].paid >= CHARGED * cost[least].taken
            and not unpriced(app),
            counts={
                "answers with what was asked for": sum(one.answers[200] for one in every),
                "refused": sum(one.answers[429] for one in every),
                "measured three times": sum(len(each) > 1 for each in found.values()),
            },
            figures={
                f"ms of a core for a request, most ({most})": 1000 * cost[most].taken,
                f"share of that which its address pays, least ({least})": cost[least].paid
                / cost[least].taken,
                f"per cent of a core, most ({dearest})": taken[dearest],
                f"an acknowledgement to others, p99 ms, most ({slowest})": waits[slowest],
                "an acknowledgement to others, most ms": max(max(f.waits) for f in every),
            },
            seed=seed,
            seconds=time.perf_counter() - began,
            command="scripts/promises --only P25",
            control=Control(
                "; ".join(caught),
                all(caught.values()),
                {"faults planted": len(caught), "found": sum(caught.values())},
            ),
            note="; ".join(f"{name} {taken[name]:.1f} %" for name in found),
        )
    ]


def measured(folder: Path, name: str, alone: float) -> list[Deluge]:
    """Return one measurement of a name, or three where that is over a limit; their medians count.

    A route that costs too much does so each time; a disk that others use stands still at times,
    for 50 ms and more, whoever asks.
    """
    found = [flooded(folder, name, PRICED)]
    if _share(found[0], alone) > (100.0 if name == OWN else PRICE) or _wait(found[0]) >= MOST:
        found += [flooded(_made(folder / f"{name}-{n}"), name, PRICED) for n in (2, 3)]
    return found


def _share(one: Deluge, alone: float) -> float:
    return 100 * (one.share - alone)


def _wait(one: Deluge) -> float:
    return share(one.waits, 0.99)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _application() -> FastAPI:
    app = getattr(Here().app, "_app", None)
    assert isinstance(app, FastAPI)
    return app


CAMPAIGNS: Final = {"prices": (("P25",), len(NAMES), len(NAMES), prices)}
