"""Chances of how the unseen cards lie."""
