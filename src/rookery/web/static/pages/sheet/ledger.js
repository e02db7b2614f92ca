// The sheet as on paper: a column a side, a hand below the other, the totals large; and hands that two phones wrote differently.
import { number, signed, t } from "../../core/i18n.js";
import { reasonOf } from "../../components/common.js";
import { isUnread } from "../../core/outbox.js";
import { html } from "../../core/ui.js";
import { current, rows } from "./log.js";
import { contractOf, linesOf, sideName } from "./said.js";

/** Return the columns of a sheet: who plays together in every hand, else each player. */
export const columns = ({ sides, players }) => sides ?? players.map((_, seat) => [seat]);

function Tags({ row }) {
  const { own, state } = row;
  const tag = (words, more = "") => html`<span class=${`tag ${more}`}>${words}</span>`;
  if (own?.problem) return tag(t("score.tag.refused"), "warn");
  if (own) return tag(t("score.tag.unsent"), "late");
  if (state === "disputed") return tag(t("score.tag.disputed"), "warn");
  if (state === "waiting") return tag(t("score.tag.waiting"), "late");
  if (row.scored?.extra) return tag(t("score.tag.extra"));
  return null;
}

function Verdict({ row }) {
  const made = row.own ? null : row.scored?.made;
  return made === null || made === undefined ? null : html` <span class=${made ? "soft" : "minus"}>${t(made ? "score.made" : "score.set")}</span>`;
}

function Hand({ row, told, cols, change, open }) {
  const said = row.own ? row.own.entry.said : row.said;
  const { scored } = row.own ? {} : row;
  const name = contractOf(told.players, said);
  const label = html`<b class="n">${row.number + 1}</b><span class="grow">${name}<${Verdict} row=${row} /></span><${Tags} row=${row} />`;
  const figures = cols.map((side) => {
    const score = scored?.score?.[side[0]];
    return html`<td key=${side[0]}>
      ${score === undefined || score === null ? html`<span class="soft">–</span>` : html`<span class=${score < 0 ? "minus" : "soft"}>${signed(score)}</span> <b>${number(scored.totals[side[0]])}</b>`}
    </td>`;
  });
  return html`<tbody class=${open ? "open" : ""}>
    <tr><th scope="rowgroup" colspan=${cols.length}>
      ${change
        ? html`<button type="button" class="hand-line" data-hand=${row.number} aria-label=${t("score.change", { n: row.number + 1, contract: name })} onClick=${() => change(row)}>${label}</button>`
        : html`<span class="hand-line">${label}</span>`}
    </th></tr>
    <tr>${figures}</tr>
  </tbody>`;
}

/** The sheet. `change` opens a hand, null where nothing may be written; `open` is the number of the one that is. */
export function Ledger({ state, change, open }) {
  const { told } = state;
  const cols = columns(told);
  const won = (side) => told.winners.includes(side[0]);
  const hands = rows(state);
  return html`<div class=${`ledger-box cols-${Math.min(cols.length, 5)}`}>
    <table class="ledger">
      <caption class="unseen">${t("score.title")}</caption>
      <thead><tr>
        ${cols.map((side) => html`<th key=${side[0]} scope="col" class=${won(side) ? "won" : ""}>
          <span class="who">${sideName(told.players, side)}</span>
          <b class=${`total ${told.totals[side[0]] < 0 ? "minus" : ""}`}>${number(told.totals[side[0]])}</b>
          ${won(side) && html`<span class="tag">${t("score.won")}</span>`}
        </th>`)}
      </tr></thead>
      ${hands.map((row) => html`<${Hand} key=${row.number} row=${row} told=${told} cols=${cols} change=${change} open=${open === row.number} />`)}
    </table>
    ${!hands.length && html`<p class="mark none">${t("score.none")}</p>`}
  </div>`;
}

function Version({ told, by, said, busy, choose, label }) {
  return html`<li class="version stack tight">
    <h3>${by || t("score.somebody")}</h3>
    <p><b>${contractOf(told.players, said)}</b></p>
    ${linesOf(told.players, said).map((line) => html`<p key=${line}>${line}</p>`)}
    ${choose && html`<button type="button" class="button primary" disabled=${busy} aria-label=${label} onClick=${choose}>${t("score.this_one")}</button>`}
  </li>`;
}

/** Hands that were said differently: one tap settles each. `settle(row, said)` writes what is chosen. */
export function Disputes({ state, settle, busy }) {
  const { told } = state;
  const open = told.hands.filter((row) => row.state === "disputed" && !state.waiting.some((one) => one.entry.hand === row.number));
  return open.map((row) => {
    const versions = [{ said: row.said, by: row.by }, ...row.others];
    return html`<section key=${row.number} class="panel stack tight dispute" aria-labelledby=${`dispute-${row.number}`}>
      <h2 id=${`dispute-${row.number}`}>${t("score.disputed", { n: row.number + 1 })}</h2>
      <p>${t("score.disputed_how", { n: versions.length })}</p>
      <ul class="plain versions">
        ${versions.map(({ said, by }, i) => html`<${Version} key=${i} told=${told} by=${by} said=${said} busy=${busy}
          label=${t("score.this_one_of", { name: by || t("score.somebody"), contract: contractOf(told.players, said) })}
          choose=${settle && (() => settle(row, said))} />`)}
      </ul>
    </section>`;
  });
}

/** Hands that one phone has written, and that another is to say too. */
export function Agreements({ state, agree, busy }) {
  const { told } = state;
  const open = told.hands.filter((row) => row.state === "waiting" && !state.waiting.some((one) => one.entry.hand === row.number));
  return open.map((row) => {
    return html`<section key=${row.number} class="panel stack tight dispute" aria-labelledby=${`agree-${row.number}`}>
      <h2 id=${`agree-${row.number}`}>${t("score.hand", { n: row.number + 1 })}: ${contractOf(told.players, row.said)}</h2>
      ${linesOf(told.players, row.said).map((line) => html`<p key=${line}>${line}</p>`)}
      <p class="mark">${t(row.yours ? "score.agree_wait" : "score.agree_how", { name: row.by || t("score.somebody") })}</p>
      ${!row.yours && agree && html`<div class="row"><button type="button" class="button primary" disabled=${busy} onClick=${() => agree(row, row.said)}>${t("score.agree")}</button></div>`}
    </section>`;
  });
}

/** Entries that the server has refused after they had waited: nothing of them is lost. `change` is as in the sheet. */
export function RefusedEntries({ state, change, drop }) {
  return state.waiting.filter((one) => one.problem && !isUnread(one)).map(({ entry, problem }) => html`<div key=${entry.id} class="problem" role="alert">
    <p><b>${t("score.hand", { n: entry.hand + 1 })}:</b> ${problem.code === "bad-tally" ? t("score.refused") : reasonOf(problem)}</p>
    <div class="row">
      ${change && html`<button type="button" class="button primary" onClick=${() => change({ number: entry.hand, said: current(state, entry.hand), entry: entry.over, problem, id: entry.id })}>${t("score.mend")}</button>`}
      <button type="button" class="button" onClick=${() => drop(entry.id)}>${t("score.drop")}</button>
    </div>
  </div>`);
}
