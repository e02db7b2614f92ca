"""Evenings of many tables: who may do what on one, and what it tells."""
