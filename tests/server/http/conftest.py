"""Servers in the tests' own process have the same luck in every run.

Without the package for passkeys, their tests are left out, but not in CI.
"""

import os
from importlib.util import find_spec

from tests.server.luck import luck_of_a_module, luck_of_a_test

__all__ = ["luck_of_a_module", "luck_of_a_test"]

collect_ignore: list[str] = []
if not (find_spec("webauthn") or os.environ.get("CI")):
    collect_ignore = ["authenticator.py", "test_passkeys.py"]
