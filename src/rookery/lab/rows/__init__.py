"""Every hand of a study as rows, in Parquet files."""
