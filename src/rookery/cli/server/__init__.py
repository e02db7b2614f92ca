"""Commands of whoever runs a server: its pages, its bots, its database."""
