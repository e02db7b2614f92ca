// What players have reported of each other, and the talk before it, which is asked for when somebody wants to read it.
import { Problem } from "../../components/common.js";
import { has, language, t } from "../../core/i18n.js";
import { html, useState } from "../../core/ui.js";
import { ago } from "./words.js";

const wordsOf = ({ text, phrase }) => (phrase ? (has(`phrase.${phrase}`) ? t(`phrase.${phrase}`) : phrase) : text);

const moment = (at) => new Intl.DateTimeFormat(language.get(), { dateStyle: "short", timeStyle: "medium" }).format(at);

function Line({ line }) {
  return html`<li>
    <strong>${line.name}</strong>
    ${line.seat === null && html` <span class="tag">${t("chat.watching")}</span>`}
    ${line.reported && html` <span class="tag warn">${t("admin.reported_one")}</span>`} ${wordsOf(line)} <small>${moment(line.at)}</small>
  </li>`;
}

function Talk({ report, ask }) {
  const [lines, setLines] = useState(null);
  const [error, setError] = useState(null);
  const look = async () => {
    setError(null);
    try {
      setLines(await ask(`/api/admin/talk?code=${report.code}&seq=${report.seq}`));
    } catch (refused) {
      setError(refused);
    }
  };
  return html`<details onToggle=${(event) => event.target.open && look()}>
    <summary>${t("admin.talk")}</summary>
    ${error && html`<${Problem} error=${error} retry=${look} />`}
    ${lines && !lines.length && html`<p class="mark">${t("admin.no_talk")}</p>`}
    ${lines && lines.length > 0 && html`<ol class="plain">${lines.map((line, i) => html`<${Line} key=${i} line=${line} />`)}</ol>`}
  </details>`;
}

/** The reports; `ask` returns the answer to a path that is behind the secret. */
export function Reports({ reports, at, ask }) {
  if (!reports.length) return html`<p class="mark">${t("admin.no_reports")}</p>`;
  return html`<ul class="plain stack tight reports">${reports.map((one) => html`<li key=${`${one.code} ${one.seq}`}>
    <b>${t("admin.reported", { by: one.by || t("admin.somebody"), about: one.about || t("admin.somebody"), code: one.code })}</b>
    <small> ${ago(one.at, at)}</small><br />${one.reason || t("admin.no_reason")}
    <${Talk} report=${one} ask=${ask} />
  </li>`)}</ul>`;
}
