"""Tables on a GPU. They need ``rookery-cards[gpu]``, and an NVIDIA GPU or its simulator."""

from __future__ import annotations

from rookery.engine.targets import MissingTarget


def check_gpu() -> None:
    """Refuse a GPU that is not here.

    Raises:
        MissingTarget: numba-cuda is not installed, or there is no GPU that it can use.
    """
    try:
        from rookery.engine.targets.cuda import SIMULATED, cuda
    except ImportError as error:
        raise MissingTarget(
            f"target cuda: needs {error.name}, which is not installed; rookery-cards[gpu] brings it"
        ) from None
    if not SIMULATED and not cuda.is_available():
        raise MissingTarget("target cuda: no NVIDIA GPU was found here; leave target out")
