// The phone of a table: who sits there in this round, and its score, large; it stays at its table whoever comes and goes.
import { get } from "../../core/api.js";
import { needWords, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useEffect, useMemo, useRef, useStore } from "../../core/ui.js";
import { Problem } from "../../components/common.js";
import { PlainHttp, useAwake } from "../../components/awake.js";
import { Waiting, needStyle, useLoaded } from "../../components/loading.js";
import { TableScore } from "./entry.js";
import { openEvening } from "./log.js";
import { Clock, NamePlease, Sending, useNameless } from "./place.js";
import { handsText, mayScore, nameOf, onScreen, seatName } from "./said.js";
import { pathOf, withKey } from "./told.js";

await Promise.all([needWords("pages"), needWords("beside/sheet"), needWords("beside/evening"), needStyle("sheet"), needStyle("evening")]);

export const title = "evening.title";

// The table as it is in this round, or, where it is slow, in the round that it still plays.
function useTable(code, { told, key }, number) {
  const { evening } = told;
  const table = evening.round?.tables.find((one) => one.number === number);
  const earlier = table ? undefined : evening.missing.findLast(([, one]) => one === number)?.[0];
  const { value } = useLoaded(async () => (earlier === undefined ? null : get(`${pathOf(code)}/rounds/${earlier}`, withKey(key))), [earlier, told.entries]);
  const last = useRef(null); // whoever types a score as the next round begins goes on typing
  const slow = value?.tables.find((one) => one.number === number && one.seats.some((who) => evening.round.playing.includes(who)));
  if (table) last.current = { round: evening.rounds, table };
  else if (earlier !== undefined && slow) last.current = { round: earlier, table: slow };
  // Until that is known, or where it cannot be had now, the table is as it was.
  else if (value || last.current?.round !== earlier) last.current = null;
  return last.current;
}

function Table({ code, number, log, state }) {
  const { told } = state;
  const { evening, you } = told;
  const here = useTable(code, state, number);
  const [nameless, named] = useNameless();
  const may = you.host || you.table === number;
  const screen = Boolean(here) && onScreen(evening, here.table); // it tells its score by itself
  useAwake(!evening.over);
  const seats = here?.table.seats ?? [];
  return html`<div class="table-page stack">
    <h1 tabindex="-1">${t("evening.table", { n: number })}</h1>
    <${Sending} log=${log} state=${state} />
    ${state.error && html`<${Problem} error=${state.error} retry=${log.look} />`}
    ${evening.over && html`<p class="winners">${t("evening.over")}</p>`}
    ${!here && !evening.over && html`<p>${t(evening.rounds ? "evening.table_empty" : "evening.not_begun_table")}</p>`}
    ${here && html`<section class="panel stack place" aria-labelledby="table-round">
      <h2 id="table-round">${t("evening.round", { n: here.round })}</h2>
      <ul class="plain seats-list">${seats.map((person, seat) => html`<li key=${seat}><small>${seatName(seats.length, seat)}</small><b>${nameOf(evening, person)}</b></li>`)}</ul>
      ${here.table.deals.length > 0 && html`<p>${t("evening.deals", { deals: here.table.deals.join(", ") })}</p>`}
      ${!screen && handsText(evening) && html`<p>${handsText(evening)}</p>`}
      ${!evening.over && html`<${Clock} state=${state} />`}
      ${screen ? html`<p class="mark">${t("evening.screens.this_round")}</p>` : !may && html`<p class="mark">${t("evening.table_reading")}</p>`}
      ${may && mayScore(told, here.table) && !(nameless || state.nameless) && html`<${TableScore} key=${`${here.round}-${number}`} log=${log} state=${state} round=${here.round} table=${here.table} />`}
    </section>`}
    ${may && (nameless || state.nameless) && html`<${NamePlease} log=${log} name=${t("evening.table", { n: number })} done=${named} />`}
    ${!evening.over && html`<${PlainHttp} />`}
    <p class="row"><${Link} href=${`/e/${code}`} class="button quiet">${t("evening.whole")}<//></p>
  </div>`;
}

/** The page. */
export default function TablePage({ params }) {
  const code = params.code.toUpperCase();
  const number = Number(params.table);
  const log = useMemo(() => openEvening(code, location.hash.slice(1), `/t/${number}`), [code, number]);
  useEffect(() => log.close, [log]);
  const state = useStore(log.store);
  if (state.told) return html`<${Table} code=${code} number=${number} log=${log} state=${state} />`;
  return html`<div class="stack narrow">
    <h1 tabindex="-1">${t("evening.title")}</h1>
    <${Waiting} error=${state.error} again=${state.error?.status === 404 ? null : log.look} />
  </div>`;
}
