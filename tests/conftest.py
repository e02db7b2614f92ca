"""What every test shares: how Hypothesis draws its examples."""

from hypothesis import settings

# The same examples on every run and no clock, so a red test stays red on any machine.
# `pytest --hypothesis-profile=explore` looks further afield.
settings.register_profile("steady", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile("steady")
