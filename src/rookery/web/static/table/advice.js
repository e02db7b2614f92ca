// Advice, for a hint and for a review: why something is good or was worse, and a table of the alternatives.
import { cardName, cardNames, suitName } from "../cards/names.js";
import { capital, has, needWords, number, plural, t } from "../core/i18n.js";
import { html } from "../core/ui.js";
import { choiceText } from "./words.js";

await needWords("reasons");

function filled(about, pack) {
  const values = Object.entries(about ?? {}).map(([name, value]) => {
    if (name === "card") return [name, cardNames(String(value).split(" "), pack)];
    if (name === "suit") return [name, value === "trump" ? t("card.is_trump") : suitName(value)];
    return [name, typeof value === "number" ? number(value) : value];
  });
  // Points that a card is worth are counted; those that were bid are a number.
  if (about && "points" in about) values.push(["amount", plural("amount.points", about.points, { n: number(about.points) })]);
  return Object.fromEntries(values);
}

/** Return a reason {code, text, about} in words; the server's own where there is none for its code. */
export function reasonText({ code, text, about }, pack) {
  if (!has(`reason.${code}`)) return text;
  return capital(t(`reason.${code}`, filled(about || {}, pack)));
}

/** Return a number of points as exact as they are worth reading: whole ones from ten on, tenths below. */
export const exact = (n) => (Math.abs(n) < 10 ? Math.round(n * 10) / 10 : Math.round(n));
/** Return that as the language writes it. */
export const points = (n) => number(exact(n));

/** Return a share of one in per cent; a dash where there is none. */
export const percent = (share) => (share === null ? "–" : t("alternatives.percent", { n: number(Math.round(100 * share)) }));

/** Return how one's side is expected to stand: "12 ahead", "3.5 behind", "even". */
export function standing(margin) {
  const n = points(Math.abs(margin));
  if (n === number(0)) return t("alternatives.even");
  return t(margin > 0 ? "alternatives.ahead" : "alternatives.behind", { n });
}

/** The table; `best` and `done` are actions that are marked by a word. */
export function Alternatives({ table, alternatives, best, done = null }) {
  return html`<div class="sheet-box" tabindex="0" role="region" aria-label=${t("alternatives.title")}>
    <table class="sheet alternatives loose">
      <thead><tr>
        <th scope="col">${t("alternatives.choice")}</th>
        <th scope="col" class="figure">${t("alternatives.expected")}</th>
        <th scope="col" class="figure">${t("alternatives.making")}</th>
      </tr></thead>
      <tbody>${alternatives.map((one) => html`<tr key=${one.action}>
        <th scope="row">${choiceText(table, one.action)}
          ${one.action === best && html` <span class="tag">${t("alternatives.best")}</span>`}
          ${one.action === done && html` <span class="tag">${t("alternatives.done")}</span>`}
        </th>
        <td class="figure">${standing(one.margin)}</td>
        <td class="figure">${percent(one.making)}</td>
      </tr>`)}</tbody>
    </table>
  </div>`;
}

/** Return what stands against a claim of the rest: "Not all the rest is certain yet: Green 9 could be beaten …" */
export function doubtText({ about }, table) {
  if (about === "lead" || about === "dummy") return t(`claim.${about}`);
  return t("claim.card", { card: cardName(about, table.rules.options.pack) });
}
