// How the cards of a hand were dealt, and what this browser can say about it.
import { Dialog } from "../dialog.js";
import { t } from "../i18n.js";
import { html, useEffect, useState } from "../ui.js";
import { nameOf } from "./read.js";

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));

function joined(parts) {
  const all = parts.flatMap((part) => {
    const bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length);
    return [...length, ...bytes];
  });
  return Uint8Array.from(all);
}

async function opens({ scheme, number, commitment, key }, code) {
  const told = joined([scheme, code, String(number), bytesOf(key)]);
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", told));
  return Array.from(found, (n) => n.toString(16).padStart(2, "0")).join("") === commitment;
}

/** Return the findings about a proof: [{good, key}], the key of a text; good is null where nothing can be said. */
async function findings(proof, code, kept) {
  const found = [];
  if (!proof.key) found.push({ good: null, key: "deal.not_yet" });
  // A page that came over plain http from another machine has no SHA-256.
  else if (!crypto.subtle) found.push({ good: null, key: "deal.no_tool" });
  else found.push((await opens(proof, code)) ? { good: true, key: "deal.key_fits" } : { good: false, key: "deal.key_wrong" });
  if (!kept) found.push({ good: null, key: "deal.came_later" });
  else {
    found.push(kept.commitment === proof.commitment ? { good: true, key: "deal.same" } : { good: false, key: "deal.other" });
    if (kept.share) {
      const there = proof.shares[kept.seat] === kept.share;
      found.push({ good: there, key: there ? "deal.mine_in" : "deal.mine_out" });
    }
  }
  return found;
}

const SIGNS = new Map([[true, "✓"], [false, "✗"], [null, "·"]]);

/** The dialog. */
export function DealDialog({ table, room, onClose }) {
  const { proof } = table;
  const [found, set] = useState([]);
  useEffect(() => {
    if (proof) findings(proof, table.code, room.promise(proof.number)).then(set, () => {});
  }, [proof && proof.key]);
  return html`<${Dialog} title=${t("deal.title")} onClose=${onClose}>
    <div class="stack">
      <p>${t("deal.how")}</p>
      <ul class="plain stack tight" aria-live="polite">
        ${found.map(({ good, key }) => html`<li key=${key} class=${good === false ? "minus" : ""}>
          <b aria-hidden="true">${SIGNS.get(good)}</b> ${t(key)}
        </li>`)}
      </ul>
      ${proof && html`<dl class="proof">
        <dt>${t("deal.number")}</dt><dd>${table.code}, ${proof.number}</dd>
        <dt>${t("deal.commitment")}</dt><dd>${proof.commitment}</dd>
        ${proof.key && html`<dt>${t("deal.key")}</dt><dd>${proof.key}</dd>`}
        ${proof.shares.map((share, seat) => share && html`<dt key=${seat}>${t("deal.share", { name: nameOf(table, seat) })}</dt>
          <dd key=${`${seat} share`}>${share}</dd>`)}
      </dl>`}
      <p class="mark">${t("deal.formula")}</p>
    </div>
  <//>`;
}
