"""Bots at live tables: processes in which they think, and the lines to them."""
