"""The laboratory: play in bulk, and what it tells."""
