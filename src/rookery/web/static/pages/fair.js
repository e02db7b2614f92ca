// How deals are promised, mixed and checked; and a check of a match right here.
import { get } from "../core/api.js";
import { needWords, number, plural, t } from "../core/i18n.js";
import { FileButton, Problem } from "../components/common.js";
import { Link } from "../core/router.js";
import { html, useEffect, useRef, useState } from "../core/ui.js";
import { checked } from "../fairness/record_check.js";

await Promise.all([needWords("pages"), needWords("fair")]);

export const title = "fair.title";

const STEPS = ["promise", "share", "shuffle", "show"];
const LIMITS = ["host", "last", "talk", "late"];
const SIGNS = new Map([[true, "✓"], [false, "✗"], [null, "·"]]);

function summary(hands) {
  const wrong = hands.filter(({ good }) => good === false).length;
  if (wrong) return plural("fair.some_wrong", wrong, { all: number(hands.length) });
  const good = hands.filter((hand) => hand.good).length;
  return good ? plural("fair.all_good", good) : t("fair.nothing");
}

function CheckedHands({ name, hands }) {
  return html`<div class="stack tight">
    <p role="status"><b>${summary(hands)}</b>${name && html` <span class="mark">${name}</span>`}</p>
    <ol class="plain">
      ${hands.map(({ good, key }, i) => html`<li key=${i} class=${good === false ? "minus" : ""}>
        <b aria-hidden="true">${SIGNS.get(good)}</b> ${t("fair.hand", { n: number(i + 1), what: t(key) })}
      </li>`)}
    </ol>
  </div>`;
}

function CheckHere({ query }) {
  const [state, set] = useState({ name: "", hands: null, error: null, busy: false });
  const begun = useRef(0); // checks: the newest one counts, whichever ends last
  const check = async (ask, name) => {
    const mine = (begun.current += 1);
    const tell = (found) => mine === begun.current && set({ name, hands: null, error: null, busy: false, ...found });
    tell({ busy: true });
    try {
      tell({ hands: await checked(await ask()) });
    } catch (error) {
      tell({ error });
    }
  };
  const { table, match } = query;
  const path = table && `/api/tables/${encodeURIComponent(table)}/record${/^\d{1,3}$/.test(match || "") ? `?match=${match}` : ""}`;
  const ofTable = () => check(async () => JSON.stringify(await get(path)), t("fair.of_table", { code: table }));
  useEffect(() => {
    if (table && crypto.subtle) ofTable();
  }, [path]);
  // Browsers give SHA-256 to secure pages alone: https, or the server's own machine.
  if (!crypto.subtle) return html`<p>${t("fair.no_tool")}</p>`;
  return html`<div class="stack tight">
    <p>${t("fair.here")}</p>
    <div class="row">
      <${FileButton} accept=".json,application/json" label=${t("fair.choose")} onFile=${(text, name) => check(async () => text, name)} />
    </div>
    ${state.busy && html`<p class="loading" role="status">${t("fair.shuffling")}</p>`}
    ${state.error && html`<${Problem} error=${state.error} retry=${table && state.error.status !== 404 ? ofTable : null} />`}
    ${state.hands && html`<${CheckedHands} name=${state.name} hands=${state.hands} />`}
  </div>`;
}

/** The page. */
export default function Fair({ query }) {
  return html`<article class="stack reading">
    <h1 tabindex="-1">${t("fair.title")}</h1>
    <p class="lead">${t("fair.lead")}</p>
    <section class="panel stack tight" aria-labelledby="fair-steps">
      <h2 id="fair-steps">${t("fair.steps")}</h2>
      <ol class="steps">
        ${STEPS.map((step) => html`<li key=${step}><b>${t(`fair.step.${step}`)}</b> ${t(`fair.step_why.${step}`)}</li>`)}
      </ol>
    </section>
    <section class="panel stack tight" aria-labelledby="fair-check">
      <h2 id="fair-check">${t("fair.check")}</h2>
      <p>${t("fair.at_table")}</p>
      <${CheckHere} query=${query} />
      <p>${t("fair.offline")}</p>
      <p><code>rookery verify-deal FILE</code></p>
    </section>
    <section class="panel stack tight" aria-labelledby="fair-limits">
      <h2 id="fair-limits">${t("fair.limits")}</h2>
      <ul class="steps">
        ${LIMITS.map((limit) => html`<li key=${limit}><b>${t(`fair.limit.${limit}`)}</b> ${t(`fair.limit_why.${limit}`)}</li>`)}
      </ul>
    </section>
    <details class="panel">
      <summary>${t("fair.formulas")}</summary>
      <div class="stack tight">
        <pre class="formulas" tabindex="0" role="region" aria-label=${t("fair.formulas")}>${FORMULAS}</pre>
        <p>${t("fair.joined")}</p>
        <p>${t("fair.order")}</p>
      </div>
    </details>
    <p><${Link} href="/" class="button">${t("shell.home")}<//></p>
  </article>`;
}

const FORMULAS = `fingerprint = SHA-256("rook-deal-1" | table | n | key)
rules       = hex SHA-256(JSON of all options)
seed        = HMAC-SHA-256(key, "deal" | table | n | rules | share 0 | share 1 | ...)
block i     = HMAC-SHA-256(seed, i as 8 bytes)`;
