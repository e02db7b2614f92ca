"""Duplicate boards and matches: the same deals from every side, with intervals."""
