// The decision that I have to make, as buttons made from the list of legal actions.
import { SuitMark } from "../../cards/face.js";
import { callName, callSentence, callSuit } from "../../cards/names.js";
import { capital, plural, t } from "../../core/i18n.js";
import { lazy } from "../../components/lazy.js";
import { settings } from "../../core/settings.js";
import { html, useLayoutEffect, useState, useStore } from "../../core/ui.js";
import { banText, changed, waits } from "./picking.js";
import { actsNow, choices, nameOf } from "../snapshot.js";
import { bidName, specialBid } from "../words.js";

const CallPicker = lazy(() => import("./call_picker.js"), "CallPicker");

const MANY = 6; // choices that want smaller letters

/** Buttons of which one is chosen; where a confirmation is wanted, a button for it appears. */
function Choose({ options, room, busy, label, class: more = "" }) {
  const wishes = useStore(settings);
  const [chosen, choose] = useState(null);
  const selected = options.find((one) => one.action === chosen);
  useLayoutEffect(() => choose(null), [options.map((one) => one.action).join()]);
  const press = (event, { action }) => {
    if (waits(event, wishes, room) && chosen !== action) choose(action);
    else room.act(action);
  };
  return html`<div class=${`choose ${selected ? "sure" : ""}`}>
    <div class=${`choices ${more} ${options.length >= MANY ? "many" : ""}`} role="group" aria-label=${label}>
      ${options.map(
        (one) => html`<button type="button" key=${one.action} disabled=${busy} data-action=${one.action}
          class=${`button ${one.class || ""} ${chosen === one.action ? "picked" : ""}`}
          aria-pressed=${String(chosen === one.action)} onClick=${(event) => press(event, one)}>
          ${one.suit && html`<${SuitMark} suit=${one.suit} />`}<span>${one.label}</span>
          ${one.note && html`<small>${one.note}</small>`}
        </button>`,
      )}
    </div>
    ${selected && html`<div class="confirm">
      <button type="button" class="button primary big" disabled=${busy} onClick=${() => room.act(selected.action)}>
        ${selected.confirm || selected.label}
      </button>
      <button type="button" class="button quiet" onClick=${() => choose(null)}>${t("table.clear")}</button>
    </div>`}
  </div>`;
}

const specialNote = (table, bid) => (bid === "sun" ? t("auction.sun_note") : specialBid(table, bid));

function auctionOptions(table) {
  const byVerb = choices(table.view);
  const bids = (byVerb.bid || []).map((bid) => ({
    action: `bid ${bid}`,
    label: bid === "sun" ? t("table.sun") : bidName(Number(bid)),
    confirm: t("auction.say", { bid: bid === "sun" ? t("table.sun") : bidName(Number(bid)) }),
    note: specialNote(table, bid),
    class: "bid",
  }));
  const others = [];
  if (byVerb.pass) others.push({ action: "pass", label: t("auction.pass"), class: "pass" });
  if (byVerb.redeal) others.push({ action: "redeal", label: t("auction.redeal"), class: "danger" });
  return { bids, others };
}

function Auction({ table, room, busy }) {
  const { bids, others } = auctionOptions(table);
  return html`<div class="auction">
    <${Choose} options=${[...others, ...bids]} room=${room} busy=${busy} label=${t("auction.title")} class="ladder" />
  </div>`;
}

function Discard({ table, room, picking, busy }) {
  const { request, chosen } = picking;
  const bans = banText(table);
  const moved = changed(table, chosen);
  return html`<div class=${`discard stack ${request.swap ? "swaps" : ""} ${bans ? "banned" : ""}`}>
    <p><strong>${t("nest.count", { have: chosen.length, n: request.n })}</strong> <span class="how">${t("nest.how")}</span> ${bans}</p>
    ${request.swap && html`<p class="mark">${plural("nest.swap", moved, { may: request.swap.join(", ") })}</p>`}
    <div class="row">
      <button type="button" class="button primary big" disabled=${busy || !picking.fits} onClick=${picking.confirm}>
        ${plural("nest.confirm", request.n)}
      </button>
      <button type="button" class="button quiet" disabled=${!chosen.length} onClick=${picking.clear}>${t("nest.clear")}</button>
    </div>
  </div>`;
}

function PlayCard({ room, picking, busy }) {
  const { request, chosen } = picking;
  if (!chosen.length) return html`<p class="mark">${t(`choose.how.${request.verb}`)}</p>`;
  return html`<div class="confirm">
    <button type="button" class="button primary big" disabled=${busy} onClick=${picking.confirm}>
      ${t(`choose.confirm.${request.verb}`, { card: picking.words() })}
    </button>
    <button type="button" class="button quiet" onClick=${picking.clear}>${t("table.clear")}</button>
  </div>`;
}

function optionsOf(table) {
  const byVerb = choices(table.view);
  const trumps = (byVerb.trump || []).map((call) => ({
    action: `trump ${call}`, label: callName(call), confirm: capital(callSentence(call)), suit: callSuit(call), class: "call",
  }));
  const rook = (byVerb.rook || []).map((rank) => ({ action: `rook ${rank}`, label: t(`rook.${rank}`) }));
  const lead = (byVerb.leader || []).map((seat) => ({
    action: `leader ${seat}`, label: nameOf(table, Number(seat)), confirm: t("leader.say", { name: nameOf(table, Number(seat)) }),
  }));
  return [...trumps, ...rook, ...lead];
}

/** The decision that I have to make now; nothing where there is none. */
export function Decision({ table, room, picking, busy }) {
  const { view } = table;
  if (!actsNow(table)) {
    return view.may_redeal
      ? html`<button type="button" class="button danger" disabled=${busy} onClick=${() => room.act("redeal")}>${t("auction.redeal")}</button>`
      : null;
  }
  if (picking.request) {
    if (picking.request.verb === "discard") return html`<${Discard} table=${table} room=${room} picking=${picking} busy=${busy} />`;
    return html`<${PlayCard} room=${room} picking=${picking} busy=${busy} />`;
  }
  if (!Array.isArray(view.legal)) return html`<${CallPicker} table=${table} room=${room} busy=${busy} />`;
  if (view.phase === "auction") return html`<${Auction} table=${table} room=${room} busy=${busy} />`;
  return html`<${Choose} options=${optionsOf(table)} room=${room} busy=${busy} label=${t(`turn.do.${view.phase}`)} class="calls" />`;
}
