// What an evening adds to a table of its own: where this is, a seat by itself, and the way to the next table.
import { announce } from "../../../core/announce.js";
import { needWords, plural, t } from "../../../core/i18n.js";
import { Link, go } from "../../../core/router.js";
import { html, render, useEffect, useMemo, useRef, useState, useStore } from "../../../core/ui.js";
import { needStyle } from "../../../components/loading.js";
import { placeOf, placeText, rankOf, rankText } from "../said.js";
import { Pairs, Standings } from "../standings.js";
import { isLast, watchEvening } from "../told.js";
import { NextRound, useLeft } from "./going.js";

await Promise.all([needWords("beside/evening"), needStyle("evening")]);

// Milliseconds between two looks: while one plays, while one waits, of many people, and where something comes at once.
const LOOKS = { playing: 20_000, waiting: 5_000, many: 10_000, soon: 1_500 };
const MANY = 100; // people
const AFTER = 1_000; // milliseconds after a round is due until all are asked for at once, at most twice that
const COUNT = 5_000; // milliseconds in which whoever is moved can still stay
const TRIES = 3; // of sitting down in a round

function pauseOf(table, told) {
  if (!told) return LOOKS.waiting;
  const { evening, you } = told;
  const place = you.person === null ? null : placeOf(evening, you.person);
  if (place?.at === "table" && !place.table.code && !place.table.real) return LOOKS.soon;
  if (table.phase !== "over" && table.you !== null) return LOOKS.playing;
  return evening.people.length > MANY ? LOOKS.many : LOOKS.waiting;
}

// The evening, looked at as often as it matters here; {told, ahead, away, error}.
function useEvening(table) {
  const { code } = table.evening;
  const newest = useRef(table);
  newest.current = table;
  const watched = useMemo(() => {
    const one = watchEvening(code, "", () => pauseOf(newest.current, one.store.get().told));
    return one;
  }, [code]);
  useEffect(() => watched.close, [watched]);
  const state = useStore(watched.store);
  const done = table.phase === "over";
  const nextAt = state.told?.evening.screens?.next_at ?? null;
  useEffect(() => {
    if (done) watched.look();
  }, [done]);
  useEffect(() => {
    if (nextAt === null) return undefined;
    const timer = setTimeout(watched.look, Math.max(0, nextAt - state.ahead - Date.now()) + AFTER * (1 + Math.random()));
    return () => clearTimeout(timer);
  }, [nextAt]);
  return state;
}

// Whoever has said who they are sits down where the evening has put them, at once or when the hand is over.
function useSeat(room, table, told) {
  const tries = useRef(0);
  const place = told && told.you.person !== null && !told.evening.over ? placeOf(told.evening, told.you.person) : null;
  const seat = place?.at === "table" && place.table.code === table.code ? place.seat : null;
  useEffect(() => {
    if (seat === null || table.you !== null || table.phase === "over" || room.state.get().waits || tries.current >= TRIES) return;
    tries.current += 1;
    room.ask({ type: "sit", seat, wait: true });
  }, [seat, table.you, told]);
}

// In the header, where it takes no room from the table.
function Strip({ table, told }) {
  const { code, round, table: number } = table.evening;
  const slot = document.getElementById("top-slot");
  const draw = html`<${Link} href=${`/e/${code}`} class="strip" aria-label=${t("evening.screens.strip", { name: told?.evening.name || t("evening.title"), round, table: number })}>
    <span class="strip-name">${told?.evening.name || t("evening.title")}</span>
    <span class="strip-place">${t("evening.round", { n: round })}</span> <span class="strip-place">${t("evening.table", { n: number })}</span>
  <//>`;
  useEffect(() => render(draw, slot));
  useEffect(() => () => render(null, slot), []);
  return null;
}

function Moving({ of, evening, place }) {
  const [at] = useState(() => Date.now() + COUNT);
  const [stays, stay] = useState(false);
  const left = useLeft(stays ? null : at, 0);
  const where = placeText(evening, place);
  const { code, real } = place.table;
  const move = () => go(real ? `/e/${of}` : `/t/${code}`, { replace: true });
  useEffect(() => announce(t("evening.screens.moving_said", { n: evening.rounds, where, seconds: COUNT / 1000 }), true), []);
  useEffect(() => {
    if (left === 0) move();
  }, [left]);
  return html`<div class="stack tight moving">
    <h2><span class="place-round">${t("evening.round", { n: evening.rounds })}</span> ${where}</h2>
    ${!stays && html`<p role="timer" aria-live="off">${plural("evening.screens.moving", left)}</p>`}
    <div class="row"><button type="button" class="button primary big grow" onClick=${move}>${t(!stays ? "evening.screens.go_now" : real ? "evening.whole" : "evening.screens.go")}</button>
      ${!stays && html`<button type="button" class="button big" onClick=${() => stay(true)}>${t("evening.screens.stay")}</button>`}</div>
  </div>`;
}

// Where somebody sits now, if that is elsewhere: at another table on screens, or at one with real cards.
function nextPlace({ evening, you }, table) {
  if (evening.over || you.person === null) return null;
  const place = placeOf(evening, you.person);
  return place.at === "table" && (place.table.real || place.table.code) && place.table.code !== table.code ? place : null;
}

// What is said where nothing is to be done at this table: {head, words}.
function waitingWords(evening, you, table) {
  const { missing, rounds, screens } = evening;
  const rank = you.person === null ? null : rankOf(evening, you.person);
  const ranked = rank === null ? [] : [rankText(rank)];
  if (evening.over) return { head: [t("evening.over"), ...ranked].join(": "), words: "" };
  const place = you.person === null ? null : placeOf(evening, you.person);
  if (place?.at === "bye") return { head: `${t("evening.round", { n: rounds })}: ${t("evening.place.bye")}`, words: "" };
  // This one is done, though its score may come a moment later.
  const playing = missing.filter(([round, number]) => round === rounds && !(round === table.evening.round && number === table.evening.table)).length;
  if (playing) return { head: t("evening.screens.done"), words: plural("evening.screens.still", playing) };
  if (isLast(evening)) return { head: t("evening.screens.done"), words: t("evening.all_played") };
  return { head: t("evening.screens.done"), words: screens?.auto ? t("evening.screens.all_done") : t("evening.screens.host_begins", { n: rounds + 1 }) };
}

function Looking({ table, evening }) {
  if (!evening.over || !table.evening.deals.length) return null;
  return html`<${Link} href=${`/review/${table.code}/${table.match_number}`} class="button">${t("over.review")}<//>
    <${Link} href=${`/replay/${table.code}/${table.hand_number}`} class="button">${t("over.replay")}<//>
    <a class="button" href=${`/api/tables/${table.code}/record`} download=${`${table.code}.json`}>${t("over.record")}</a>`;
}

function Panel({ table, told, ahead, next }) {
  const { evening, you } = told;
  const { head, words } = waitingWords(evening, you, table);
  useEffect(() => {
    if (!next) announce([head, words].filter(Boolean).join(". "));
  }, [head, words, Boolean(next)]);
  return html`<section class="panel place stack tight at-evening" aria-label=${evening.name || t("evening.title")}>
    ${next ? html`<${Moving} key=${evening.rounds} of=${table.evening.code} evening=${evening} place=${next} />` : html`<h2>${head}</h2>${words && html`<p>${words}</p>`}
      <${NextRound} evening=${evening} ahead=${ahead} />`}
    ${!next && html`<details><summary>${t("evening.standings")}</summary>
      ${(evening.standings.length > 0 || !evening.pairs.length) && html`<${Standings} evening=${evening} person=${you.person} />`}
      <${Pairs} evening=${evening} person=${you.person} /></details>
      <div class="row"><${Link} href=${`/e/${table.evening.code}`} class="button">${t("evening.whole")}<//><${Looking} table=${table} evening=${evening} /></div>`}
  </section>`;
}

/** The strip in the header, and above the table what comes after it; sits down by itself. */
export function AtEvening({ room, table }) {
  const { told, ahead } = useEvening(table);
  useSeat(room, table, told);
  const next = told && nextPlace(told, table);
  const shown = told && (next || table.phase === "over" || told.evening.over);
  return html`<${Strip} table=${table} told=${told} />
    ${shown && html`<${Panel} table=${table} told=${told} ahead=${ahead} next=${next} />`}`;
}
