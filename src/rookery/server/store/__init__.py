"""What the server keeps: events, people and leases, in memory, SQLite or PostgreSQL."""
