// A finished hand, step by step: from any seat or all open, by slider, buttons or arrow keys.
import { announce } from "../../core/announce.js";
import { get } from "../../core/api.js";
import { gameName, needWords, number, t } from "../../core/i18n.js";
import { CopyButton } from "../../components/common.js";
import { Link } from "../../core/router.js";
import { html, useEffect, useMemo, useRef, useState } from "../../core/ui.js";
import { useLink, Waiting, useLoaded } from "../../components/loading.js";
import { nameOf } from "../../table/snapshot.js";
import { bidName, contractText } from "../../table/words.js";
import { Board } from "./board.js";
import { actionText, marksOf, outcomeText, resultOf, seatsOf, tableAt } from "./steps.js";

await needWords("pages");

export const title = "replay.title";

const signed = (n) => (n > 0 ? `+${number(n)}` : number(n));

function addressOf(hand, at) {
  const query = new URLSearchParams({ at });
  if (hand.seat !== null) query.set("seat", hand.seat);
  return `/replay/${hand.code}/${hand.number}?${query}`;
}

const SIGNS = {
  first: "M6 5v14M19 5l-9 7 9 7z", trick_back: "M12 5l-8 7 8 7zM21 5l-8 7 8 7z", back: "M16 5l-9 7 9 7z",
  on: "M8 5l9 7-9 7z", trick_on: "M12 5l8 7-8 7zM3 5l8 7-8 7z", last: "M18 5v14M5 5l9 7-9 7z",
};

function Buttons({ at, last, marks, to }) {
  const before = marks.filter((mark) => mark.at < at).pop();
  const after = marks.find((mark) => mark.at > at);
  const button = (sign, label, where) => html`<button type="button" class="button" aria-label=${label} title=${label}
    aria-disabled=${where === null ? "true" : undefined} onClick=${() => where !== null && to(where)}>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${SIGNS[sign]} /></svg>
  </button>`;
  return html`<div class="replay-buttons" role="group" aria-label=${t("replay.controls")}>
    ${button("first", t("replay.first"), at > 0 ? 0 : null)}
    ${button("trick_back", t("replay.trick_back"), before ? before.at : null)}
    ${button("back", t("replay.back"), at > 0 ? at - 1 : null)}
    ${button("on", t("replay.on"), at < last ? at + 1 : null)}
    ${button("trick_on", t("replay.trick_on"), after ? after.at : at < last ? last : null)}
    ${button("last", t("replay.last"), at < last ? last : null)}
  </div>`;
}

// The marks as buttons; the one that is under way is lit, and kept in sight where there are many.
function Tricks({ at, marks, to }) {
  const box = useRef(null);
  const next = marks.findIndex((mark) => mark.at >= at);
  const lit = next < 0 ? marks.length - 1 : next;
  useEffect(() => {
    const { current } = box;
    const chip = current.children[lit];
    if (chip) current.scrollLeft = chip.offsetLeft - current.offsetLeft - (current.clientWidth - chip.clientWidth) / 2;
  }, [lit]);
  return html`<ol class="plain chips" ref=${box} aria-label=${t("replay.tricks")}>
    ${marks.map((mark, i) => {
      const here = i === lit;
      const words = mark.trick === null ? t("replay.contract") : mark.trick ? t("replay.trick", { n: mark.trick }) : t("replay.deal");
      return html`<li key=${mark.at}><button type="button" class=${`button chip ${here ? "picked" : ""}`} aria-current=${here ? "step" : undefined}
        aria-label=${words} onClick=${() => to(mark.at)}>${mark.trick || words}</button></li>`;
    })}
  </ol>`;
}

function Result({ hand }) {
  return html`<section class="panel stack tight" aria-labelledby="result-title">
    <h2 id="result-title">${t("replay.result")}</h2>
    <p>${contractText(tableAt(hand, hand.steps.length - 1))}</p>
    <ul class="plain">
      ${resultOf(hand).map(
        ({ key, names, points, score, each }) => html`<li key=${key}><b>${names}</b>: ${t("replay.took", { points })}
          ${each ? each.map(([name, n]) => html` <span key=${name}>${name} <b class=${n < 0 ? "minus" : ""}>${signed(n)}</b></span>`) : html` <b class=${score < 0 ? "minus" : ""}>${signed(score)}</b>`}
        </li>`,
      )}
    </ul>
  </section>`;
}

const LETTERS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "trick_back", ArrowDown: "trick_on", PageUp: "trick_back", PageDown: "trick_on", Home: "first", End: "end" };

// The keys work wherever the focus is, except where they mean something else.
function useArrows(at, last, marks, to) {
  const now = useRef(null);
  now.current = { at, last, marks, to };
  useEffect(() => {
    const pressed = (event) => {
      const way = LETTERS[event.key];
      if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest("input:not([type=range]), select, textarea, dialog, [role=region]")) return;
      event.preventDefault();
      const { at: here, last: end, marks: all, to: go } = now.current;
      const next = all.find((mark) => mark.at > here);
      const before = all.filter((mark) => mark.at < here).pop();
      const where = { back: here - 1, on: here + 1, trick_back: before ? before.at : 0, trick_on: next ? next.at : end, first: 0, end };
      go(Math.min(end, Math.max(0, where[way])));
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

function Player({ hand, first, seat, setSeat }) {
  const last = hand.steps.length - 1;
  const [at, setAt] = useState(Math.min(last, Math.max(0, first)));
  const marks = useMemo(() => marksOf(hand), [hand]);
  const here = Math.min(at, last);
  const to = (step) => {
    if (step === here) return;
    setAt(step);
    announce([actionText(hand, step), outcomeText(hand, step)].filter(Boolean).join(" "));
  };
  useArrows(here, last, marks, to);
  useEffect(() => {
    history.replaceState(history.state, "", addressOf(hand, here));
  }, [here, hand]);
  const table = tableAt(hand, here);
  const link = useLink(hand.code);
  const place = hand.hands.indexOf(hand.number);
  const beside = (n) => (hand.hands[n] === undefined ? null : `/replay/${hand.code}/${hand.hands[n]}`);
  return html`
    <div class="replay">
      <div class="stack tight">
        <div class="replay-bar panel stack tight">
          <p class="replay-said"><b>${actionText(hand, here)}</b> ${outcomeText(hand, here)}</p>
          <label class="field">
            <span class="unseen">${t("replay.step")}</span>
            <input type="range" min="0" max=${last} value=${here} onInput=${(event) => to(Number(event.target.value))}
              aria-valuetext=${t("replay.step_of", { n: number(here), all: number(last), what: actionText(hand, here) })} />
          </label>
          <${Buttons} at=${here} last=${last} marks=${marks} to=${to} />
          <${Tricks} at=${here} marks=${marks} to=${to} />
        </div>
        <${Board} hand=${hand} index=${here} />
      </div>
      <div class="stack">
        <div class="panel stack tight">
          <label class="field">
            <span>${t("replay.view")}</span>
            <select value=${seat === null ? "" : seat} onChange=${(event) => setSeat(event.target.value === "" ? null : Number(event.target.value))}>
              <option value="" selected=${seat === null}>${t("replay.open")}</option>
              ${table.seats.map((_, i) => html`<option key=${i} value=${i} selected=${seat === i}>${t("replay.from", { name: nameOf(table, i) })}</option>`)}
            </select>
          </label>
          <p class="mark">${t("replay.keys")}</p>
        </div>
        <${Result} hand=${hand} />
        <section class="panel stack tight" aria-label=${t("replay.more")}>
          <div class="row tight">
            <${CopyButton} text=${new URL(addressOf(hand, here), link || location.origin).href} label=${t("replay.share")} />
            <a class="button" href=${`/api/tables/${hand.code}/record?match=${hand.match}`} download=${`rookery-${hand.code}.json`}>${t("over.record")}</a>
          </div>
          <p class="mark">${t("replay.record")}</p>
          <p><${Link} class="button" href=${`/fair?table=${hand.code}&match=${hand.match}`}>${t("replay.fair")}<//></p>
          <div class="row tight">
            ${beside(place - 1) && html`<${Link} class="button" href=${beside(place - 1)}>${t("replay.hand_before")}<//>`}
            ${beside(place + 1) && html`<${Link} class="button" href=${beside(place + 1)}>${t("replay.hand_after")}<//>`}
            ${hand.over && html`<${Link} class="button" href=${`/review/${hand.code}/${hand.match}?hand=${hand.hand + 1}`}>${t("over.review")}<//>`}
            <${Link} class="button" href=${`/replay/${hand.code}`}>${t("replay.all")}<//>
            <${Link} class="button" href=${`/t/${hand.code}`}>${t("replay.table")}<//>
          </div>
        </section>
      </div>
    </div>
  `;
}

const stepOf = (text) => (/^\d{1,5}$/.test(text || "") ? Number(text) : 0);
const seatOf = (text) => (/^[0-7]$/.test(text || "") ? Number(text) : null);

function One({ code, number: n, query }) {
  const [seat, setSeat] = useState(seatOf(query.seat));
  const path = `/api/replay/${encodeURIComponent(code)}/${encodeURIComponent(n)}${seat === null ? "" : `?seat=${seat}`}`;
  const { value: hand, error, again } = useLoaded(() => get(path), [path]);
  if (!hand) return html`<h1 tabindex="-1">${t("replay.title")}</h1><${Waiting} error=${error} again=${error && error.status === 404 ? null : again} />`;
  return html`
    <h1 tabindex="-1">${t("replay.hand", { n: number(hand.hand + 1), name: hand.title || gameName(hand.rules.name) })}</h1>
    <${Player} hand=${hand} first=${stepOf(query.at)} seat=${seat} setSeat=${setSeat} />
  `;
}

function All({ code }) {
  const { value, error, again } = useLoaded(() => get(`/api/tables/${encodeURIComponent(code)}/hands`), [code]);
  const over = [...new Set((value || []).filter((hand) => hand.over).map((hand) => hand.match))];
  const name = (hand, seat) => nameOf({ seats: seatsOf(hand) }, seat);
  return html`
    <h1 tabindex="-1">${t("replay.of", { code })}</h1>
    ${!value && html`<${Waiting} error=${error} again=${error && error.status === 404 ? null : again} />`}
    ${value && !value.length && html`<p>${t("replay.none")}</p>`}
    ${over.length > 0 && html`<p class="row">${over.map((n) => html`<${Link} key=${n} class="button" href=${`/review/${code}/${n}`}>
      ${t("replay.review", { match: number(n + 1) })}<//>`)}</p>`}
    <ul class="plain variants">
      ${(value || []).map(
        (hand) => html`<li key=${hand.number}><${Link} class="variant" href=${`/replay/${code}/${hand.number}`}>
          <b>${t("replay.line", { match: number(hand.match + 1), hand: number(hand.hand + 1) })}</b>
          <small>${hand.declarer === null ? t("sheet.no_contract") : `${name(hand, hand.declarer)} · ${bidName(hand.bid)}`} · ${hand.score.map(signed).join(" / ")}</small>
        <//></li>`,
      )}
    </ul>
  `;
}

/** The page. */
export default function Replay({ params, query }) {
  return html`<div class="stack">
    ${params.hand === undefined ? html`<${All} code=${params.code} />` : html`<${One} code=${params.code} number=${params.hand} query=${query} />`}
    <p><${Link} href="/" class="button">${t("shell.home")}<//></p>
  </div>`;
}
