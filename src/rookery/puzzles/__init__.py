"""Puzzles: decisions of real hands with one right answer by what the seat could know."""
