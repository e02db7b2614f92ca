"""What agents are shown, in the forms that environments give it."""
