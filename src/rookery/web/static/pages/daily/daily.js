// The daily deals: today's, one a family of rules, and those of earlier days.
import { get } from "../../core/api.js";
import { whenIdle } from "../../components/lazy.js";
import { needStyle, useLooked, Waiting } from "../../components/loading.js";
import { gameName, needWords, plural, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useEffect } from "../../core/ui.js";
import { cameTo, dayName, hour } from "./days.js";

await Promise.all([needWords("pages"), needWords("review"), needStyle("daily")]);

export const title = "daily.title";

function Promised({ one, ends }) {
  const line = (name, hex) => hex && html`<dt>${t(`daily.${name}`)}</dt><dd>${hex}</dd>`;
  return html`<details>
    <summary>${t("daily.promise")}</summary>
    <p>${t("daily.promise_how")}</p>
    <dl class="proof">${line("fingerprint", one.commitment)}${line("key", one.key)}${line("tomorrow", one.tomorrow)}</dl>
    ${!one.key && html`<p>${t("daily.key_later", { time: hour(ends) })}</p>`}
  </details>`;
}

function Family({ one, day, ends }) {
  const { mine, family, name, seat } = one;
  const state = !mine ? "new" : mine.open ? "open" : "played";
  return html`<li class="panel stack tight">
    <h3>${gameName(name)}</h3>
    <p><small>${plural("catalogue.seats", one.seats)}</small> <span class=${`tag ${state}`}>${t(`daily.state.${state}`)}</span></p>
    ${mine?.over && html`<p>${cameTo(mine, seat)}</p>`}
    ${one.replaced && html`<p class="notice">${t("daily.replaced")}</p>`}
    <p><${Link} class=${`button ${state === "played" ? "" : "primary"}`} href=${`/daily/${day}/${family}`}
      aria-label=${`${t(`daily.go.${state}`)}: ${gameName(name)}, ${dayName(day)}`}>${t(`daily.go.${state}`)}<//></p>
    <${Promised} one=${one} ends=${ends} />
  </li>`;
}

function Day({ found }) {
  return html`<section class="stack tight" aria-labelledby=${`day-${found.day}`}>
    <h2 id=${`day-${found.day}`}>${dayName(found.day)}</h2>
    <ul class="plain deals">${found.families.map((one) => html`<${Family} key=${one.family} one=${one} day=${found.day} ends=${found.ends} />`)}</ul>
  </section>`;
}

/** A list of days: today alone, or earlier ones. */
export function Days({ path, earlier }) {
  const { value, error, again } = useLooked(() => get(path), [path]);
  // Whoever comes back to this page may do so on another day, or after a deal was played in another window.
  useEffect(() => {
    const look = () => document.hidden || again();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  });
  // The table of a deal, so that it is there when one is chosen.
  useEffect(() => {
    if (value) whenIdle(() => import("./deal.js").catch(() => {}));
  }, [value]);
  const days = value && (earlier ? value.days : [value]);
  return html`<div class="stack reading">
    <h1 tabindex="-1">${t(earlier ? "daily.archive" : "daily.today")}</h1>
    <p class="lead">${t(earlier ? "daily.archive_lead" : "daily.lead")}</p>
    ${!days && html`<${Waiting} error=${error} again=${again} />`}
    ${days && !days.length && html`<p>${t("daily.none")}</p>`}
    ${days && days.map((found) => html`<${Day} key=${found.day} found=${found} />`)}
    ${value && !earlier && html`<p class="mark">${t("daily.next", { time: hour(value.ends) })}</p>`}
    <p class="row">
      ${earlier ? html`<${Link} href="/daily" class="button">${t("daily.today")}<//>` : html`<${Link} href="/daily/archive" class="button">${t("daily.archive")}<//>`}
      <${Link} href="/" class="button quiet">${t("shell.home")}<//>
    </p>
  </div>`;
}

/** The page. */
export default function Daily() {
  return html`<${Days} path="/api/daily" earlier=${false} />`;
}
