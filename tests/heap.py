"""What a test measures in processor time is its own, whatever other tests have left in memory."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def left_alone() -> Iterator[None]:
    """Have Python look for garbage only among what is made from now on.

    By the end of a run it takes more than a second to look through everything; whichever test it
    happens in would be told to have taken that.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        forgo()


def forgo() -> None:
    """Have Python never again look for garbage among what is made by now; what is some, it takes.

    All tests lie in memory from the beginning. To look through them again and again took a fifth
    of the processor time of those that make much garbage, as each server does.
    """
    gc.collect()
    gc.freeze()
