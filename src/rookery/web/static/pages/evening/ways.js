// The ways out of an evening: the hall's screen, paper, links for other phones, the result as a file.
import { t } from "../../core/i18n.js";
import { html, useState } from "../../core/ui.js";
import { Way } from "../../components/way.js";
import { pathOf, withKey } from "./told.js";

/** A link to the evening: for whoever looks, with `secret` for whoever runs it too, and with `table` for that table's phone. */
export function EveningWay({ code, secret = "", table = null, lead }) {
  return html`<${Way} path=${`${pathOf(code)}/link${table === null ? "" : `?table=${table}`}`} headers=${withKey(secret)} lead=${lead} name=${t("evening.title")} qr=${t("score.qr")}
    fallback=${`${location.origin}/e/${code}`} />`;
}

/** The hall, the paper, and the link for everybody. */
export function Ways({ code }) {
  const [open, setOpen] = useState(false);
  return html`<details class="panel" onToggle=${(event) => event.target.open && setOpen(true)}>
    <summary>${t("evening.share")}</summary>
    ${open && html`<${EveningWay} code=${code} lead=${t("evening.share_look")} />`}
  </details>`;
}

/** The result: for a spreadsheet, for programs, as a text. */
export function Result({ code }) {
  const file = (form) => `${pathOf(code)}/file?form=${form}`;
  return html`<details class="panel">
    <summary>${t("evening.result")}</summary>
    <div class="row">
      <a class="button" href=${file("csv")} download=${`rookery-evening-${code}.csv`}>CSV</a>
      <a class="button" href=${file("json")} download=${`rookery-evening-${code}.json`}>JSON</a>
      <a class="button" href=${file("text")} download=${`rookery-evening-${code}.txt`}>${t("evening.text")}</a>
    </div>
  </details>`;
}
