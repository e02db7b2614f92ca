"""Commands of the laboratory: bots and rules measured, odds, and how fast it all runs."""
