"""HTTP and sockets: routes, sessions, rate limits and the client's files."""
