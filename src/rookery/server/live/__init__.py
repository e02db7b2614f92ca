"""A table while it is open: its queue, its timers and its connections."""
