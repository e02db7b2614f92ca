"""Which target runs a kernel where nobody says: ``$ROOKERY_TARGET``, else what this machine has.

A table, hints and review take the native library, else Numba. The laboratory takes Numba, whose
code for one rule set is faster, and the native library until it is compiled.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any, Final, Literal, TypeAlias

from rookery.engine.targets import MissingTarget, Target, native

Cores: TypeAlias = Literal["python", "native", "numba"]  # the targets that run on the cores
CHOICES: Final[tuple[Cores, ...]] = ("python", "native", "numba")
VARIABLE: Final = "ROOKERY_TARGET"


def wanted() -> Cores | None:
    """Return the target that ``$ROOKERY_TARGET`` names; None where it is not set.

    Raises:
        MissingTarget: it names none, or one that is not here.
    """
    written = os.environ.get(VARIABLE, "").strip().lower()
    if not written:
        return None
    for target in CHOICES:
        if target == written:
            check(target, f"{VARIABLE}={target}")
            return target
    raise MissingTarget(f"{VARIABLE}={written}: expected {', '.join(CHOICES)}")


def check(target: str, asked: str) -> None:
    """Refuse a target that is not here; `asked` is what somebody wrote.

    Raises:
        MissingTarget: it is not here.
    """
    if target == "numba" and find_spec("numba") is None:
        raise MissingTarget(f"{asked}: numba is not installed; rookery-cards[lab] brings it")
    if target == "native":
        try:
            native.check()
        except MissingTarget as error:
            raise MissingTarget(f"{asked}: {error}") from None
    if target == "cuda":
        try:
            from rookery.engine.targets.cuda import SIMULATED, cuda
        except ImportError as error:
            raise MissingTarget(
                f"{asked}: needs {error.name}, which is not installed; rookery-cards[gpu] brings it"
            ) from None
        if not SIMULATED and not cuda.is_available():
            raise MissingTarget(
                f"{asked}: no NVIDIA GPU was found here; leave it out to use the cores"
            )


def prefer(target: str) -> None:
    """Let a target that somebody named in another way win over ``$ROOKERY_TARGET``, everywhere."""
    if os.environ.pop(VARIABLE, "") and target in CHOICES:
        os.environ[VARIABLE] = target


def for_table(*kernels: Callable[..., Any]) -> Cores:
    """Return what runs these kernels soonest; plain Python where nothing else is here.

    Raises:
        MissingTarget: ``$ROOKERY_TARGET`` cannot be had.
    """
    return wanted() or (
        "native" if _usable(*kernels) else "numba" if find_spec("numba") else "python"
    )


def for_laboratory() -> Target:
    """Return what plays most hands in the end; plain Python where nothing else is here.

    Raises:
        MissingTarget: ``$ROOKERY_TARGET`` cannot be had.
    """
    chosen: Target | None = wanted()
    if chosen is not None:
        return chosen
    if find_spec("numba"):
        return "soon" if _usable() else "numba"
    return "native" if _usable() else "python"


def for_seat(who: str, *kernels: Callable[..., Any]) -> Cores:
    """Return what runs the kernels of a bot that somebody waits for; `who` is named if nothing can.

    Raises:
        MissingTarget: there is nothing but plain Python, which nobody asked for.
    """
    found = for_table(*kernels)
    if found == "python" and not wanted():
        raise MissingTarget(
            f"{who} needs the native library or numba; rookery-cards[lab] brings numba"
        )
    return found


def for_training() -> Literal["python", "numba"]:
    """Return what makes examples for a network; the native library makes none.

    Raises:
        MissingTarget: ``$ROOKERY_TARGET`` cannot be had, or names the library; or nobody asked for
            plain Python, and nothing else is here.
    """
    chosen = wanted()
    if chosen == "native":
        raise MissingTarget(f"{VARIABLE}=native: the native library does not train; take numba")
    if chosen is None:
        check("numba", "training")
    return chosen or "numba"


@cache
def _usable(*kernels: Callable[..., Any]) -> bool:
    """Return whether the library has these kernels, and say so once if it is there in vain."""
    try:
        native.check(*kernels)
    except MissingTarget as error:
        if native.LIBRARY.exists():
            print(error, file=sys.stderr)
        return False
    return True
