"""A table without a server: what answers a page in a worker of its browser."""
