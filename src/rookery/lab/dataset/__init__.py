"""Published data sets: deals with every bid, play and outcome, in Parquet, with a datasheet."""
