"""Tables spread over several databases, by the last letter of their codes."""
