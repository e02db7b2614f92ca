"""What Unicode says of texts that people bring: whether they are text, and what they look like."""
