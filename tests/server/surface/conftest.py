"""Servers in the tests' own process have the same luck in every run."""

from tests.server.luck import luck_of_a_module, luck_of_a_test

__all__ = ["luck_of_a_module", "luck_of_a_test"]
