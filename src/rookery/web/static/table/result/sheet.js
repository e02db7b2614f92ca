// The score sheet: a line for every hand.
import { callName } from "../../cards/names.js";
import { Dialog } from "../../components/dialog.js";
import { apart, gameName, list, number, plural, signed, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useMedia } from "../../core/ui.js";
import { columns, nameOf } from "../snapshot.js";
import { bidName } from "../words.js";

function contractOf(table, hand) {
  if (hand.declarer === null || hand.declarer === undefined) return t(hand.score ? "sheet.no_contract" : "sheet.redealt");
  const call = hand.call ? ` · ${callName(hand.call)}` : "";
  return `${apart(nameOf(table, hand.declarer))} · ${bidName(hand.bid)}${call}`;
}

// A hand that was played out leads to its replay, where nobody else still plays the same cards.
const linked = (table, hand, words) => (hand.score && !table.evening?.deals.length ? html`<${Link} href=${`/replay/${table.code}/${hand.number}`}>${words}<//>` : words);

function Figures({ table, hand, cols }) {
  return cols.map(
    ([seat]) => html`<td key=${seat} class="figure">
      ${hand.score ? html`<span class=${hand.score[seat] < 0 ? "minus" : ""}>${signed(hand.score[seat])}</span> ` : html`<span>–</span> `}
      <b>${hand.totals ? number(hand.totals[seat] + (table.evening?.points[seat] ?? 0)) : ""}</b>
    </td>`,
  );
}

function Wide({ table, cols, head }) {
  return html`<table class="sheet">
    <thead>
      <tr>
        <th scope="col">${t("sheet.hand")}</th>
        <th scope="col">${t("sheet.contract")}</th>
        ${cols.map((seats) => html`<th scope="col" key=${seats[0]}>${head(seats)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${table.hands.map(
        (hand) => html`<tr key=${hand.number}>
          <th scope="row">${linked(table, hand, number(hand.hand + 1))}</th>
          <td>${contractOf(table, hand)}</td>
          <${Figures} table=${table} hand=${hand} cols=${cols} />
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function Tight({ table, cols, head }) {
  return html`<table class=${`sheet tight ${cols.length > 4 ? "many" : ""}`}>
    <thead><tr>${cols.map((seats) => html`<th scope="col" key=${seats[0]}>${head(seats)}</th>`)}</tr></thead>
    ${table.hands.map(
      (hand) => html`<tbody key=${hand.number}>
        <tr><th scope="rowgroup" class="deed" colspan=${cols.length}>${linked(table, hand, `${t("sheet.hand")} ${number(hand.hand + 1)}`)} · ${contractOf(table, hand)}</th></tr>
        <tr><${Figures} table=${table} hand=${hand} cols=${cols} /></tr>
      </tbody>`,
    )}
  </table>`;
}

/** The sheet; `aside` where it stands beside the game and has little width. */
export function Sheet({ table, aside = false }) {
  const narrow = useMedia("(max-width: 30rem)");
  const cols = columns(table);
  const small = narrow || (aside && cols.length > 3);
  const head = (seats) => list(seats.map((seat) => nameOf(table, seat)));
  const limit = table.evening?.hands;
  const goal = limit ? plural("sheet.limited", limit, { game: gameName(table.rules.name) }) : t(table.hands.length ? "sheet.target" : "sheet.empty", { game: gameName(table.rules.name), target: number(table.rules.options.target) });
  if (!table.hands.length) return html`<p class="mark">${goal}</p>`;
  return html`<div class="sheet-box" tabindex="0" role="group" aria-label=${t("sheet.title")}>
    <${small ? Tight : Wide} table=${table} cols=${cols} head=${head} />
    <p class="mark">${goal}</p>
  </div>`;
}

/** The sheet as a dialog. */
export function SheetDialog({ table, onClose }) {
  return html`<${Dialog} title=${t("sheet.title")} onClose=${onClose} class="wide"><${Sheet} table=${table} /><//>`;
}
