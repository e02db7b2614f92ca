// The ways out of a score sheet: links for other phones, a picture of the link, the result as a file or a text.
import { CopyButton, Problem } from "../../components/common.js";
import { remove } from "../../core/api.js";
import { Sure } from "../../components/sure.js";
import { Way } from "../../components/way.js";
import { gameName, language, t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { html, useState } from "../../core/ui.js";
import { forget } from "./kept.js";
import { pathOf, withKey } from "./log.js";
import { asText } from "./said.js";

const Written = ({ code, secret, lead }) => html`<${Way} path=${`${pathOf(code)}/link`} headers=${withKey(secret)} lead=${lead} name=${t("score.title")} qr=${t("score.qr")}
  fallback=${`${location.origin}/s/${code}${secret && `#${secret}`}`} />`;

/** Links: one for whoever keeps the score too, one for whoever only looks. */
export function Share({ code, secret }) {
  const [open, setOpen] = useState(false);
  return html`<details class="panel" onToggle=${(event) => event.target.open && setOpen(true)}>
    <summary>${t("score.share")}</summary>
    ${open && html`<div class="stack">
      ${secret && html`<${Written} code=${code} secret=${secret} lead=${t("score.share_write")} />`}
      <${Written} code=${code} secret="" lead=${t("score.share_read")} />
    </div>`}
  </details>`;
}

/** The result: as a text to send, for a spreadsheet, for programs. */
export function Result({ code, told }) {
  const file = (form) => `${pathOf(code)}/file?form=${form}&lang=${language.get()}`;
  const text = asText(told, gameName(told.rules.name));
  const share = () => navigator.share({ text }).catch(() => {});
  return html`<details class="panel">
    <summary>${t("score.result")}</summary>
    <div class="stack tight">
      <p class="share-text">${text}</p>
      <div class="row">
        <${CopyButton} text=${text} label=${t("score.copy_text")} />
        ${navigator.share && html`<button type="button" class="button" onClick=${share}>${t("lobby.share")}</button>`}
        <a class="button" href=${file("csv")} download=${`rookery-${code}.csv`}>CSV</a>
        <a class="button" href=${file("json")} download=${`rookery-${code}.json`}>JSON</a>
        <a class="button" href=${file("text")} download=${`rookery-${code}.txt`}>${t("score.text")}</a>
      </div>
    </div>
  </details>`;
}

/** For whoever made the sheet: to delete it, for everybody. */
export function Delete({ code }) {
  const [error, setError] = useState(null);
  const gone = () => {
    forget(code);
    go("/sheet");
  };
  const act = () => remove(pathOf(code)).then(gone, (refused) => (refused.status === 404 ? gone() : setError(refused)));
  return html`<div class="stack tight">
    ${error && html`<${Problem} error=${error} />`}
    <div class="row"><${Sure} label=${t("score.delete")} sure=${t("score.delete_sure")} back=${t("score.cancel")} act=${act} /></div>
  </div>`;
}
