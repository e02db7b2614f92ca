"""Commands for an evening of Rook."""

from __future__ import annotations

from rookery.cli.arguments import group
from rookery.cli.evening.schedule import schedule
from rookery.cli.evening.score import score

app = group("An evening of Rook: who sits where, and what real cards score.")
app.command("schedule")(schedule)
app.command("score")(score)
