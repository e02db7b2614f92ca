// Days and results of daily deals in words.
import { bidName } from "../../table/words.js";
import { language, signed, t } from "../../core/i18n.js";

/** Return a day as the language writes it: "Nov 23, 2026"; days here are those of UTC. */
export const dayName = (day) => new Intl.DateTimeFormat(language.get(), { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(`${day}T00:00Z`));

/** Return a moment today or tomorrow, milliseconds since 1970, by the reader's clock: "1:00 AM". */
export const hour = (at) => new Intl.DateTimeFormat(language.get(), { timeStyle: "short" }).format(at);

/** Return which try it was, "" for the first: "second try", "try 3". */
export function tryName(number) {
  if (number < 2) return "";
  return number === 2 ? t("daily.second") : t("daily.try", { n: number });
}

/** Return what an attempt came to, without a card or a suit of it: "bid 95, made, +120"; who bid is told from the player's side. */
export function cameTo({ bid, declarer, made, ours, points }, seat) {
  if (points === null) return t("daily.came.unknown");
  if (declarer === null) return t("daily.came.none", { points: signed(points) });
  const whose = declarer === seat ? "mine" : ours ? "ours" : "theirs";
  const values = { bid: bidName(bid), points: signed(points) };
  return t(`daily.came.${made === null ? "revoke" : made ? "made" : "set"}.${whose}`, values);
}
