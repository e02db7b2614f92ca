// The tools above the table and the bar below the hand.
import { callName, callSentence, callSuit, cardNames } from "../cards/names.js";
import { SuitMark } from "../cards/face.js";
import { announce } from "../core/announce.js";
import { list, number, t } from "../core/i18n.js";
import { Icon } from "../components/icons.js";
import { IconButton } from "../components/common.js";
import { Terms } from "../components/lazy.js";
import { settings } from "../core/settings.js";
import { html, useEffect, useMedia, useRef, useState, useStore } from "../core/ui.js";
import { useVisibleLines } from "./muted.js";
import { actsNow, columns, isHost, nameOf, seenCards, sideOf, totalOf } from "./snapshot.js";
import { bidName, contractText, lineText, specialBid } from "./words.js";

/** What is being played. */
export function Contract({ table }) {
  const { view } = table;
  const narrow = useMedia("(max-width: 24rem)");
  const suit = callSuit(view.call);
  if (view.declarer === null) {
    return html`<p class="contract">${contractText(table) || t("table.no_bid_yet")}</p>`;
  }
  return html`<p class="contract">
    <strong><${Terms} seats=${table.seats} text=${t("table.contract", { name: nameOf(table, view.declarer), bid: bidName(view.bid) })} /></strong>
    ${view.call && html` – <span class="trump-name">${suit && html`<${SuitMark} suit=${suit} />`} <${Terms} text=${(narrow ? callName : callSentence)(view.call)} /></span>`}
    ${view.bid !== "sun" && specialBid(table, view.bid) && html` <span class="tag">${specialBid(table, view.bid)}</span>`}
    <${Count} table=${table} narrow=${narrow} />
    ${view.rook && html` <span class="tag">${t(`rook.${view.rook}`)}</span>`}
    ${view.called.length ? html` <span class="tag">${t("table.called", { cards: cardNames(view.called, table.rules.options.pack) })}</span>` : null}
    ${view.partner && html` <span class="tag ally">${t("table.you_are_partner")}</span>`}
  </p>`;
}

// What the declarer's side has taken in tricks, as far as everybody knows who plays on it.
function Count({ table, narrow }) {
  const { view, taken } = table;
  if (view.phase !== "play" || typeof view.bid !== "number" || !taken) return null;
  const n = taken.reduce((sum, points, place) => sum + (sideOf(table, place) === "declarer" ? points : 0), 0);
  const values = { n: number(n), bid: bidName(view.bid) };
  return html` <span key=${n} class=${`so-far ${narrow ? "" : "tag"}`}><span class="unseen">${t("table.count_said", values)}</span
    ><span aria-hidden="true">${narrow ? `${values.n}/${values.bid}` : t("table.count", values)}</span></span>`;
}

function Totals({ table }) {
  const cols = [...columns(table)];
  if (cols.length > 2) return null;
  // My side first.
  if (cols[1] && cols[1].includes(table.you)) cols.reverse();
  const short = (seats) => {
    if (table.you === null || seats.length < 2) return list(seats.map((seat) => nameOf(table, seat)));
    return t(seats.includes(table.you) ? "table.us" : "table.them");
  };
  return html`<p class="totals">
    ${cols.map((seats) => html`<span key=${seats[0]}>${short(seats)} <b>${number(totalOf(table, seats[0]))}</b></span>`)}
  </p>`;
}

/** What is being played, and the ways to sheet, talk, rules and the rest. */
export function Tools({ table, chat, reads, open, wide }) {
  const { chatMuted } = useStore(settings);
  const newest = chat.at(-1)?.seq ?? 0;
  const [read, setRead] = useState(newest);
  // What I said myself may come after I have closed the talk.
  const others = useVisibleLines(chat).filter(({ seq, from }) => seq > read && (from === null || from !== table.you));
  const unread = chatMuted ? 0 : others.length;
  useEffect(() => {
    if (reads) setRead(newest);
  }, [reads, newest]);
  // Where the talk is shown it reads its lines itself.
  const heard = useRef(newest);
  useEffect(() => {
    if (!reads && !chatMuted) others.filter(({ seq }) => seq > heard.current).forEach((line) => announce(lineText(line)));
    heard.current = newest;
  }, [newest]);
  return html`<div class="tools">
    <div class="tools-text"><${Contract} table=${table} /><${Totals} table=${table} /></div>
    <div class="tools-buttons">
      ${!wide && html`<${IconButton} icon="sheet" label=${t("sheet.title")} onClick=${() => open("sheet")} />
        <${IconButton} icon="chat" badge=${unread} label=${unread ? t("chat.unread", { n: unread }) : t("chat.title")} onClick=${() => open("chat")} />`}
      ${isHost(table) && html`<${IconButton} icon="pace" label=${t("table.pace", { pace: t(`lobby.pace.${table.pace}`) })} onClick=${() => open("pace")} />`}
      <${IconButton} icon="rules" label=${t("table.rules")} onClick=${() => open("rules")} />
      <${IconButton} icon="more" label=${t("table.more")} onClick=${() => open("more")} />
    </div>
  </div>`;
}

/** What may be done beside playing. */
export function Bar({ table, room, open, before }) {
  const { view } = table;
  const last = view.tricks[view.tricks.length - 1];
  const button = (icon, label, onClick) => html`<button type="button" class="button quiet" key=${icon} onClick=${onClick}>
    <${Icon} name=${icon} /> <span>${label}</span>
  </button>`;
  return html`<div class="bar" data-zone="bar" role="group" aria-label=${t("table.bar")}>
    ${before && button("sheet", t("table.last_hand"), () => open("result"))}
    ${last && last.cards && button("cards", t("table.last_trick"), () => open("trick"))}
    ${seenCards(table) && button("eye", t(seenCards(table)), () => open("nest"))}
    ${actsNow(table) && room.hint && button("bulb", t("table.hint"), room.hint)}
    ${table.may_undo && button("undo", t("table.undo"), () => room.ask({ type: "undo" }))}
    ${table.may_claim && button("hand", t("table.claim"), () => room.ask({ type: "claim" }))}
    ${view.may_challenge.length ? button("flag", t("table.challenge"), () => open("challenge")) : null}
  </div>`;
}
