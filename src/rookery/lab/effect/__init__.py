"""What a house rule does, measured against its base."""
