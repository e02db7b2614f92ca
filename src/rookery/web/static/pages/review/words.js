// A review in words: when something was decided and what it cost.
import { number, plural, t } from "../../core/i18n.js";
import { exact, points } from "../../table/advice.js";

/** Return an amount of points in words: "12 points". */
export const amount = (n) => plural("review.points", exact(Math.abs(n)), { n: points(Math.abs(n)) });

/** Return what a decision cost, as it is judged: by "known" or "open"; null where that is not known. */
export const costOf = (decision, by) => (by === "open" ? decision.open_cost : decision.cost);

/** Return whether that is worth a line. */
export const isCostly = (decision, by) => (costOf(decision, by) || 0) >= 0.05;

const before = (phase) => {
  const key = phase === "auction" ? "auction" : "setup";
  return { key, text: t(`review.part.${key}`), short: t(`review.short.${key}`) };
};

function partAt({ view }) {
  if (view.phase !== "play") return before(view.phase);
  const n = view.tricks.length + 1;
  return { key: `trick ${n}`, text: t("replay.trick", { n: number(n) }), short: number(n) };
}

/** Return at what part of the hand a decision stood: {key, text, short}; `replay` is null of a hand that was thrown in. */
export const partOf = (replay, decision) => (replay ? partAt(replay.steps[decision.action_index]) : before(decision.phase));

/** Return the parts of a hand in order, each {key, text, short, cost} with what was given away in it. */
export function partsOf(replay, decisions, by) {
  const parts = new Map();
  const add = (part, cost) => parts.set(part.key, { ...part, cost: cost + (parts.get(part.key)?.cost ?? 0) });
  if (replay) replay.actions.forEach((_, i) => add(partAt(replay.steps[i]), 0));
  for (const decision of decisions) add(partOf(replay, decision), costOf(decision, by) || 0);
  return [...parts.values()];
}
