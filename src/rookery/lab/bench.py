"""The benchmark of the engine on this machine, and its report as a table for a terminal."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from typing import Final, Literal

from pydantic import BaseModel, Field

from rookery.bots.dispatch import kind_of
from rookery.engine.kernel import sources_hash
from rookery.engine.targets import MissingTarget, native
from rookery.engine.targets.choice import wanted
from rookery.game.errors import counted
from rookery.lab.menagerie.study import RULES, Mode, run_study
from rookery.lab.run.jobs import cores as usable_cores
from rookery.lab.run.streams import play_plain, play_stream, play_streams
from rookery.rules import load
from rookery.rules.table import RuleTable, compile_rules

HANDFUL: Final = ("kd_tournament", "kd_full_57", "call_partner_5", "rook_two_1914")
SEED: Final = 1
RUNS: Final = 3  # of which a figure is the median
STREAMS: Final = 8  # a core: enough that no core waits long for the last one
FIRST_TRY: Final = 0.05  # seconds that are enough to tell how many hands fill a run
UNHURRIED: Final = 4  # a try is at most so many times shorter than a run

Work = Literal["study", "characters", "random"]
PLAYED: Final[tuple[Work, ...]] = ("characters", "random")
Engine = Literal["numba", "native", "python"]
FASTEST: Final[tuple[Engine, ...]] = ("numba", "native", "python")  # in this order
TARGETS: Final[dict[Engine, str]] = {
    "python": "plain Python",
    "numba": "Numba",
    "native": "the native library",
}


class Machine(BaseModel, frozen=True):
    """The machine on which the figures were measured."""

    processor: str
    system: str
    cores: int = Field(description="Cores that this process may use.")
    python: str
    numba: str | None = Field(description="Its version; null where it is not installed.")
    numpy: str | None = Field(description="Likewise.")


class Speed(BaseModel, frozen=True):
    """One kind of work on one number of cores."""

    work: Work
    rules: str = Field(description="A variant's id, or a house-rule file.")
    mode: Mode | None = Field(description="Of a study: as published, or by the rules.")
    engine: Engine
    cores: int
    hands_per_second: float = Field(description="The median of the runs.")
    slowest: float
    fastest: float
    runs: int


class Start(BaseModel, frozen=True):
    """A process of its own that plays one hand, from its start to its end."""

    cold_seconds: float | None = Field(
        description="By Numba, with nothing compiled beforehand; null where it is not installed."
    )
    warm_seconds: float | None = Field(description="With the compiled code of the run before.")
    plain_seconds: float = Field(description="On the plain engine: nothing is compiled or loaded.")
    native_seconds: float | None = Field(
        default=None, description="By the native library; null where there is none."
    )
    cold_peak_mib: float | None = Field(description="Most memory in use while compiling.")
    warm_peak_mib: float | None = Field(description="Most memory in use with code from the cache.")


class Bench(BaseModel, frozen=True):
    """What `rookery bench --json` prints."""

    machine: Machine
    engine: str = Field(description="A hash of the engine's sources: same hash, same engine.")
    targets: dict[Engine, float] = Field(
        default_factory=dict,
        description="Hands a second of the four characters on one core, measured in turns, by "
        "every target that this machine has. Numba's code is for these rules alone, the native "
        "library's for all rules.",
    )
    speeds: list[Speed]
    start: Start


def run_bench(
    rules: Sequence[str] = HANDFUL,
    *,
    cores: int,
    seconds: float = 1.0,
    tell: Callable[[str], None] = lambda _: None,
) -> Bench:
    """Measure everything and return the figures; one run takes about `seconds`.

    `rules` are variants or house-rule files for random play. `cores` says how many "all cores"
    are. `tell` is called with a line about the next measurement.

    Raises:
        MissingTarget: ``$ROOKERY_TARGET`` cannot be had.
    """
    targets = here()
    chosen = wanted()
    main: Engine = next(one for one in FASTEST if one in targets) if chosen is None else chosen
    speed = partial(speed_of, seconds, RUNS, engine=main)
    tell(f"every target, the Menagerie's characters, {RULES}")
    compared = speeds_of_targets(seconds)
    each = (1, cores) if cores > 1 and main != "python" else (1,)
    speeds = []
    # Only the study adds up more than hands, and takes NumPy for it.
    for mode in Mode if _version("numpy") else ():
        tell(f"the study, {mode.value}")
        speeds += [speed("study", RULES, n, mode=mode) for n in each]
    tell(f"the Menagerie's characters, {RULES}")
    speeds += [speed("characters", RULES, n) for n in each]
    for name in rules:
        tell(f"random play, {name}")
        speeds += [speed("random", name, n) for n in each]
    if main != "python":
        tell("plain Python")
        speeds += [speed(work, RULES, engine="python") for work in PLAYED]
    tell("starting cold and warm")
    return Bench(
        machine=machine(),
        engine=sources_hash(play_stream),
        targets=compared,
        speeds=speeds,
        start=starts(RULES, targets),
    )


def machine() -> Machine:
    """Return a description of this machine."""
    return Machine(
        processor=_processor(),
        system=f"{platform.system()} {platform.machine()}",
        cores=usable_cores(),
        python=platform.python_version(),
        numba=_version("numba"),
        numpy=_version("numpy"),
    )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package) if find_spec(package) else None
    except (metadata.PackageNotFoundError, ModuleNotFoundError):
        return None


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123  (no file of ours)
            names = [line.partition(":")[2].strip() for line in file if "model name" in line]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def cast_of(work: Work, seats: int) -> list[int]:
    """Return the bots at a table: the four characters in turn, or random ones.

    >>> cast_of("characters", 5), cast_of("random", 3)
    ([0, 1, 2, 3, 0], [4, 4, 4])
    """
    if work == "random":
        return [kind_of("random")] * seats
    return [seat % 4 for seat in range(seats)]


def timed(
    work: Callable[[int], tuple[int, float]], seconds: float, runs: int
) -> tuple[float, float, float]:
    """Return the median, the lowest and the highest speed of runs of about so many seconds.

    `work` is given an amount and returns the hands that it played and the seconds they took.
    """
    work(1)  # compiles, or loads what was compiled before
    amount = 1
    while (took := work(amount)[1]) < min(FIRST_TRY, seconds / UNHURRIED):
        amount *= 2
    amount = max(1, round(amount * seconds / took))
    speeds = sorted(hands / took for hands, took in (work(amount) for _ in range(runs)))
    return statistics.median(speeds), speeds[0], speeds[-1]


def here() -> list[Engine]:
    """Return the targets that this machine has."""
    found: list[Engine] = ["python"]
    if _version("numba"):
        found.append("numba")
    with suppress(MissingTarget):
        native.check(play_stream)
        found.append("native")
    return found


def speeds_of_targets(seconds: float, runs: int = RUNS) -> dict[Engine, float]:
    """Return hands a second of the characters on one core by each target, taken in turns."""
    table = compile_rules(load(RULES))
    speeds: dict[Engine, list[float]] = {engine: [] for engine in here()}
    for _ in range(runs):
        for engine, found in speeds.items():
            found.append(timed(partial(_play, table, "characters", engine, 1), seconds, 1)[0])
    return {engine: statistics.median(found) for engine, found in speeds.items()}


def speed_of(
    seconds: float,
    runs: int,
    work: Work,
    rules: str,
    cores: int = 1,
    *,
    engine: Engine = "numba",
    mode: Mode | None = None,
) -> Speed:
    """Return the speed of one kind of work; a study has a mode, and all other work has none."""
    if mode is None:
        play = partial(_play, compile_rules(load(rules)), work, engine, cores)
    else:
        play = partial(_study, mode, cores, engine)
    median, slowest, fastest = timed(play, seconds, runs)
    return Speed(
        work=work, rules=rules, mode=mode, engine=engine, cores=cores, runs=runs,
        hands_per_second=median, slowest=slowest, fastest=fastest,
    )  # fmt: skip


def _study(mode: Mode, cores: int, engine: Engine, amount: int) -> tuple[int, float]:
    """Play the study; an amount is ten games."""
    study = run_study(mode, 10 * amount, SEED, cores, target=engine)
    return study.hands, study.seconds


def _play(
    table: RuleTable, work: Work, engine: Engine, cores: int, amount: int
) -> tuple[int, float]:
    """Play hands; an amount is ten hands a stream of compiled play, or one hand of plain play."""
    cast = cast_of(work, table.seats)
    began = time.perf_counter()
    if engine == "python":
        hands = amount
        play_plain(table, cast, SEED, 0, amount)
    else:
        hands = STREAMS * cores * 10 * amount
        play_streams(table, cast, SEED, STREAMS * cores, 10 * amount, cores=cores, target=engine)
    return hands, time.perf_counter() - began


def starts(name: str, engines: Container[Engine]) -> Start:
    """Time processes that play one hand of `name`: compiling, from the cache, plain, native."""
    cold = cold_peak = warm = warm_peak = native_seconds = None
    with tempfile.TemporaryDirectory(prefix="rookery-bench-") as folder:
        if "numba" in engines:
            cold, cold_peak = _start(name, "numba", folder)
            warm, warm_peak = _start(name, "numba", folder)
        if "native" in engines:
            native_seconds, _ = _start(name, "native", folder)
        plain, _ = _start(name, "python", folder)
    return Start(
        cold_seconds=cold,
        warm_seconds=warm,
        plain_seconds=plain,
        native_seconds=native_seconds,
        cold_peak_mib=cold_peak,
        warm_peak_mib=warm_peak,
    )


def _start(name: str, engine: str, folder: str) -> tuple[float, float | None]:
    began = time.perf_counter()
    done = subprocess.run(  # noqa: S603  (our own program)
        [sys.executable, "-m", "rookery.lab.first_hand", engine, name],
        env={**os.environ, "ROOKERY_CACHE": folder, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    took = time.perf_counter() - began
    return took, float(done.stdout) or None


def report(bench: Bench, width: int) -> str:
    """Return the figures as text, no line longer than `width`."""
    machine = bench.machine
    head = (
        f"{machine.processor}, {machine.system}, {counted(machine.cores, 'core')}; "
        f"Python {machine.python}, Numba {machine.numba or 'absent'}, "
        f"NumPy {machine.numpy or 'absent'}"
    )
    most = max(speed.cores for speed in bench.speeds)
    # One column for what, the rest for figures: cut a long name, never a figure.
    room = width - 28
    lines = [*textwrap.wrap(head, width), "", f"{'hands a second':<{room}}{'one core':>14}"]
    if most > 1:
        lines[-1] += f"{counted(most, 'core'):>14}"
    rows: dict[tuple[str, str], list[Speed]] = {}
    for speed in bench.speeds:
        rows.setdefault((_what(speed), speed.rules), []).append(speed)
    for (what, rules), speeds in rows.items():
        name = what if speeds[0].work == "study" else f"{what}, {rules}"
        figures = "".join(f"{_hands(speed.hands_per_second):>14}" for speed in speeds)
        lines.append(f"{name[: room - 1]:<{room}}{figures}")
    if bench.targets:
        lines += ["", *textwrap.wrap(_targets_text(bench.targets), width)]
    lines += ["", *textwrap.wrap(_start_text(bench.start), width)]
    return "\n".join(lines) + "\n"


def _what(speed: Speed) -> str:
    if speed.mode is not None:
        return f"the study, {'as published' if speed.mode is Mode.PUBLISHED else 'by the rules'}"
    who = "the characters" if speed.work == "characters" else "random play"
    return f"plain Python, {who}" if speed.engine == "python" else who


def _targets_text(targets: Mapping[Engine, float]) -> str:
    told = ", ".join(f"{TARGETS[engine]} {_hands(speed)}" for engine, speed in targets.items())
    absent = [TARGETS[engine] for engine in TARGETS if engine not in targets]
    rest = f" Not here: {' and '.join(absent)}." if absent else ""
    return f"The characters on one core, measured in turns: {told}.{rest}"


def _start_text(start: Start) -> str:
    text = "From nothing to the first hand: "
    if start.cold_seconds is not None and start.warm_seconds is not None:
        text += (
            f"{start.cold_seconds:.1f} s compiling, "
            f"{start.warm_seconds:.1f} s with the compiled code on disk, "
        )
    if start.native_seconds is not None:
        text += f"{start.native_seconds:.1f} s with the native library, "
    text += f"{start.plain_seconds:.1f} s in plain Python."
    if start.cold_peak_mib is not None and start.warm_peak_mib is not None:
        text += (
            f" Most memory in use: {start.cold_peak_mib:.0f} MiB compiling, "
            f"{start.warm_peak_mib:.0f} MiB playing."
        )
    return text


def _hands(speed: float) -> str:
    return f"{speed / 1e6:,.3f} M" if speed >= 1e5 else f"{speed:,.0f}"
