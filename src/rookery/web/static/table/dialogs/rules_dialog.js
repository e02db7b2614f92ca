// The rules of this table, in words.
import { get, post } from "../../core/api.js";
import { Dialog } from "../../components/dialog.js";
import { gameName, inWords, language, t } from "../../core/i18n.js";
import { Problem } from "../../components/common.js";
import { html, useEffect, useState, useStore } from "../../core/ui.js";

const known = new Map();

function ask(rules) {
  const key = language.get() + (rules.id || JSON.stringify(rules.options));
  if (!known.has(key)) {
    const answer = rules.id
      ? get(inWords(`/api/variants/${encodeURIComponent(rules.id)}`))
      : post(inWords("/api/rules/check"), { rules: { ...rules.options, name: rules.name } });
    answer.catch(() => known.delete(key));
    known.set(key, answer);
  }
  return known.get(key);
}

/** The dialog; `rules` as the snapshot has them. */
export function RulesDialog({ rules, onClose }) {
  const [found, set] = useState(null);
  const [error, setError] = useState(null);
  const load = () => {
    setError(null);
    ask(rules).then(set, setError);
  };
  useEffect(load, [useStore(language)]);
  const sections = found ? Object.entries(found.sections || {}) : [];
  return html`<${Dialog} title=${gameName(rules.name)} onClose=${onClose} class="wide">
    ${error && html`<${Problem} error=${error} retry=${load} />`}
    ${!found && !error && html`<p class="loading">${t("shell.loading")}</p>`}
    <div class="rules-text">
      ${sections.map(([head, text]) => html`<section key=${head}><h3>${head}</h3><p>${text}</p></section>`)}
      ${found && !sections.length && html`<pre class="summary">${found.summary}</pre>`}
    </div>
  <//>`;
}
