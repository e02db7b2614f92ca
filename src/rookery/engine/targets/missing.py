"""The error that a target is not here."""

from __future__ import annotations


class MissingTarget(ValueError):
    """Kernels cannot run on a target on this machine. Code: ``no-target``."""

    code = "no-target"
