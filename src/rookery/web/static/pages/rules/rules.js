// The rules pages: the catalogue, and every variant in words.
import { inWords, language, needWords, number, t } from "../../core/i18n.js";
import { Link, go } from "../../core/router.js";
import { html, useStore } from "../../core/ui.js";
import { Terms } from "../../components/lazy.js";
import { Waiting, getOnce, useLoaded } from "../../components/loading.js";
import { Catalogue, Facts } from "./catalogue.js";
import { HouseList } from "./house_rules.js";
import { Reconstructed, RulesText } from "./rules_text.js";

await needWords("pages");

export const title = "rules.title";

function All() {
  const lang = useStore(language);
  const { value, error, again } = useLoaded(() => getOnce(inWords("/api/variants")), [lang]);
  return html`<div class="stack reading">
    <h1 tabindex="-1">${t("rules.title")}</h1>
    <p>${t("rules.lead")}</p>
    <p><${Link} href="/rules/edit" class="button">${t("home.editor")}<//></p>
    <${HouseList} href=${(hash) => `/rules/edit#${hash}`} />
    ${value
      ? html`<h2>${t("rules.catalogue")}</h2><${Catalogue} variants=${value} href=${(id) => `/rules/${id}`} />`
      : html`<${Waiting} error=${error} again=${again} />`}
  </div>`;
}

function One({ id }) {
  const lang = useStore(language);
  const { value, error, again } = useLoaded(() => getOnce(inWords(`/api/variants/${encodeURIComponent(id)}`)), [id, lang]);
  const back = html`<p><${Link} href="/rules" class="button quiet">${t("rules.all")}<//></p>`;
  if (!value) {
    return html`<div class="narrow stack">
      <h1 tabindex="-1">${t("rules.title")}</h1>
      <${Waiting} error=${error} again=${error && error.status === 404 ? null : again} />
      ${back}
    </div>`;
  }
  return html`<article class="stack reading">
    <h1 tabindex="-1">${value.name}</h1>
    <p class="lead"><${Terms} text=${value.special} /></p>
    <${Facts} variant=${value} />
    <${Reconstructed} why=${value.reconstructed} />
    <div class="row">
      <button type="button" class="button primary" onClick=${() => go(`/new?rules=${value.id}`)}>${t("rules.play")}</button>
      <${Link} href=${`/rules/edit?base=${value.id}`} class="button">${t("rules.change")}<//>
    </div>
    <h2>${t("rules.in_words")}</h2>
    <${RulesText} sections=${value.sections} />
    <p class="mark">${t("rules.points", { n: number(value.total_points), id: value.id })}</p>
    ${back}
  </article>`;
}

/** The page. */
export default function Rules({ params }) {
  return params.rest ? html`<${One} key=${params.rest} id=${params.rest} />` : html`<${All} />`;
}
