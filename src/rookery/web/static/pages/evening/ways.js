// The ways out of an evening: the hall's screen, paper, links for other phones, the result as a file.
import { Refused } from "../../core/api.js";
import { language, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useState } from "../../core/ui.js";
import { Way } from "../../components/way.js";
import { Refusal, useDoing } from "./place.js";
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

// What only the key opens is asked for with it, which no link does, and then saved as a file.
async function save(path, secret, name) {
  const answer = await fetch(path, { headers: withKey(secret), credentials: "same-origin" }).catch(() => {
    throw new Refused("offline", "");
  });
  if (!answer.ok) {
    const { error } = await answer.json().catch(() => ({}));
    throw new Refused(error?.code ?? "error", error?.reason ?? "", answer.status);
  }
  const href = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** The result: for a spreadsheet, for programs, as a text; with `secret` for whoever runs it by that. */
export function Result({ code, secret }) {
  const [, error, run] = useDoing();
  const link = (form, ending, text) => {
    const path = `${pathOf(code)}/file?form=${form}&lang=${language.get()}`;
    const name = `rookery-evening-${code}.${ending}`;
    const press = (event) => {
      event.preventDefault();
      run(() => save(path, secret, name));
    };
    return html`<a class="button" href=${path} download=${name} onClick=${secret ? press : undefined}>${text}</a>`;
  };
  return html`<details class="panel">
    <summary>${t("evening.result")}</summary>
    <div class="row">${link("csv", "csv", "CSV")}${link("json", "json", "JSON")}${link("text", "txt", t("evening.text"))}</div>
    <${Refusal} error=${error} />
  </details>`;
}
