"""The double-dummy solver, and worlds that agree with what a seat has seen.

In its kernels ``w`` is an `Ending`, the solver's own position, and ``k`` the `Constraints` that a
seat knows. The others are as in `rookery.engine`.
"""
