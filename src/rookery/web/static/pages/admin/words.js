// Times and spans as the admin page writes them.
import { language, t } from "../../core/i18n.js";

const STEPS = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];

/** Return a span of seconds, its largest unit alone: "3 hours". */
export function span(seconds) {
  const [unit, size] = STEPS.find(([, many]) => seconds >= many) || STEPS.at(-1);
  const shown = { style: "unit", unit, unitDisplay: "long" };
  return new Intl.NumberFormat(language.get(), shown).format(Math.floor(seconds / size));
}

/** Return how long ago a moment was, from one moment to another, milliseconds: "3 hours ago". */
export const ago = (at, now) => t("admin.ago", { span: span(Math.max(0, now - at) / 1000) });

/** Return the time of day of a moment. */
export const clock = (at) => new Intl.DateTimeFormat(language.get(), { timeStyle: "medium" }).format(at);
