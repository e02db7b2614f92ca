"""The figures of `rookery bench` as a table that fits a terminal."""

from __future__ import annotations

import textwrap

from rookery.lab.bench import Bench, Speed, Start
from rookery.lab.menagerie.study import Mode


def report(bench: Bench, width: int) -> str:
    """Return the figures as text, no line longer than `width`."""
    here = bench.machine
    head = (
        f"{here.processor}, {here.system}, {_cores(here.cores)}; "
        f"Python {here.python}, Numba {here.numba}, NumPy {here.numpy}"
    )
    most = max(speed.cores for speed in bench.speeds)
    # One column for what, the rest for figures: cut a long name, never a figure.
    room = width - 28
    lines = [*textwrap.wrap(head, width), "", f"{'hands a second':<{room}}{'one core':>14}"]
    if most > 1:
        lines[-1] += f"{_cores(most):>14}"
    rows: dict[tuple[str, str], list[Speed]] = {}
    for speed in bench.speeds:
        rows.setdefault((_what(speed), speed.rules), []).append(speed)
    for (what, rules), speeds in rows.items():
        name = what if speeds[0].work == "study" else f"{what}, {rules}"
        figures = "".join(f"{_hands(speed.hands_per_second):>14}" for speed in speeds)
        lines.append(f"{name[: room - 1]:<{room}}{figures}")
    lines += ["", *textwrap.wrap(_start(bench.start), width)]
    return "\n".join(lines) + "\n"


def _what(speed: Speed) -> str:
    if speed.mode is not None:
        return f"the study, {'as published' if speed.mode is Mode.PUBLISHED else 'by the rules'}"
    who = "the characters" if speed.work == "characters" else "random play"
    return f"plain Python, {who}" if speed.engine == "python" else who


def _start(start: Start) -> str:
    text = (
        f"From nothing to the first hand: {start.cold_seconds:.1f} s compiling, "
        f"{start.warm_seconds:.1f} s with the compiled code on disk, "
        f"{start.plain_seconds:.1f} s in plain Python."
    )
    if start.cold_peak_mib is not None and start.warm_peak_mib is not None:
        text += (
            f" Most memory in use: {start.cold_peak_mib:.0f} MiB compiling, "
            f"{start.warm_peak_mib:.0f} MiB playing."
        )
    return text


def _hands(speed: float) -> str:
    return f"{speed / 1e6:,.3f} M" if speed >= 1e5 else f"{speed:,.0f}"


def _cores(count: int) -> str:
    return "1 core" if count == 1 else f"{count} cores"
