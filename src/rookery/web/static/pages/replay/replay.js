// A finished hand, step by step: from any seat or all open, by slider, buttons or arrow keys.
import { ALONE, hrefOf } from "../../core/base.js";
import { get } from "../../core/api.js";
import { isHere, isTold } from "../../core/here.js";
import { apart, gameName, needWords, number, plural, signed, t } from "../../core/i18n.js";
import { CopyButton } from "../../components/common.js";
import { seldom } from "../../components/lazy.js";
import { Link, useAddress } from "../../core/router.js";
import { html, useState } from "../../core/ui.js";
import { useLink, Waiting, useLoaded } from "../../components/loading.js";
import { SaveLink } from "../../table/result/save_link.js";
import { nameOf } from "../../table/snapshot.js";
import { bidName, contractText } from "../../table/words.js";
import { Board } from "./board.js";
import { Stepper, useStep } from "./stepper.js";
import { resultOf, scoresOf, seatsOf, tableAt } from "./steps.js";

await needWords("pages");

const HandIn = seldom(() => import("../../table/offline/hand_in.js"), "HandIn");

export const title = "replay.title";

function addressOf(hand, at) {
  const query = new URLSearchParams({ at });
  if (hand.seat !== null) query.set("seat", hand.seat);
  return `/replay/${hand.code}/${hand.number}?${query}`;
}

function Result({ hand }) {
  return html`<section class="panel stack tight" aria-labelledby="result-title">
    <h2 id="result-title">${t("replay.result")}</h2>
    <p>${contractText(tableAt(hand, hand.steps.length - 1))}</p>
    <ul class="plain">
      ${resultOf(hand).map(
        ({ key, names, points, score, each }) => html`<li key=${key}><b>${names}</b>: ${plural("replay.took", points ?? 0, { n: points === null ? "–" : number(points) })}
          ${each ? each.map(([name, n]) => html` <span key=${name}>${name} <b class=${n < 0 ? "minus" : ""}>${signed(n)}</b></span>`) : html` <b class=${score < 0 ? "minus" : ""}>${signed(score)}</b>`}
        </li>`,
      )}
    </ul>
  </section>`;
}

function Player({ hand, first, seat, setSeat }) {
  const [here, to] = useStep(hand, first);
  useAddress(addressOf(hand, here));
  const table = tableAt(hand, here);
  const link = useLink(hand.code);
  const place = hand.hands.indexOf(hand.number);
  const beside = (n) => (hand.hands[n] === undefined ? null : `/replay/${hand.code}/${hand.hands[n]}`);
  return html`
    <div class="replay">
      <div class="stack tight">
        <${Stepper} hand=${hand} at=${here} to=${to} />
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
            <${CopyButton} text=${new URL(hrefOf(addressOf(hand, here)), link || location.href).href} label=${t("replay.share")} />
            <${SaveLink} path=${`/api/tables/${hand.code}/record?match=${hand.match}`} name=${`rookery-${hand.code}.json`}>${t("over.record")}<//>
          </div>
          <p class="mark">${t("replay.record")}</p>
          ${hand.over && isHere() && !ALONE && !isTold(hand.code) && html`<${HandIn} code=${hand.code} match=${hand.match} />`}
          <p><${Link} class="button" href=${`/fair?table=${hand.code}&match=${hand.match}`}>${t("replay.fair")}<//></p>
          <div class="row tight">
            ${beside(place - 1) && html`<${Link} class="button" href=${beside(place - 1)}>${t("replay.hand_before")}<//>`}
            ${beside(place + 1) && html`<${Link} class="button" href=${beside(place + 1)}>${t("replay.hand_after")}<//>`}
            ${hand.over && html`<${Link} class="button" href=${`/review/${hand.code}/${hand.match}?hand=${hand.hand + 1}`}>${t("over.review")}<//>`}
            <${Link} class="button" href=${`/replay/${hand.code}`}>${t("replay.all")}<//>
            ${!isTold(hand.code) && html`<${Link} class="button" href=${`/t/${hand.code}`}>${t("replay.table")}<//>`}
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
          <small>${[...(hand.declarer === null ? [t("sheet.no_contract")] : [apart(name(hand, hand.declarer)), bidName(hand.bid)]), scoresOf(hand)].filter(Boolean).join(" · ")}</small>
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
