// Why something is good, or was worse, in the reader's language: the server says a code and what it is about.
import { cardNames, suitName } from "../cards/names.js";
import { has, needWords, number, t } from "../core/i18n.js";

await needWords("reasons");

function spoken(about, pack) {
  const said = Object.entries(about ?? {}).map(([name, value]) => {
    if (name === "card") return [name, cardNames(String(value).split(" "), pack)];
    if (name === "suit") return [name, value === "trump" ? t("card.is_trump") : suitName(value)];
    return [name, typeof value === "number" ? number(value) : value];
  });
  return Object.fromEntries(said);
}

/** Return a reason {code, text, about} in words; the server's own where there is none for its code. */
export function reasonText({ code, text, about }, pack) {
  if (!has(`reason.${code}`)) return text;
  const said = t(`reason.${code}`, spoken(about || {}, pack));
  return said[0].toUpperCase() + said.slice(1);
}
