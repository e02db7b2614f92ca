// The ways out of an evening: the hall's screen, paper, links for other phones, the result as a file.
import { language, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useState } from "../../core/ui.js";
import { Way } from "../../components/way.js";
import { numbersOf } from "./said.js";
import { pathOf, realOf, withKey } from "./told.js";

/** A link to the evening: for whoever looks, with `secret` for whoever runs it too, and with `table` for that table's phone. */
export function EveningWay({ code, secret = "", table = null, lead }) {
  return html`<${Way} path=${`${pathOf(code)}/link${table === null ? "" : `?table=${table}`}`} headers=${withKey(secret)} lead=${lead} name=${t("evening.title")} qr=${t("score.qr")}
    fallback=${`${location.origin}/e/${code}`} />`;
}

// The phones of the tables, one after the other: each has a link of its own.
function TableWays({ code, secret, numbers }) {
  const [table, set] = useState(numbers[0]);
  return html`<div class="stack tight">
    <label class="field"><span>${t("evening.share_tables")}</span>
      <select name="table-way" onChange=${(event) => set(Number(event.target.value))}>${numbers.map((n) => html`<option key=${n} value=${n} selected=${n === table}>${t("evening.table", { n })}</option>`)}</select></label>
    <${EveningWay} key=${table} code=${code} secret=${secret} table=${table} lead=${t("evening.share_table", { n: table })} />
  </div>`;
}

/** The hall, the paper, and links: for everybody, and of whoever runs it for others who do, and for each table. */
export function Ways({ code, told, secret }) {
  const [open, setOpen] = useState(false);
  const { evening, you } = told;
  // A table on screens has no phone of its own.
  const numbers = evening.screens ? realOf(evening) : numbersOf(evening);
  return html`<details class="panel" onToggle=${(event) => event.target.open && setOpen(true)}>
    <summary>${t(you.host ? "evening.shares" : "evening.share")}</summary>
    <div class="stack">
      <div class="row"><${Link} class="button" href=${`/e/${code}/hall`}>${t("evening.hall")}<//><${Link} class="button" href=${`/e/${code}/print`}>${t("evening.paper")}<//></div>
      ${open && html`<${EveningWay} code=${code} lead=${t(evening.screens ? "evening.screens.share_look" : "evening.share_look")} />
        ${you.host && secret && html`<${EveningWay} code=${code} secret=${secret} lead=${t("evening.share_host")} />`}
        ${you.host && numbers.length > 0 && html`<${TableWays} key=${numbers.join()} code=${code} secret=${secret} numbers=${numbers} />`}`}
    </div>
  </details>`;
}

/** The result: for a spreadsheet, for programs, as a text. */
export function Result({ code }) {
  const file = (form) => `${pathOf(code)}/file?form=${form}&lang=${language.get()}`;
  return html`<details class="panel">
    <summary>${t("evening.result")}</summary>
    <div class="row">
      <a class="button" href=${file("csv")} download=${`rookery-evening-${code}.csv`}>CSV</a>
      <a class="button" href=${file("json")} download=${`rookery-evening-${code}.json`}>JSON</a>
      <a class="button" href=${file("text")} download=${`rookery-evening-${code}.txt`}>${t("evening.text")}</a>
    </div>
  </details>`;
}
