"""Hands and matches as pictures and tables, for a notebook or a page."""
