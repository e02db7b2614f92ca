"""Bots that search: possible worlds, played on by the script."""
