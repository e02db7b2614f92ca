"""A small network that learns from the search which card to play, for every rule set."""
