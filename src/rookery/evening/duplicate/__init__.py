"""The same deals at several tables: movements, cards for dealing them by hand, and scoring."""
