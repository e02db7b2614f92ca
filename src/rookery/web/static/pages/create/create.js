// A new table: which game, who may come, who takes the empty seats, how fast.
import { announce } from "../../core/announce.js";
import { hrefOf } from "../../core/base.js";
import { inWords, language, needWords, t } from "../../core/i18n.js";
import { Link, look } from "../../core/router.js";
import { html, useEffect, useMedia, useRef, useState, useStore } from "../../core/ui.js";
import { Waiting, checkRules, getOnce, useLoaded } from "../../components/loading.js";
import { Catalogue, Facts } from "../rules/catalogue.js";
import { CreateForm } from "./form.js";
import { HouseList, FIRST_BASE, Misfit, packed, unpacked } from "../rules/house_rules.js";
import { Reconstructed, RulesText } from "../rules/rules_text.js";

await needWords("pages");

export const title = "create.title";

// Return the rules that the address names: a variant's id, house rules after the #, or null.
function wanted(query) {
  try {
    return unpacked(location.hash) || query.rules || null;
  } catch (error) {
    return { error };
  }
}

async function ask(rules) {
  if (typeof rules === "string") {
    const game = await getOnce(inWords(`/api/variants/${encodeURIComponent(rules)}`));
    return { ...game, rules };
  }
  const game = await checkRules(rules);
  return { ...game, rules, house: true };
}

function Chosen({ rules, back }) {
  const key = typeof rules === "string" ? rules : JSON.stringify(rules);
  const { value: game, error, again } = useLoaded(async () => ({ ...(await ask(rules)), key }), [key, useStore(language)]);
  const head = useRef(null);
  useEffect(() => {
    if (game && back && head.current) head.current.focus({ preventScroll: true });
  }, [game]);
  if (!game) {
    return html`<div class="stack">
      <${Waiting} error=${error} again=${error && error.status === 404 ? null : again} />
      ${error && html`<p><${Link} href="/new" class="button">${t("create.other")}<//></p>`}
    </div>`;
  }
  const old = game.key !== key; // the one chosen before, while this one is on its way
  const edit = game.house ? `/rules/edit#${packed(rules)}` : `/rules/edit?base=${rules}`;
  return html`<div class="stack">
    <section class=${`panel stack tight ${old ? "old" : ""}`} aria-busy=${old} aria-labelledby="game-title">
      <h2 id="game-title" ref=${head} tabindex="-1">${game.name || rules.name}</h2>
      ${game.house && html`<p class="mark">${t("create.house")}</p>`}
      ${game.ok === false
        ? html`<${Misfit} rules=${rules} problems=${game.problems} />`
        : html`${!game.house && html`<p>${game.special}</p><${Facts} variant=${game} />`}
            <${Reconstructed} why=${game.reconstructed} />
            <details><summary>${t("create.words")}</summary><${RulesText} sections=${game.sections} /></details>`}
      <p class="row">
        ${back && html`<${Link} href="/new" class="button">${t("create.other")}<//>`}
        <${Link} href=${edit} class="button">${t("rules.change")}<//>
      </p>
    </section>
    ${game.ok !== false && html`<${CreateForm} rules=${rules} seats=${game.seats} gameName=${game.name || rules.name} wait=${old} />`}
  </div>`;
}

// On a wide screen a click in the list chooses a game, and the form stays in sight.
function pickBeside({ id, name }) {
  history.pushState(null, "", hrefOf(`/new?rules=${id}`));
  look();
  announce(name);
}

/** The page. */
export default function Create({ query }) {
  const [, redraw] = useState(0);
  const { value, error, again } = useLoaded(() => getOnce(inWords("/api/variants")), [useStore(language)]);
  const wide = useMedia("(min-width: 60rem)");
  useEffect(() => {
    const changed = () => redraw((n) => n + 1);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const game = wanted(query);
  const broken = game && game.error;
  const rules = broken ? null : game || (wide ? FIRST_BASE : null);
  // Whoever comes with rules of their own has chosen already.
  const listed = !rules || (wide && typeof rules === "string");
  return html`<div class=${listed ? "stack" : "stack narrow"}>
    <h1 tabindex="-1">${t("create.title")}</h1>
    ${broken && html`<p class="problem" role="alert">${t(broken.key)}</p>`}
    <div class=${wide && listed ? "two" : "stack"}>
      ${listed && html`<section class="stack" aria-labelledby="list-title">
        <div class="row">
          <h2 id="list-title" class="grow">${t("create.choose")}</h2>
          <${Link} href="/rules/edit" class="button">${t("home.editor")}<//>
        </div>
        <${HouseList} href=${(hash) => `/new#${hash}`} />
        ${value
          ? html`<${Catalogue} variants=${value} chosen=${rules} href=${(id) => `/new?rules=${id}`} pick=${wide ? pickBeside : null} />`
          : html`<${Waiting} error=${error} again=${again} />`}
      </section>`}
      ${rules && html`<div class="beside"><${Chosen} rules=${rules} back=${!listed} /></div>`}
    </div>
  </div>`;
}
