"""``python -m rookery``: the commands, where no folder of programs is on the path."""

from rookery.cli.main import app

if __name__ == "__main__":
    app()
