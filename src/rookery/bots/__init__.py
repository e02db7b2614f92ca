"""The bots. They see the open table and their own cards, and nothing else."""
