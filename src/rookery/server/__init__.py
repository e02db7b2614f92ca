"""The table: people and bots play any Rook in a browser, on one process that owns its tables."""
