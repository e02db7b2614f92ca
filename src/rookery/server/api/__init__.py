"""What the API answers: plain functions, without a web framework. `server.http` serves them."""
