"""All tables of one server: made, found, listed, looked back on and forgotten."""
