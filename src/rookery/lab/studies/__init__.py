"""Studies as files: what they ask, how they run, and the shipped ones."""
