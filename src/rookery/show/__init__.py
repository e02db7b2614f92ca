"""Hands and matches as pictures and tables, for a notebook or a page."""

from rookery.show.notebook import Row, drawn, sheet

__all__ = ["Row", "drawn", "sheet"]
