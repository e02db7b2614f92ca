// How the cards of a hand were dealt, and what this browser can say about it.
import { deckByNumber } from "../../cards/suits.js";
import { Dialog } from "../../components/dialog.js";
import { hrefOf } from "../../core/base.js";
import { needWords, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useEffect, useState } from "../../core/ui.js";
import { getOnce } from "../../components/loading.js";
import { leadsTo, opens, rulesKey } from "../../fairness/deal_check.js";
import { nameOf } from "../snapshot.js";

const PREPARED = "rook-set-1"; // deals that several tables play: their key is the evening's to show

async function cardsFit({ proof, code, seats, view, rules: { options } }) {
  const game = await rulesKey(options, await getOnce("/api/rules/schema"));
  return leadsTo(view.laid_open, { deck: deckByNumber(options), game, code, seats: seats.length, proof });
}

/** Return the findings about a proof: [{good, key}], the key of a text; good is null where nothing can be said. */
async function findings(table, remembered) {
  const { proof, code } = table;
  if (proof.scheme === PREPARED) {
    await needWords("beside/evening");
    return [{ good: null, key: "deal.prepared" }];
  }
  const results = [];
  if (!proof.key) results.push({ good: null, key: "deal.not_yet" });
  // Browsers give SHA-256 to secure pages alone: https, or the server's own machine.
  else if (!crypto.subtle) results.push({ good: null, key: "deal.no_tool" });
  else {
    results.push((await opens(proof, [code, proof.number])) ? { good: true, key: "deal.key_fits" } : { good: false, key: "deal.key_wrong" });
    results.push((await cardsFit(table)) ? { good: true, key: "deal.cards_fit" } : { good: false, key: "deal.cards_wrong" });
  }
  if (!remembered) results.push({ good: null, key: "deal.came_later" });
  else {
    results.push(remembered.commitment === proof.commitment ? { good: true, key: "deal.same" } : { good: false, key: "deal.other" });
    if (remembered.renewed) results.push({ good: null, key: "deal.renewed" });
    // The shares themselves are shown with the key.
    const there = proof.key ? proof.shares.includes(remembered.share) : proof.contributors.includes(table.you);
    if (remembered.share) results.push({ good: there, key: there ? "deal.mine_in" : "deal.mine_out" });
    else results.push({ good: null, key: "deal.mine_none" });
  }
  return results;
}

const SIGNS = new Map([[true, "✓"], [false, "✗"], [null, "·"]]);

/** The dialog. */
export function DealDialog({ table, room, onClose }) {
  const { proof } = table;
  const prepared = proof?.scheme === PREPARED;
  const [results, set] = useState([]);
  const ready = !prepared || results.length > 0; // its words are here
  useEffect(() => {
    let wanted = true;
    const tell = (found) => wanted && set(found);
    if (proof) findings(table, room.promise(proof.number)).then(tell, () => tell([{ good: null, key: "deal.fault" }]));
    return () => {
      wanted = false;
    };
  }, [proof?.number, proof?.commitment, proof?.key]);
  return html`<${Dialog} title=${t("deal.title")} onClose=${onClose}>
    <div class="stack">
      ${ready && html`<p>${t(prepared ? "deal.prepared_how" : "deal.how")}</p>`}
      <ul class="plain stack tight" aria-live="polite">
        ${results.map(({ good, key }) => html`<li key=${key} class=${good === false ? "minus" : ""}>
          <b aria-hidden="true">${SIGNS.get(good)}</b> ${t(key)}
        </li>`)}
      </ul>
      ${proof && ready && html`<dl class="proof">
        <dt>${t(prepared ? "deal.prepared_number" : "deal.number")}</dt><dd>${prepared ? table.evening.code : table.code}, ${proof.number}</dd>
        <dt>${t("deal.commitment")}</dt><dd>${proof.commitment}</dd>
        ${proof.key && html`<dt>${t("deal.key")}</dt><dd>${proof.key}</dd>`}
        ${proof.shares.map((share, seat) => share && html`<dt key=${seat}>${t("deal.share", { name: nameOf(table, seat) })}</dt>
          <dd key=${`${seat} share`}>${share}</dd>`)}
      </dl>`}
      <p class="row">
        ${prepared && ready && html`<${Link} class="button" href=${`/e/${table.evening.code}`}>${t("table.to_evening")}<//>`}
        <a class="button" href=${hrefOf("/fair")} target="_blank" rel="noopener">${t("deal.more")}</a>
      </p>
    </div>
  <//>`;
}
