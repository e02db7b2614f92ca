"""Exact play with open hands, and worlds that fit what a seat has seen."""

from rookery.solver.desk import Unsolvable, solve
from rookery.solver.solution import CardValue, Solution

__all__ = ["CardValue", "Solution", "Unsolvable", "solve"]
