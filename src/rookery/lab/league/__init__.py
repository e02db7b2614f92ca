"""Leagues: every bot against every other, and who stands where."""
