"""One module a step. What stands here stays as it is: databases have gone through it."""
