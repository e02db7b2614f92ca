// A hand of a review: the contract and what it was worth, where points were given away, the decisions.
import { list, number, t } from "../../core/i18n.js";
import { html, useEffect, useMedia, useState } from "../../core/ui.js";
import { columns, nameOf } from "../../table/snapshot.js";
import { bidName } from "../../table/words.js";
import { percent, standing } from "../../table/advice.js";
import { callSentence } from "../../cards/names.js";
import { Terms } from "../../components/lazy.js";
import { Waiting, getOnce, useLoaded } from "../../components/loading.js";
import { Moment, replayPath, Decision } from "./decision.js";
import { amount, isCostly, partOf, partsOf } from "./words.js";

function contractOf(table, hand) {
  if (hand.declarer === null) return t(hand.phase === "redealt" ? "over.redealt" : "sheet.no_contract");
  const bid = hand.contract === "sun" ? "sun" : hand.contract;
  const head = t("table.contract", { name: nameOf(table, hand.declarer), bid: bidName(bid) });
  const call = hand.call ? t("table.contract_call", { contract: head, call: callSentence(hand.call) }) : head;
  if (hand.made === null) return hand.phase === "done" ? `${call}. ${t("verdict.revoke")}` : call;
  return t(hand.made ? "review.made" : "review.set", { contract: call, points: amount(hand.points) });
}

function auctionText(table, { seat, bought, left, worth, making }) {
  const values = { name: nameOf(table, seat), points: amount(worth), bought: standing(bought), left: standing(left) };
  const sentence = t(worth < 0 ? "review.auction_cost" : "review.auction_worth", values);
  return making === null ? sentence : `${sentence} ${t("review.auction_making", { percent: percent(making) })}`;
}

function openText({ points, made }) {
  if (points === null) return t(made ? "review.open_makes" : "review.open_fails");
  return t(made ? "review.open_made" : "review.open_set", { points: amount(points) });
}

function Contract({ table, hand }) {
  const chances = columns(table).map((seats) => [list(seats.map((seat) => nameOf(table, seat))), hand.winning[seats[0]]]);
  return html`<div class="stack tight">
    <p><b><${Terms} seats=${table.seats} text=${contractOf(table, hand)} /></b></p>
    ${hand.auction && html`<p>${auctionText(table, hand.auction)}</p>`}
    ${hand.open && html`<p>${openText(hand.open)}</p>`}
    ${hand.winning.length > 0 && html`<p class="mark">${t("review.winning", { chances: chances.map(([names, chance]) => `${names} ${percent(chance)}`).join(" · ") })}</p>`}
  </div>`;
}

const HEIGHT = 56; // pixels of the tallest bar
const FULL = 15; // points that are worth that height where nothing cost more

// Height and figure say what each part cost; nothing hangs on a colour.
function CostBar({ parts }) {
  const most = Math.max(FULL, ...parts.map((part) => part.cost));
  return html`<div class="cost-box" tabindex="0" role="region" aria-label=${t("review.bar")}>
    <ol class="cost-bar">
      ${parts.map(({ key, text, short, cost }) => html`<li key=${key} title=${text}>
        <span class="unseen">${t("review.bar_part", { part: text, points: amount(cost) })}</span>
        <span aria-hidden="true" class="cost-n">${cost >= 0.5 ? number(Math.round(cost)) : ""}</span>
        <span aria-hidden="true" class="cost" style=${{ "--h": `${Math.round((HEIGHT * cost) / most)}px` }}></span>
        <span aria-hidden="true" class="cost-part">${short}</span>
      </li>`)}
    </ol>
  </div>`;
}

function Filter({ table, who, setWho, all, setAll }) {
  return html`<div class="pair">
    <label class="field">
      <span>${t("review.whose")}</span>
      <select value=${who === null ? "" : who} onChange=${(event) => setWho(event.target.value === "" ? null : Number(event.target.value))}>
        <option value="" selected=${who === null}>${t("review.everybody")}</option>
        ${table.seats.map((_, seat) => html`<option key=${seat} value=${seat} selected=${who === seat}>${nameOf(table, seat)}</option>`)}
      </select>
    </label>
    <label class="switch">
      <input type="checkbox" checked=${all} onChange=${(event) => setAll(event.target.checked)} />
      <span>${t("review.show_all")}</span>
    </label>
  </div>`;
}

function Decisions({ table, hand, replay, by, at, setAt }) {
  const [who, setWho] = useState(null);
  const [all, setAll] = useState(false);
  const wide = useMedia("(min-width: 60rem)");
  const chosen = hand.decisions.find((one) => one.action_index === at);
  useEffect(() => {
    const line = chosen && document.getElementById(`decision-${at}`);
    if (line) line.scrollIntoView({ block: "nearest" });
  }, [at, hand]);
  const shown = hand.decisions.filter((one) => one === chosen || ((who === null || one.seat === who) && (all || isCostly(one, by))));
    const moment = chosen && replay && html`<${Moment} key=${at} code=${replay.code} hand=${replay.number} at=${at}
    seat=${by === "known" ? chosen.seat : null} />`;
  return html`<${CostBar} parts=${partsOf(replay, hand.decisions.filter((one) => who === null || one.seat === who), by)} />
    <${Filter} table=${table} who=${who} setWho=${setWho} all=${all} setAll=${setAll} />
    <div class=${wide && moment ? "two" : "stack"}>
      <div class="stack tight">
        ${!shown.length && html`<p class="mark">${t("review.none")}</p>`}
        <ol class="plain stack tight" aria-label=${t("review.list")}>
          ${shown.map((one) => html`<${Decision} key=${one.action_index} table=${table} decision=${one} by=${by}
            part=${partOf(replay, one).text} open=${one === chosen}
            toggle=${() => setAt(one === chosen ? null : one.action_index)}>${!wide && one === chosen && moment}<//>`)}
        </ol>
      </div>
      ${wide && moment && html`<div class="beside">${moment}</div>`}
    </div>`;
}

function Replayed({ place, code, ...rest }) {
  const { value, error, again } = useLoaded(() => getOnce(replayPath(code, place, null)), [code, place]);
  if (!value) return html`<${Waiting} error=${error} again=${again} />`;
  return html`<${Decisions} ...${rest} replay=${value} />`;
}

/** The hand; `place` is its number at the table, null if it was thrown in; `at` the action that is looked at, or null. */
export function HandReviewed({ table, hand, code, place, by, at, setAt }) {
  const shared = { key: hand.hand, table, hand, by, at, setAt };
  return html`<section class="panel stack" aria-labelledby="hand-title">
    <h2 id="hand-title" tabindex="-1">${t("over.hand", { n: number(hand.hand + 1) })}</h2>
    <${Contract} table=${table} hand=${hand} />
    ${place === null ? html`<${Decisions} ...${shared} replay=${null} />` : html`<${Replayed} ...${shared} code=${code} place=${place} />`}
  </section>`;
}
