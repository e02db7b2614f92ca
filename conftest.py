"""What the tests leave out: examples of a module that needs what is not installed here."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["src/rookery/learn/fit_torch.py"]
