"""What tables on a GPU do on this machine: whether they are right, and how fast; under 8 minutes.

    python -m benchmarks.envs.on_gpu [--minutes M]

It needs an NVIDIA GPU, ``rookery-cards[gpu,rl]`` and the native library. First the same games are
played on the GPU and by the library, byte for byte; a difference ends it. Then it counts decisions
a second by the clock, each with its observation and mask, actions drawn on the GPU. With PyTorch,
where it is here, it takes tensors without a copy, and lets `examples/agents/ppo_torch.py` learn in
the time that is left. The last line is all figures as JSON.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from tests.envs.on_gpu import RULES, first_difference, pair

from rookery.envs.gpu.tables import DeviceTables
from rookery.envs.tables import Tables

SIZES: Final = (4_096, 16_384, 65_536, 262_144)
SECONDS: Final = 3.0  # of each measurement
AGENTS: Final = Path(__file__).resolve().parents[2] / "examples" / "agents"


def device() -> str:
    """Return what the GPU is called."""
    from rookery.engine.targets.cuda import cuda

    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def check(until: float) -> dict[str, Any]:
    """Play the same on the GPU and by the library, until it is so late; return what was found."""
    found: dict[str, Any] = {}
    for name in RULES:
        began = time.monotonic()
        if began > until:
            break
        difference, ended = first_difference(*pair(name, 1000), 300)
        seconds = round(time.monotonic() - began, 1)
        found[name] = {"difference": difference, "episodes": ended, "seconds": seconds}
        print(f"{name}: {difference or 'alike'}, {ended} episodes, {seconds} s", flush=True)
        if difference:
            sys.exit(f"{name}: the GPU and the library differ in {difference}")
    return found


def per_second(step: Callable[[], object], tables: int) -> int:
    """Return decisions a second by the clock; the first steps are not counted."""
    for _ in range(30):
        step()
    steps, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < SECONDS:
        step()
        steps += 1
    return round(steps * tables / spent)


def drawn(tables: Tables | DeviceTables) -> Callable[[], object]:
    """Return a step whose actions are drawn where the tables are."""
    tables.begin(1)
    return lambda: tables.step(tables.draw(), again=True)


def speeds(opponents: str) -> dict[str, int]:
    """Return decisions a second by how many tables there are, and those of the native library."""
    given: dict[str, Any] = {"agents": [0], "opponents": opponents}
    found = {}
    library = Tables("kd_tournament", SIZES[0], target="native", **given)
    found["native library, one core"] = per_second(drawn(library), SIZES[0])
    for size in SIZES:
        found[str(size)] = per_second(drawn(DeviceTables("kd_tournament", size, **given)), size)
    for size, speed in found.items():
        print(f"against {opponents}, {size}: {speed:,} decisions/s", flush=True)
    return found


def with_torch() -> dict[str, Any]:
    """Let PyTorch choose, without a copy; return whether it was none, and decisions a second."""
    import torch

    size = SIZES[1]
    tables = DeviceTables("kd_tournament", size, agents=[0], opponents="random")
    tables.begin(1)
    seen, mask = map(torch.from_dlpack, (tables.now["compact"], tables.masks))
    address = tables.now["compact"].__cuda_array_interface__["data"][0]
    assert seen.is_cuda
    assert seen.data_ptr() == address, "PyTorch took a copy"
    assert mask.shape == tables.masks.shape

    def step() -> None:
        tables.step(torch.multinomial(mask.float(), 1)[:, 0], again=True)

    speed = per_second(step, size)
    print(f"PyTorch chooses at {size} tables: {speed:,} decisions/s, no copies", flush=True)
    return {"torch": torch.__version__, "per_second": speed}


def train(seconds: float) -> list[dict[str, Any]]:
    """Let the example learn for so long; return its curve."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["ppo_torch.py", "--hours", f"{seconds / 3600:.4f}", "--deals", "200"]
        subprocess.run([sys.executable, *words, "--out", folder], cwd=AGENTS, check=True)  # noqa: S603
        curve: list[dict[str, Any]] = json.loads((Path(folder) / "curve.json").read_text("utf-8"))
    return curve


def main() -> None:
    """Check, measure, train, and print all figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=7.5, help="of all of it")
    whole = 60 * parser.parse_args().minutes
    began = time.monotonic()
    found: dict[str, Any] = {"gpu": device()}
    print(found["gpu"], flush=True)
    found["alike"] = check(began + whole / 3)
    found["random"], found["club"] = speeds("random"), speeds("club")
    if find_spec("torch"):
        found["torch"] = with_torch()
        left = whole - (time.monotonic() - began) - 45  # its first and last measurements
        if left > 30:
            found["ppo"] = train(left)
    found["seconds"] = round(time.monotonic() - began)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
