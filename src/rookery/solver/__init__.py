"""Exact play with open hands, and worlds that fit what a seat has seen."""

from rookery.solver.solution import CardValue, Solution, Unsolvable, solve

__all__ = ["CardValue", "Solution", "Unsolvable", "solve"]
