"""What commands make sure of before anything is played."""

from __future__ import annotations

from pathlib import Path

from rookery.cli.errors import Refused


def check_number(option: str, number: int | None, least: int, most: int) -> None:
    """Refuse a number that is out of range; None is fine."""
    if number is not None and not least <= number <= most:
        raise Refused(f"{option} {number}: expected a number from {least} to {most}")


def check_folder(option: str, folder: Path) -> None:
    """Refuse a folder that cannot take files; makes it where it is not there."""
    from rookery.lab.files import prepare

    try:
        prepare(folder)
    except OSError as error:
        raise Refused(f"{option} {folder}: {(error.strerror or str(error)).lower()}") from None


def check_gpu() -> None:
    """Refuse a GPU that is not there."""
    try:
        from rookery.engine.cuda_target import SIMULATED, cuda
    except ImportError as error:
        line = f"--target cuda: needs {error.name}, which is not installed; rookery[gpu] brings it"
        raise Refused(line) from None
    if not SIMULATED and not cuda.is_available():
        raise Refused("--target cuda: no NVIDIA GPU was found here; leave it out to use the cores")
