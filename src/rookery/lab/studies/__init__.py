"""Studies: their files, their questions, and how they are run."""
