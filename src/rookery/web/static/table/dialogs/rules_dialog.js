// The rules of this table, in words.
import { get, post } from "../../core/api.js";
import { Dialog } from "../../components/dialog.js";
import { Terms } from "../../components/lazy.js";
import { gameName, inWords, language, t } from "../../core/i18n.js";
import { Problem } from "../../components/common.js";
import { html, useEffect, useState, useStore } from "../../core/ui.js";

const answers = new Map();

function fetchRules(rules) {
  const key = language.get() + (rules.id || JSON.stringify(rules.options));
  if (!answers.has(key)) {
    const answer = rules.id
      ? get(inWords(`/api/variants/${encodeURIComponent(rules.id)}`))
      : post(inWords("/api/rules/check"), { rules: { ...rules.options, name: rules.name } });
    answer.catch(() => answers.delete(key));
    answers.set(key, answer);
  }
  return answers.get(key);
}

/** The dialog; `rules` as the snapshot has them. */
export function RulesDialog({ rules, onClose }) {
  const [rulesInWords, set] = useState(null);
  const [error, setError] = useState(null);
  const load = () => {
    setError(null);
    fetchRules(rules).then(set, setError);
  };
  useEffect(load, [useStore(language)]);
  const seen = new Set();
  const sections = rulesInWords ? Object.entries(rulesInWords.sections || {}) : [];
  return html`<${Dialog} title=${gameName(rules.name)} onClose=${onClose} class="wide">
    ${error && html`<${Problem} error=${error} retry=${load} />`}
    ${!rulesInWords && !error && html`<p class="loading">${t("shell.loading")}</p>`}
    <div class="rules-text">
      ${sections.map(([head, text]) => html`<section key=${head}><h3>${head}</h3><p><${Terms} text=${text} seen=${seen} /></p></section>`)}
      ${rulesInWords && !sections.length && html`<pre class="summary">${rulesInWords.summary}</pre>`}
    </div>
  <//>`;
}
