"""The question `house-rules`: each rule set of a plan, and every single valid change to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rookery.bots.dispatch import kind_of
from rookery.lab.run.jobs import Job, Sums
from rookery.lab.studies.changes import changes_of
from rookery.lab.studies.question import Answer, CannotAsk, Plan, Setting
from rookery.lab.studies.questions.rule_sets import MeasuredSetting, RuleSets

ABOUT: Final = (
    "How often contracts make, what cards and seats are worth, and what each rule changes."
)


def jobs(plan: Plan) -> Sequence[Job]:
    """Return a job for each rule set of the plan; it plays all changes on the same boards."""
    if len(plan.bots) != 2:
        raise CannotAsk(
            f"house-rules: {len(plan.bots)} bots; expected 2, the one that plays and a weaker "
            "one against which its skill shows"
        )
    if plan.target == "cuda":
        raise CannotAsk("house-rules: the target cuda cannot play it; expected numba")
    return [_job(plan, setting) for setting in plan.settings]


def answer(plan: Plan, sums: Mapping[str, Sums]) -> Answer:
    """Return the rule sets, their changes, and what was left out."""
    from rookery.lab.studies.questions import house_rules_tables as tables

    measured = [_measured(plan, setting, sums) for setting in plan.settings]
    variants, changes = tables.variants(measured), tables.changes(measured)
    left = tables.left(plan)

    def draw() -> Mapping[str, bytes]:
        from rookery.lab.studies.questions import house_rules_pictures as pictures

        return {
            "rule-sets.png": pictures.rule_sets(variants, plan),
            "changes.png": pictures.changes(changes, plan),
        }

    return Answer(
        tables.text(variants, changes, left, plan),
        {"rule-sets": variants, "changes": changes, "not-played": left},
        draw,
    )


def _job(plan: Plan, setting: Setting) -> RuleSets:
    strong, weak = (kind_of(bot) for bot in plan.bots)
    played = (one.rules for one in changes_of(setting.rules) if one.kind == "played")
    rules = (setting.rules, *(changed for changed in played if changed is not None))
    return RuleSets(
        setting.label, rules, plan.boards, (strong, weak), plan.seed, plan.family.first_board,
        plan.target,
    )  # fmt: skip


def _measured(plan: Plan, setting: Setting, sums: Mapping[str, Sums]) -> MeasuredSetting:
    base, *measured = _job(plan, setting).measured(sums[setting.label])
    played = (change for change in changes_of(setting.rules) if change.kind == "played")
    return MeasuredSetting(setting.label, base, tuple(zip(played, measured, strict=True)))
