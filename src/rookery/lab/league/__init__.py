"""Leagues: every bot against every other bot, and the standings."""
