"""Commands for an evening of Rook."""

from __future__ import annotations

from rookery.cli.arguments import group
from rookery.cli.evening.deal import deal
from rookery.cli.evening.results import results
from rookery.cli.evening.schedule import schedule
from rookery.cli.evening.score import score

app = group("An evening of Rook: who sits where, the same deals at each table, what they score.")
app.command("deal")(deal)
app.command("results")(results)
app.command("schedule")(schedule)
app.command("score")(score)
