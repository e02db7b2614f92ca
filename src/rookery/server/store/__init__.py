"""What the server keeps: events, people and leases, in SQLite or PostgreSQL."""
