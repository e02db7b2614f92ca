"""Building the native library: the kernels from Python, by Numba and LLVM, to one shared library.

``python -m scripts.native`` builds it where it is missing or stale; docs/design/native.md.
"""
