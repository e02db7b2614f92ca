// Rules in words, as the server writes them in the reader's language.
import { Terms } from "../../components/lazy.js";
import { t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";

/** Why rules are a reconstruction, where they are one. */
export function Reconstructed({ why }) {
  if (!why) return null;
  return html`<p class="reconstructed"><b>${t("catalogue.reconstructed")}.</b> ${why}</p>`;
}

/** The sections, each under its heading of the third level. */
export function RulesText({ sections }) {
  const seen = new Set(); // a term is marked once on a page
  return html`<div class="rules-text">
    ${Object.entries(sections).map(([head, text]) => html`<section key=${head}><h3>${head}</h3><p><${Terms} text=${text} seen=${seen} /></p></section>`)}
  </div>`;
}
