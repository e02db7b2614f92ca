// What a hand came to, as a sentence, and where each side's points came from. The server says both; nothing is counted here.
import { list, needWords, number, signed, t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { nameOf } from "../snapshot.js";
import { bidName } from "../words.js";

await needWords("reasons"); // reasons and results share a catalogue

/** Return whether the contract was made, what was bid and what it took: "Set. You bid 95 and took 60: −95." */
export function verdictText(table) {
  const { view, result, you } = table;
  if (!result) return "";
  if (view.declarer === null) return t("verdict.none");
  if (result.made === null) return t("verdict.revoke");
  const [side] = view.sides;
  const whose = view.declarer === you ? "mine" : side.includes(you) ? "ours" : "theirs";
  return t(`verdict.${result.made ? "made" : "set"}.${whose}`, {
    name: nameOf(table, view.declarer),
    bid: bidName(view.bid),
    took: number(view.points[0]),
    score: signed(view.score[view.declarer]),
  });
}

function parts(table, { tricks, nest, bonus }) {
  const found = [[tricks, "from.tricks"], [nest, "from.nest"], [bonus, `from.bonus.${table.rules.options.trick_bonus}`]];
  return found.filter(([n]) => n).map(([n, key]) => t(key, { n: number(n) }));
}

/** What each side took, and from where. */
export function Sources({ table }) {
  const { view, result } = table;
  if (!result) return null;
  return html`<ul class=${`plain took ${view.sides.length > 2 ? "many" : ""}`}>
    ${view.sides.map(
      (side, i) => html`<li key=${i}><b>${t("from.took", { name: list(side.map((seat) => nameOf(table, seat))), n: number(view.points[i]) })}</b>
        ${view.points[i] ? html` <span class="mark">${list(parts(table, result.sources[i]))}</span>` : null}</li>`,
    )}
  </ul>`;
}
