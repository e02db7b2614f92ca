"""What a policy is worth: duplicate boards against the rungs of the ladder, and a report."""
