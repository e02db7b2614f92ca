// Where somebody sits in this round, how much time is left, and what their table scored; before that, who they are.
import { get, nameMe, whoAmI } from "../../core/api.js";
import { announce } from "../../core/announce.js";
import { plural, t } from "../../core/i18n.js";
import { html, useEffect, useRef, useState } from "../../core/ui.js";
import { Sure } from "../../components/sure.js";
import { Unread } from "../../components/unread.js";
import { useLoaded } from "../../components/loading.js";
import { TableScore } from "./entry.js";
import { NextRound, ToTable } from "./screens/going.js";
import { nameOf, onScreen, placeOf, placeText, rankOf, rankText, refusalOf, scoreText } from "./said.js";
import { pathOf } from "./told.js";

/** Return [busy, error, run]: `run(act)` does something that may be refused. */
export function useDoing() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const run = async (act) => {
    setBusy(true);
    setError(null);
    try {
      await act();
      return true;
    } catch (refused) {
      setError(refused);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return [busy, error, run];
}

/** A refusal, where there is one. */
export const Refusal = ({ error }) => error && html`<p class="wrong" role="alert">${refusalOf(error)}</p>`;

// The table in a round that an entry is about, as far as it says so.
const tableOf = ({ change }) => (Number.isInteger(change?.round) && Number.isInteger(change?.table) ? `${t("evening.round", { n: change.round })}, ${t("evening.table", { n: change.table })}` : null);

/** What has not arrived yet, and why. */
export function Sending({ log, state }) {
  const unsent = state.waiting.filter((one) => !one.problem).length;
  const words = unsent ? `${plural("evening.unsent", unsent)}${state.fleeting ? ` ${t("evening.keep_open")}` : ""}` : state.away ? t("evening.away") : "";
  return html`<p class=${words ? "notice sending" : "unseen"} role="status">${words}</p>
    <${Unread} state=${state} drop=${log.drop} placeOf=${tableOf} />`;
}

// Whoever has no name on this server takes the one by which they are listed.
async function named(name, act) {
  const me = await whoAmI();
  if (!me.name) await nameMe(name);
  try {
    await act();
  } catch (refused) {
    if (refused.code !== "no-session") throw refused;
    await nameMe(me.name || name);
    await act();
  }
}

/** The list of names, for whoever has not said yet which is theirs. */
export function WhoAreYou({ log, state }) {
  const { evening } = state.told;
  const [busy, error, run] = useDoing();
  const free = evening.people.filter((one) => one.name && !one.claimed && !one.bot && one.here);
  const taken = evening.people.filter((one) => one.claimed && one.here);
  if (evening.over || !free.length) return null;
  return html`<section class=${state.told.you.host ? "stack tight" : "panel stack tight"} aria-labelledby="who-title">
    <h2 id="who-title">${t("evening.who")}</h2>
    <p class="mark">${t("evening.who_how")}</p>
    <div class="picks">${free.map((one) => html`<button key=${one.number} type="button" class="button" disabled=${busy}
      onClick=${() => run(() => named(one.name, () => log.act({ do: "claim", person: one.number })))}>${one.name}</button>`)}</div>
    ${taken.length > 0 && html`<p class="mark">${t("evening.who_taken")}</p>`}
    <${Refusal} error=${error} />
  </section>`;
}

/** Return whether this browser has no name on this server; false until that is known. */
export function useNameless() {
  const [nameless, set] = useState(false);
  useEffect(() => {
    whoAmI().then((me) => set(!me.name), () => set(false));
  }, []);
  return [nameless, () => set(false)];
}

/** The name that an entry needs, asked for where this browser has none. */
export function NamePlease({ log, name: first, done }) {
  const [name, setName] = useState(first ?? "");
  const [busy, error, run] = useDoing();
  const take = (event) => {
    event.preventDefault();
    if (name.trim()) run(() => nameMe(name.trim()).then(log.look).then(done));
  };
  return html`<form class="panel stack tight" onSubmit=${take}>
    <h2 id="name-title">${t("evening.your_name")}</h2>
    <p class="mark">${t("evening.your_name_how")}</p>
    <div class="row nowrap"><label class="field grow"><span class="unseen">${t("evening.your_name")}</span><input name="name" maxlength="24" autocomplete="nickname" value=${name} onInput=${(event) => setName(event.target.value)} /></label>
      <button class="button" disabled=${busy}>${t("evening.continue")}</button></div>
    <${Refusal} error=${error} />
  </form>`;
}

const two = (n) => String(n).padStart(2, "0");

/** The time that is left in this round, by the server's clock. */
export function Clock({ state }) {
  const { ahead } = state;
  const { ends } = state.told.evening;
  const left = () => Math.ceil((ends - Date.now() - ahead) / 1000);
  const [seconds, set] = useState(left);
  useEffect(() => {
    if (ends === null) return undefined;
    set(left());
    const timer = setInterval(() => set(left()), 1000);
    return () => clearInterval(timer);
  }, [ends, ahead]);
  if (ends === null) return null;
  const words = seconds > 0 ? t("evening.left", { time: `${Math.floor(seconds / 60)}:${two(seconds % 60)}` }) : t("evening.time_up");
  return html`<p class=${`time-left ${seconds <= 0 ? "up" : ""}`} role="timer" aria-live="off">${words}</p>`;
}

// Whether the score of a table is missing that somebody was at.
const lacks = (evening, at) => evening.missing.some(([round, table]) => round === at.number && table === at.table.number);

// The round in which somebody still plays at a slow table: the newest before this one that has them, if it lacks their score;
// false where their table is done. Until that is known they are where they were `last`; null where that is not known either.
function useStill(code, told, wanted, last) {
  const { evening, you } = told;
  const first = Math.min(...evening.missing.map(([round]) => round));
  const find = async () => {
    for (let number = evening.rounds - 1; wanted && number >= first; number--) {
      const round = await get(`${pathOf(code)}/rounds/${number}`);
      const table = round.tables.find((one) => one.seats.includes(you.person));
      if (table) return { wanted, still: lacks(evening, { number, table }) && { number, table } };
    }
    return { wanted, still: false };
  };
  const { value } = useLoaded(find, [code, wanted && told.entries, wanted]);
  if (value?.wanted === wanted) return value.still;
  return last && lacks(evening, last) ? last : null;
}

// What is said to somebody first.
function wordsOf(evening, person, place, still) {
  if (evening.over) {
    const rank = rankOf(evening, person);
    return rank === null ? [t("evening.over")] : [t("evening.over"), rankText(rank)];
  }
  if (!evening.rounds) return [t(evening.people[person].here ? "evening.not_begun" : "evening.gone")];
  const round = t("evening.round", { n: evening.rounds });
  if (place.at === "table") return [round, placeText(evening, place)];
  if (place.at === "playing" && still) return [t("evening.round", { n: still.number }), placeText(evening, { table: still.table, seat: still.table.seats.indexOf(person) })];
  // Whoever was at a slow table that is done has no seat in this round.
  const words = t(`evening.place.${place.at === "playing" && still === false ? "next" : place.at}`);
  return place.at === "bye" ? [round, words] : [words];
}

// For whoever tapped a name that is not theirs, or goes home.
function Not({ log, evening, person }) {
  const [busy, error, run] = useDoing();
  const doing = (change) => run(() => log.act({ ...change, person }));
  return html`<div class="stack tight">
    <div class="row tight">
      <${Sure} label=${t("evening.not_me", { name: nameOf(evening, person) })} sure=${t("evening.not_me_sure")} back=${t("evening.cancel")} busy=${busy} act=${() => doing({ do: "free" })} />
      ${evening.people[person].here && html`<${Sure} label=${t("evening.go_home")} sure=${t("evening.go_home_sure")} back=${t("evening.cancel")} busy=${busy} act=${() => doing({ do: "leave" })} />`}
    </div>
    <${Refusal} error=${error} />
  </div>`;
}

// On screens the table is gone to, and tells its score by itself.
function OnScreen({ evening, table }) {
  return html`${table.scores && html`<p>${t("evening.screens.scored", { score: scoreText(evening, table, [table.scores]) })}</p>`}
    ${!evening.over && html`<${ToTable} table=${table} />`}`;
}

/** Where I sit, the time that is left, and the score of my table. */
export function Place({ code, log, state }) {
  const { told } = state;
  const { evening, you } = told;
  const place = placeOf(evening, you.person);
  const last = useRef(null); // whoever types a score as the next round begins goes on typing
  if (place.at === "table") last.current = { number: evening.rounds, table: place.table };
  const still = useStill(code, told, place.at === "playing" && !evening.over, last.current);
  const words = wordsOf(evening, you.person, place, still);
  const said = words.join(": ");
  useEffect(() => announce(said), [said]);
  const mine = place.at === "table" ? { round: evening.rounds, table: place.table } : still ? { round: still.number, table: still.table } : null;
  return html`<section class="panel place stack tight" aria-labelledby="place-title">
    <p class="mark">${nameOf(evening, you.person)}</p>
    <h2 id="place-title">${words.length > 1 && html`<span class="place-round">${words[0]}</span> `}${words.at(-1)}</h2>
    ${mine?.table.deals.length > 0 && html`<p>${t("evening.deals", { deals: mine.table.deals.join(", ") })}</p>`}
    ${!evening.over && html`<${Clock} state=${state} />`}
    ${state.nameless && html`<${NamePlease} log=${log} name=${nameOf(evening, you.person)} />`}
    <${NextRound} evening=${evening} ahead=${state.ahead} />
    ${mine && onScreen(evening, mine.table) && html`<${OnScreen} evening=${evening} table=${mine.table} />`}
    ${mine && !onScreen(evening, mine.table) && html`<h3>${t("evening.your_score")}</h3>
      <${TableScore} key=${`${mine.round}-${mine.table.number}`} log=${log} state=${state} round=${mine.round} table=${mine.table} />`}
    ${!evening.over && html`<${Not} log=${log} evening=${evening} person=${you.person} />`}
  </section>`;
}
