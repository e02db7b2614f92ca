// An evening of many tables, for everybody who is there: where I sit, what we scored, who is ahead. Its host has more on it.
import { needWords, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useEffect, useMemo, useStore } from "../../core/ui.js";
import { Problem } from "../../components/common.js";
import { PlainHttp, useAwake } from "../../components/awake.js";
import { seldom } from "../../components/lazy.js";
import { Waiting, needStyle } from "../../components/loading.js";
import { openEvening } from "./log.js";
import { Delete, Run } from "./host.js";
import { People } from "./people.js";
import { NamePlease, Place, Sending, WhoAreYou, useNameless } from "./place.js";
import { RoundTables, RoundsSoFar } from "./rounds.js";
import { handsText, movementName } from "./said.js";
import { useGoing } from "./screens/going.js";
import { Promised } from "./screens/promised.js";
import { Pairs, Standings } from "./standings.js";
import { Result, Ways } from "./ways.js";

await Promise.all([needWords("pages"), needWords("beside/sheet"), needWords("beside/evening"), needStyle("sheet"), needStyle("evening")]);

export const title = "evening.title";

const Deals = seldom(() => import("./deals.js"), "Deals");

function Evening({ code, log, state, kept }) {
  const { told } = state;
  const { evening, you } = told;
  const [nameless, named] = useNameless();
  useAwake(!evening.over);
  useGoing(told, state.heard !== kept);
  return html`<div class="evening-page">
    <div class="stack">
      <div class="sheet-head"><h1 tabindex="-1">${evening.name || t("evening.title")}</h1>
        <p class="mark">${[movementName(evening.movement), evening.screens && t("evening.screens"), handsText(evening)].filter(Boolean).join(" · ")}</p></div>
      <${Sending} log=${log} state=${state} />
      ${state.error && html`<${Problem} error=${state.error} retry=${log.look} />`}
      ${you.person !== null ? html`<${Place} code=${code} log=${log} state=${state} />` : !you.host && html`<${WhoAreYou} log=${log} state=${state} />`}
      ${you.host && (nameless || state.nameless) ? html`<${NamePlease} log=${log} done=${named} />` : you.host && html`<${Run} code=${code} log=${log} state=${state} />`}
      ${you.host && html`<${People} log=${log} evening=${evening} />`}
      ${you.host && you.person === null && !evening.over && html`<details class="panel"><summary>${t("evening.host_plays")}</summary><${WhoAreYou} log=${log} state=${state} /></details>`}
      ${!evening.over && html`<${PlainHttp} />`}
    </div>
    <div class="stack">
      ${(evening.standings.length > 0 || !evening.pairs.length) && html`<section class="panel paper stack tight" aria-labelledby="standings-title">
          <h2 id="standings-title">${t("evening.standings")}</h2>
          <${Standings} evening=${evening} person=${you.person} />
        </section>`}
      <${Pairs} evening=${evening} person=${you.person} />
      ${evening.round && html`<details class="panel this-round">
        <summary>${t("evening.all_tables", { n: evening.round.number })}</summary>
        <${RoundTables} log=${log} state=${state} round=${evening.round} />
      </details>`}
      ${evening.over && evening.deals > 0 && html`<${Deals} code=${code} evening=${evening} person=${you.person} />`}
      <${Promised} code=${code} evening=${evening} />
      <${RoundsSoFar} log=${log} state=${state} code=${code} />
      <${Ways} code=${code} told=${told} secret=${state.key} />
      ${(you.host || evening.over || !evening.deals) && html`<${Result} code=${code} secret=${state.key} />`}
      <p class="row"><${Link} href="/evening" class="button quiet">${t("evening.others")}<//></p>
      ${you.mine && html`<${Delete} code=${code} />`}
    </div>
  </div>`;
}

/** The page. */
export default function EveningPage({ params }) {
  const code = params.code.toUpperCase();
  const log = useMemo(() => openEvening(code, location.hash.slice(1)), [code]);
  const kept = useMemo(() => log.store.get().heard, [log]); // when what was kept here came, by whatever this clock said then
  useEffect(() => log.close, [log]);
  const state = useStore(log.store);
  if (state.told) return html`<${Evening} code=${code} log=${log} state=${state} kept=${kept} />`;
  return html`<div class="stack narrow">
    <h1 tabindex="-1">${t("evening.title")}</h1>
    <${Waiting} error=${state.error} again=${state.error?.status === 404 ? null : log.look} />
    ${state.error && html`<p><${Link} href="/evening" class="button">${t("evening.new")}<//></p>`}
  </div>`;
}
