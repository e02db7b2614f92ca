"""Who sits where in each round of an evening of many tables, and who is ahead."""
