"""A small network that learns from the search which card to play, at every rule set."""
