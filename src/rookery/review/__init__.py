"""A game looked at again: what each decision cost, where the match turned, and why, in words."""
