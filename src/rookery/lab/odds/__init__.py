"""Odds of how the unseen cards lie."""
