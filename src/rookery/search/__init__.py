"""Bots that search: they try each choice in possible worlds, which the script plays to the end."""
