"""`rookery evaluate`: a policy of yours against the rungs of the ladder."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rookery.cli.arguments import AsJson, Refused, Seed, is_stop, number
from rookery.cli.lab.match import MOST, sprt_of
from rookery.cli.output import print_answer, shown
from rookery.lab.duplicate.seeds import Family

if TYPE_CHECKING:
    from rookery.envs.evaluation.policy import Policy


def command(
    policy: Annotated[
        str,
        typer.Argument(
            metavar="MODULE:NAME",
            help="Your policy: a module, in this folder or installed, and a name in it.",
        ),
    ],
    rules: Annotated[
        str, typer.Option(metavar="ID", help="A variant's id or a house-rule file.")
    ] = "kd_tournament",
    deals: Annotated[int, number("How many deals for each match.", 2, MOST)] = 1000,
    seed: Seed = 1,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What the policy is called in the report.")
    ] = "policy",
    opponents: Annotated[
        str, typer.Option(metavar="BOT,...", help="Whom it meets: levels, or bots.")
    ] = "beginner,casual,club",
    partners: Annotated[
        str,
        typer.Option(metavar="WHO,...", help="Who sits opposite: self, known, unknown."),
    ] = "self,known,unknown",
    family: Annotated[
        Family,
        typer.Option(help="What the deals are for; no deal is in two families."),
    ] = Family.VALIDATION,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Stop a match once the deals decide between these, in points a board.",
        ),
    ] = None,
    batched: Annotated[
        bool, typer.Option("--batched", help="The policy takes many observations at once.")
    ] = False,
    as_json: AsJson = False,
    ledger: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file that notes looks at the holdout."),
    ] = None,
) -> None:
    """Say what a policy of yours is worth against bots of known strength, on duplicate deals."""
    if ledger is not None and family is not Family.HOLDOUT:
        raise Refused(f"--ledger {ledger}: is for --family holdout")
    from rookery.envs.evaluation.evaluate import evaluate

    decides = _found(policy)
    asked: dict[str, Any] = {"opponents": opponents.split(","), "partners": partners.split(",")}
    with shown("deals") as progress:
        report = evaluate(
            decides, rules=rules, deals=deals, seed=seed, name=name, family=family.value,
            sprt=sprt_of(sprt), batched=batched, ledger=ledger, progress=progress, **asked,
        )  # fmt: skip
    print_answer(partial(report.model_dump, mode="json"), str(report).splitlines(), as_json)


def _found(target: str) -> Policy:
    """Return the policy that MODULE:NAME names."""
    module, colon, name = target.partition(":")
    if not (module and colon and name) or module.startswith("."):
        raise Refused(f"{target}: expected MODULE:NAME, like agent:policy")
    from rookery.envs.evaluation.policy import told

    sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(import_module(module), name, None)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0] and error.name != module:
            line = f"{target}: {module} needs {error.name}, which is not installed"
            raise Refused(line) from None
        raise Refused(f"{target}: no module {module} is in this folder or installed") from None
    except (Exception, SystemExit) as error:
        if is_stop(error):
            raise KeyboardInterrupt from None
        raise Refused(f"{target}: {module} cannot be imported: {told(error)}") from None
    if not callable(found):
        what = "has no such name" if found is None else f"is {type(found).__name__}"
        raise Refused(f"{target}: {what}; expected a function that takes an observation")
    decides: Policy = found
    return decides
