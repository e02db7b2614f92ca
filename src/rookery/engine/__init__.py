"""The engine: how a hand is played, written once, run in plain Python, Numba and CUDA."""
