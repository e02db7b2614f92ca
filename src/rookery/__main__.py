"""``python -m rookery``: the commands, where no folder of programs is on the path."""

from rookery.cli.main import app

app()
