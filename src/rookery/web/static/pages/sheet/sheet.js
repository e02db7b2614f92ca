// A score sheet of a game with real cards: how it stands, the form of a hand, and what waits for the network.
import { announce } from "../../core/announce.js";
import { nameMe, whoAmI } from "../../core/api.js";
import { gameName, list, needWords, number, plural, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useEffect, useMemo, useRef, useState, useStore } from "../../core/ui.js";
import { PlainHttp, useAwake } from "../../components/awake.js";
import { Icon } from "../../components/icons.js";
import { Problem } from "../../components/common.js";
import { Unread } from "../../components/unread.js";
import { Waiting, needStyle } from "../../components/loading.js";
import { AtTable } from "./at_table.js";
import { HandForm } from "./entry.js";
import { Agreements, Disputes, Ledger, RefusedEntries, columns } from "./ledger.js";
import { openLog, rows } from "./log.js";
import { sideName } from "./said.js";
import { Delete, Result, Share } from "./share.js";

await Promise.all([needWords("pages"), needWords("beside/sheet"), needStyle("sheet")]);

export const title = "score.title";

// What has not arrived yet, and why.
function Sending({ state }) {
  const unsent = state.waiting.filter((one) => !one.problem).length;
  const words = unsent ? `${plural("score.unsent", unsent)}${state.fleeting ? ` ${t("score.keep_open")}` : ""}` : state.away ? t("score.away") : "";
  return html`<p class=${words ? "notice sending" : "unseen"} role="status">${words}</p>`;
}

// Whoever writes has a name, so that the others know who said what: one of the players, or another.
function WhoAreYou({ players, done }) {
  const [error, setError] = useState(null);
  const [name, setName] = useState("");
  const take = (wanted) => nameMe(wanted).then((me) => done(me.name), setError);
  const other = (event) => {
    event.preventDefault();
    if (name.trim()) take(name.trim());
  };
  return html`<section class="panel stack tight" aria-labelledby="who-title">
    <h2 id="who-title">${t("score.who")}</h2>
    <p class="mark">${t("score.who_how")}</p>
    <div class="picks">${players.map((one) => html`<button key=${one} type="button" class="button" onClick=${() => take(one)}>${one}</button>`)}</div>
    <form class="row nowrap" onSubmit=${other}>
      <label class="field grow"><span>${t("score.who_other")}</span><input name="name" maxlength="24" autocomplete="nickname" value=${name} onInput=${(event) => setName(event.target.value)} /></label>
      <button class="button end">${t("score.who_take")}</button>
    </form>
    ${error && html`<${Problem} error=${error} />`}
  </section>`;
}

function wonText({ winners, totals }, names) {
  const total = totals[winners[0]];
  const points = plural("score.amount", total, { n: number(total) });
  return plural("score.winners", winners.length, { names: list(names), points });
}

function Winners({ told }) {
  if (!told.winners.length) return null;
  const sides = columns(told).filter((side) => told.winners.includes(side[0]));
  return html`<p class="winners">${wonText(told, sides.map((side) => sideName(told.players, side)))}</p>`;
}

function useName() {
  const [name, set] = useState(undefined);
  useEffect(() => {
    whoAmI().then((me) => set(me.name || null), () => set(undefined));
  }, []);
  return [name, set];
}

// What a hand is opened with: a draft that was left, else what this phone takes to be said of it.
const opening = ({ number: n, said, entry, own }) => ({ number: n, said: own ? own.entry.said : said, over: own ? own.entry.over : entry });

const saidOf = (row) => (row.own ? row.own.entry.said : row.said);

// The hand that is written next: the one after the last. Of prepared deals the first that is missing, for none takes its place.
function nextOf(all, prepared) {
  const end = all.length ? all.at(-1).number + 1 : 0;
  const missing = (n) => !all.some((row) => row.number === n && saidOf(row));
  const n = prepared ? [...Array(end).keys()].find(missing) ?? end : end;
  return all.find((row) => row.number === n) ?? { number: n, said: null, entry: 0 };
}

function Sheet({ code, log, state, name, setName }) {
  const { told } = state;
  const [form, setForm] = useState(() => (state.draft ? { number: state.draft.number, over: state.draft.over, draft: state.draft } : null));
  const [busy, setBusy] = useState(false);
  const head = useRef(null);
  const may = told.may_write || Boolean(state.key);
  useAwake(may);
  const all = rows(state);
  const next = nextOf(all, told.table?.prepared);
  const last = state.undo.at(-1);
  const open = (row) => setForm(opening(row));
  const change = (row) => {
    // What was refused is corrected in the form, and goes on being kept until it is written anew.
    if (row.problem) setForm({ number: row.number, said: row.said, over: row.entry, problem: row.problem });
    else open(row);
  };
  const close = () => {
    const n = form.number;
    setForm(null);
    requestAnimationFrame(() => {
      const line = document.querySelector(`.hand-line[data-hand="${n}"]`);
      (document.querySelector(".next-hand") ?? line ?? head.current)?.focus({ preventScroll: true });
      line?.scrollIntoView({ block: "nearest" });
    });
  };
  const [problem, setProblem] = useState(null); // with what one tap was to write
  const refusal = problem && html`<${Problem} error=${problem} />`;
  useEffect(() => setProblem(null), [form]);
  const doing = (act) => async (...what) => {
    setBusy(true);
    setProblem((await act(...what)) ?? null);
    setBusy(false);
  };
  const say = doing((row, said) => log.write(row.number, said, row.entry));
  const removed = form && all.some((row) => row.number === form.number && saidOf(row));
  const remove = doing(async () => {
    const found = await log.write(form.number, null, form.over);
    if (found) return found;
    log.draft(null);
    close();
    return null;
  });
  const heading = html`<div class="sheet-head">
    <h1 tabindex="-1" ref=${head}>${gameName(told.rules.name)}</h1>
    <p class="mark">${told.hands_wanted ? plural("score.of_hands", told.hands_wanted) : told.rules.target ? t("score.to_target", { n: number(told.rules.target) }) : t("score.to_end")} ${told.winners.length ? "" : t("score.deals", { name: told.players[told.dealer] })}</p>
  </div>`;
  const nameless = may && (state.nameless || name === null) && html`<${WhoAreYou} players=${told.players} done=${(mine) => {
    setName(mine);
    log.look();
  }} />`;
  return html`<div class=${`score-sheet ${form ? "writing" : ""}`}>
    <div class="stack paper-side">
      ${heading}
      <${Sending} state=${state} />
      ${state.error && html`<${Problem} error=${state.error} retry=${log.look} />`}
      <${Winners} told=${told} />
      ${told.table && html`<${AtTable} log=${log} state=${state} />`}
      ${nameless}
      <${Unread} state=${state} drop=${log.drop} placeOf=${({ hand }) => (Number.isInteger(hand) ? t("score.hand", { n: hand + 1 }) : null)} />
      <${RefusedEntries} state=${state} change=${form ? null : change} drop=${log.drop} />
      ${!form && refusal}
      <${Disputes} state=${state} busy=${busy} settle=${may && say} />
      <${Agreements} state=${state} busy=${busy} agree=${may && say} />
      ${may && !form && html`<div class="row write-row">
        <button type="button" class=${`button big grow next-hand ${told.winners.length ? "" : "primary"}`} onClick=${() => open(next)}>${t("score.write_hand", { n: next.number + 1 })}</button>
        ${last && html`<button type="button" class="button big" disabled=${busy} aria-label=${t("score.undo_hand", { n: last.hand + 1 })}
          onClick=${doing(log.undo)}><${Icon} name="undo" /> ${t("score.undo")}</button>`}
      </div>`}
      <section class="panel paper" aria-label=${t("score.title")}><${Ledger} state=${state} change=${may && !form ? open : null} open=${form?.number} /></section>
      ${may && html`<${PlainHttp} />`}
      ${!may && html`<p class="mark">${t("score.reading")}</p>`}
      <${Share} code=${code} secret=${state.key} />
      <${Result} code=${code} told=${told} />
      <p class="row"><${Link} href="/sheet" class="button quiet">${t("score.others")}<//></p>
      ${told.mine && html`<${Delete} code=${code} />`}
    </div>
    ${form && html`<div class="form-side stack">
      <${HandForm} key=${form.number} log=${log} told=${told} number=${form.number} said=${form.said} over=${form.over}
        draft=${form.draft} first=${form.problem} onDone=${close} />
      ${refusal}
      ${removed && html`<p class="row"><button type="button" class="button quiet" disabled=${busy} onClick=${remove}>${t("score.remove")}</button></p>`}
    </div>`}
  </div>`;
}

/** The page. */
export default function ScoreSheet({ params }) {
  const code = params.code.toUpperCase();
  const log = useMemo(() => openLog(code, location.hash.slice(1)), [code]);
  useEffect(() => log.close, [log]);
  const state = useStore(log.store);
  const [name, setName] = useName();
  const won = state.told?.winners.join();
  useEffect(() => {
    if (won) announce(wonText(state.told, state.told.winners.map((seat) => state.told.players[seat])));
  }, [won]);
  if (state.told) return html`<${Sheet} code=${code} log=${log} state=${state} name=${name} setName=${setName} />`;
  return html`<div class="stack narrow">
    <h1 tabindex="-1">${t("score.title")}</h1>
    <${Waiting} error=${state.error} again=${state.error?.status === 404 ? null : log.look} />
    ${state.error && html`<p><${Link} href="/sheet" class="button">${t("score.new")}<//></p>`}
  </div>`;
}
