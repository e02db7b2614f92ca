"""The questions that studies ask, with their kernels, tables and pictures."""
