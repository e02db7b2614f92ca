"""What each step costs, as it was measured: processor time of one program on one machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

KEPT: Final = Path(__file__).resolve().parents[1] / "results"
TOGETHER: Final = 64  # acts in one commit at most, as in `server/store/writer.py`
SCREENS: Final = 4  # of a table
PEOPLE: Final = 0.75  # of those who act at a table of the load generator; the others are bots
GATHER: Final = 0.02  # seconds in which hints gather, as in `server/cluster/pubsub.py`


class Costs(NamedTuple):
    """Seconds of a core, if nothing else is said.

    Attributes:
        act: of a server, for a command until it is handed to the writer.
        tell: ... for telling one screen of what happened.
        wake: ... besides, each time that it had nothing else to do.
        commit: ... for a commit, and `row` for each act in it.
        sync: how long a commit waits for the disk or the database, not of a core.
        data_commit: of a database for a commit, and `data_row` for each act in it.
        pass_on: of a server that has the socket and not the table, for a message either way.
        hear: of a server for a hint of another.
        hint: of Redis for taking up a hint, and `hinted` for each server that it is passed to.
        come: of a server for a person who comes in: pages, a seat, and a socket that says hello.
        read: of whoever plays many people at once, for a message to or from a screen.
    """

    act: float
    tell: float
    wake: float
    commit: float
    row: float
    sync: float
    read: float = 0.0
    data_commit: float = 0.0
    data_row: float = 0.0
    pass_on: float = 0.0
    hear: float = 0.0
    hint: float = 0.0
    hinted: float = 0.0
    come: float = 0.0


def _kept(name: str) -> Any:  # noqa: ANN401
    return json.loads((KEPT / name).read_text("utf-8"))


def quiet() -> float:
    """Return microseconds of a hand in plain Python, on the quiet machine of 2026-11-20."""
    speeds: list[dict[str, Any]] = _kept("2026-11-20.json")["bench"]["speeds"]
    plain = (one for one in speeds if (one["engine"], one["work"]) == ("python", "characters"))
    return float(1e6 / next(plain)["hands_per_second"])


def quicker() -> float:
    """Return how long a quiet machine takes for what took a second in the last measurement."""
    return float(quiet() / measured_last()["yardstick"]["us a hand"])


def measured_last() -> dict[str, Any]:
    """Return what `benchmarks.crowd.real` kept last."""
    found: dict[str, Any] = _kept(f"{last('crowd-costs')}-crowd-costs.json")
    return found


def last(name: str) -> str:
    """Return the day of the last kept result of this name."""
    return max(path.name for path in KEPT.glob(f"2*-{name}.json"))[: len("2026-11-20")]


def today() -> Costs:
    """Return the costs of the program that `benchmarks.crowd.real` measured last, with PostgreSQL.

    How long a commit takes besides is not among them. To pass a message on was measured where the
    server had little else to do. All are times of the machine of the other results when it was
    quiet: by what plain Python takes on both.
    """
    found = measured_last()
    faster = quicker()
    own, push, through = (
        found[name] for name in ("at its own server", "without a pause", "through another server")
    )
    alone, many = found["stored, 1 tables"], found["stored, 100 tables"]
    told = _kept(f"{last('move')}-move.json")["changes"]
    shares = sum(turn["of that telling, us"] / turn["an act, us"] for turn in told) / len(told)
    steps = from_runs(
        busy=push["home"] / 1e6,
        resting=own["home"] / 1e6,
        telling=shares,
        one=alone["server"] / 1e6,
        of_many=many["server"] / 1e6,
        waited=0.0,  # by the clock of a busy machine; what a disk takes is assumed in its place
        read=own["players"] / 1e6 / SCREENS,
    )
    data_row = own["database"] / 1e6 * min(1.0, many["database"] / alone["database"])
    steps = steps._replace(
        data_commit=own["database"] / 1e6 - data_row,
        data_row=data_row,
        pass_on=through["door"] / 1e6 / (SCREENS + 1),
        hear=found["hint"]["server"] / 1e6,
        hint=found["hint"]["redis"] / 2e6,
        hinted=found["hint"]["redis"] / 2e6,
        come=(own["a socket, door"] + through["a socket, door"]) / 1e6,
    )
    return Costs(*(faster * step for step in steps))


def program_of(day: str) -> Costs:
    """Return the costs of the program of a day with SQLite, on a machine with little to do.

    They are from a run at 100 tables, from one without a pause, and from the store alone. The runs
    at more tables, which are to be foretold, are not among them.
    """
    crowd = _kept(f"{day}-crowd.json")
    rest = crowd["resting"]
    # Where the store was measured with pauses too, that is how it works at a server that rests.
    alone, _, many, *paused = _kept(f"{day}-store.json")["sqlite"]
    alone = paused[0] if paused else alone
    return from_runs(
        busy=1 / crowd["push"]["acts a second of a core"],
        resting=rest["cores"]["server"] / rest["events_per_second"],
        telling=crowd["telling"]["share of an act"],
        one=alone["processor_us"] / 1e6,
        of_many=many["processor_us"] / 1e6,
        waited=alone["p50"] / 1e3,
        read=rest["cores"]["players"] / rest["events_per_second"] / (SCREENS + 2 * PEOPLE),
    )


def spread_of(day: str) -> tuple[float, ...]:
    """Return how many times the mean an act takes, each of a hundred as likely as the others.

    Where that was not measured, all of them take as long.
    """
    name = f"{day}-move.json"
    turns = _kept(name).get("spread") if (KEPT / name).exists() else None
    return tuple(sum(part) / len(part) for part in zip(*turns, strict=True)) if turns else (1.0,)


def real_runs() -> list[dict[str, Any]]:
    """Return the runs that are to be foretold, each with the `day` of its program."""
    names = sorted(path.name for path in KEPT.glob("*-crowd.json"))
    return [{"day": name[:10], **run} for name in names for run in _kept(name)["runs"]]


def from_runs(
    busy: float,
    resting: float,
    telling: float,
    one: float,
    of_many: float,
    waited: float,
    read: float,
) -> Costs:
    """Return what whole runs say of single steps.

    Args:
        busy: seconds of a core for an act, where a server has no pause.
        resting: ... where it mostly rests.
        telling: which share of it goes into telling four screens, the writer left out.
        one: seconds of a core for an act that is committed alone, in the process of the server.
        of_many: ... for one of a full commit.
        waited: how long the commit of one act takes.
        read: seconds of a core for a message, of whoever plays many people.
    """
    row = (of_many - one / TOGETHER) / (1 - 1 / TOGETHER)
    bare = busy - of_many
    return Costs(
        act=bare * (1 - telling),
        tell=bare * telling / SCREENS,
        wake=max(0.0, resting - one - bare) / 2,  # it wakes for the command, and when it is stored
        commit=one - row,
        row=row,
        sync=max(0.0, waited - one),
        read=read,
    )
