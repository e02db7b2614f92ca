"""An evening that many phones write: a log of changes, and all that follows from it."""
