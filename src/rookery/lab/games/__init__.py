"""Whole matches of bots: mirrored games to the target, and the share that one side wins."""
