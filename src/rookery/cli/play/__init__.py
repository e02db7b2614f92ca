"""A game in the terminal: the command, and what it shows."""
