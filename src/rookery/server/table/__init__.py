"""What a table is and what may happen at it: events, commands, state and decisions, with no I/O."""
