// What whoever runs an evening does: the next round begins, the clock runs, the evening ends.
import { get, remove } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { html, useState } from "../../core/ui.js";
import { Sure } from "../../components/sure.js";
import { Waiting, useLooked } from "../../components/loading.js";
import { TableScore } from "./entry.js";
import { evenings } from "./kept.js";
import { Refusal, useDoing } from "./place.js";
import { NextRound as NextAt } from "./screens/going.js";
import { RealCards } from "./screens/real.js";
import { pathOf, realOf, withKey } from "./told.js";

function EarlierTable({ code, log, state, round, number, done }) {
  const { value, error, again } = useLooked(() => get(`${pathOf(code)}/rounds/${round}`, withKey(state.key)), [round, state.told.entries]);
  const table = value?.tables.find((one) => one.number === number);
  return table ? html`<${TableScore} log=${log} state=${state} round=${round} table=${table} done=${done} />` : html`<${Waiting} error=${error} again=${again} />`;
}

// A table whose score does not count yet: it is entered here, or the table plays on while others begin the next round.
function Missing({ code, log, state, at: [round, number], slow, setSlow, may }) {
  const { evening } = state.told;
  const [open, setOpen] = useState(false);
  const here = round === evening.rounds && evening.round.tables.find((one) => one.number === number);
  const name = here ? t("evening.table", { n: number }) : t("evening.table_of", { n: number, round });
  const close = () => setOpen(false);
  return html`<li class="missing stack tight" data-missing=${`${round}-${number}`}>
    <div class="row tight">
      <b class="grow">${name}</b>
      <button type="button" class="button chip" aria-expanded=${open} aria-label=${`${t("evening.score")}: ${name}`} onClick=${() => setOpen(!open)}>${t("evening.score")}</button>
      ${may && html`<label class="switch"><input type="checkbox" checked=${slow} onChange=${(event) => setSlow(event.target.checked)} aria-label=${`${t("evening.slow")}: ${name}`} /><span>${t("evening.slow")}</span></label>`}
    </div>
    ${open && (here
      ? html`<${TableScore} log=${log} state=${state} round=${round} table=${here} done=${close} />`
      : html`<${EarlierTable} code=${code} log=${log} state=${state} round=${round} number=${number} done=${close} />`)}
  </li>`;
}

// The tables that lack a score, and the button for the next round.
function NextRound({ code, log, state, busy, doing }) {
  const { evening } = state.told;
  const [slow, setSlow] = useState(new Set());
  const { missing, rounds, by_results: waits, screens } = evening;
  const keyOf = (at) => at.join("-");
  const stay = new Set(evening.stay?.map(keyOf));
  const mayStay = (at) => stay.has(keyOf(at));
  const toggle = (at) => (on) => {
    const after = new Set(slow);
    if (on) after.add(keyOf(at));
    else after.delete(keyOf(at));
    setSlow(after);
  };
  const staying = missing.filter((at) => mayStay(at) && slow.has(keyOf(at)));
  const left = missing.length - staying.length;
  const begin = () => doing({ do: "round", round: rounds + 1, slow: staying.map(([, number]) => number) });
  const last = evening.full !== null && rounds >= evening.full;
  if (last && !missing.length) return html`<p>${t("evening.all_played")}</p>`;
  return html`<div class="stack tight">
    ${missing.length > 0 && html`<p id="missing-how">${t(last ? "evening.missing_last" : screens && !realOf(evening).length ? (waits ? "evening.screens.missing_waits" : "evening.screens.missing") : waits ? "evening.missing_waits" : "evening.missing")}</p>
      <ul class="plain missing-list" aria-describedby="missing-how">
        ${missing.map((at) => html`<${Missing} key=${keyOf(at)} code=${code} log=${log} state=${state} at=${at} may=${!last && mayStay(at)} slow=${slow.has(keyOf(at))} setSlow=${toggle(at)} />`)}
      </ul>`}
    ${!last && html`<div class="row">${left > 0 && !waits
      ? html`<${Sure} label=${t("evening.begin", { n: rounds + 1 })} sure=${t("evening.begin_anyway", { n: rounds + 1 })} back=${t("evening.cancel")} act=${begin} busy=${busy} kind="primary big grow begin" />`
      : html`<button type="button" class="button primary big grow begin" disabled=${busy || left > 0} onClick=${begin}>${t("evening.begin", { n: rounds + 1 })}</button>`}</div>`}
  </div>`;
}

function Timer({ evening, busy, doing }) {
  const [minutes, set] = useState("20");
  const start = (event) => {
    event.preventDefault();
    if (Number(minutes) >= 1) doing({ do: "clock", minutes: Math.min(600, Number(minutes)) });
  };
  return html`<form class="row" onSubmit=${start}>
    <label class="field inline-field"><span>${t("evening.minutes")}</span>
      <input class="number" name="minutes" inputmode="numeric" autocomplete="off" value=${minutes} onInput=${(event) => {
        event.target.value = event.target.value.replace(/\D/g, "").slice(0, 3);
        set(event.target.value);
      }} /></label>
    <button class="button end" disabled=${busy}>${t(evening.ends === null ? "evening.clock_start" : "evening.clock_again")}</button>
    ${evening.ends !== null && html`<button type="button" class="button end" disabled=${busy} onClick=${() => doing({ do: "clock", minutes: null })}>${t("evening.clock_stop")}</button>`}
  </form>`;
}

/** The next round, the clock, the end. */
export function Run({ code, log, state }) {
  const { evening } = state.told;
  const [busy, error, run] = useDoing();
  const doing = (change) => run(() => log.act(change));
  const { screens } = evening;
  const untouched = evening.round?.tables.every((one) => one.state === "open" && one.entry === 0 && !one.code);
  const shown = Boolean(evening.key); // whoever has seen the key knows the cards of deals that were never played
  return html`<section class="panel stack run" aria-labelledby="run-title">
    <h2 id="run-title">${t("evening.run")}</h2>
    ${evening.over
      ? html`<p>${t("evening.over_host")}</p>${!shown && html`<div class="row"><button type="button" class="button big" disabled=${busy} onClick=${() => doing({ do: "end", over: false })}>${t("evening.go_on")}</button></div>`}`
      : html`<${NextRound} key=${evening.rounds} code=${code} log=${log} state=${state} busy=${busy} doing=${doing} />
        ${state.told.you.person === null && html`<${NextAt} evening=${evening} ahead=${state.ahead} />`}
        <${Refusal} error=${error} />
        ${evening.rounds > 0 && (!screens || realOf(evening).length > 0) && html`<${Timer} evening=${evening} busy=${busy} doing=${doing} />`}
        <div class="row">
          ${evening.rounds > 0 && untouched && html`<${Sure} label=${t("evening.undo_round", { n: evening.rounds })} sure=${t("evening.undo_sure", { n: evening.rounds })} back=${t("evening.cancel")} busy=${busy}
            act=${() => doing({ do: "undo_round", round: evening.rounds })} />`}
          ${evening.rounds > 0 && html`<${Sure} label=${t("evening.end")} sure=${t("evening.end_sure")} back=${t("evening.cancel")} busy=${busy} act=${() => doing({ do: "end", over: true })} />`}
        </div>`}
    ${evening.over && html`<${Refusal} error=${error} />`}
    ${screens && !evening.over && !screens.commitment && html`<${RealCards} log=${log} evening=${evening} />`}
  </section>`;
}

/** For whoever made the evening: to delete it, for everybody. */
export function Delete({ code }) {
  const [busy, error, run] = useDoing();
  const gone = () => {
    evenings.forget(code);
    go("/evening");
  };
  const act = () => run(() => remove(pathOf(code)).then(gone, (refused) => {
    if (refused.status !== 404) throw refused;
    gone();
  }));
  return html`<div class="stack tight">
    <${Refusal} error=${error} />
    <div class="row"><${Sure} label=${t("evening.delete")} sure=${t("evening.delete_sure")} back=${t("evening.cancel")} act=${act} busy=${busy} /></div>
  </div>`;
}
