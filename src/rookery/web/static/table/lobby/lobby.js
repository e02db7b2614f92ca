// Before the match: who sits where, the way in for friends, the table's settings.
import { UnreadyBots, UnreadyTag, botName, preferredBot, useBots } from "../../components/bots.js";
import { isHere } from "../../core/here.js";
import { gameName, list, plural, t } from "../../core/i18n.js";
import { Icon } from "../../components/icons.js";
import { lazy } from "../../components/lazy.js";
import { CopyButton, IconButton, OnlyHere, onlyHere } from "../../components/common.js";
import { go } from "../../core/router.js";
import { settings } from "../../core/settings.js";
import { html, Later, useState, useStore } from "../../core/ui.js";
import { useLink } from "../../components/loading.js";
import { isHost, levelOf, nameOf, teamOf, wayOut } from "../snapshot.js";

const AnotherName = lazy(() => import("./another_name.js"), "AnotherName");
const BotDialog = lazy(() => import("../../components/bot_dialog.js"), "BotDialog");
const ChatPanel = lazy(() => import("../chat.js"), "ChatPanel");
const PeopleDialog = lazy(() => import("../dialogs/more.js"), "PeopleDialog");
const RulesDialog = lazy(() => import("../dialogs/rules_dialog.js"), "RulesDialog");
const SeatFace = lazy(() => import("../../components/bird.js"), "SeatFace");
const TableSettings = lazy(() => import("./table_settings.js"), "TableSettings");

function BotButton({ table, seat, bots, room }) {
  const [open, setOpen] = useState(false);
  const { bot } = table.seats[seat];
  return html`<button type="button" class="button bot-button" aria-haspopup="dialog" disabled=${!bots.length} onClick=${() => setOpen(true)}>
      <span class="unseen">${t("lobby.bot_for", { n: seat + 1 })}: </span>${bot ? t("lobby.bot", { name: botName(bot) }) : t("lobby.no_bot")}
    </button>
    ${open && html`<${BotDialog} title=${t("lobby.bot_for", { n: seat + 1 })} bots=${bots} chosen=${bot} none=${true}
      onChoose=${(name) => room.ask({ type: "bot", seat, bot: name })} onClose=${() => setOpen(false)} />`}`;
}

function SeatRow({ table, seat, bots, room }) {
  const one = table.seats[seat];
  const host = isHost(table);
  const team = teamOf(table, seat);
  const swap = (other) => {
    const order = table.seats.map((_, i) => i);
    [order[seat], order[other]] = [order[other], order[seat]];
    room.ask({ type: "arrange", seats: order });
  };
  const free = one.kind === "empty" || one.spare;
  return html`<li class=${`seat-row ${team === null ? "" : `team-${team}`}`}>
    <span class="seat-number" aria-hidden="true">${seat + 1}</span>
    <span class="seat-name">
      <span class="plate-face"><${SeatFace} seat=${one} level=${levelOf(table, seat)} meanwhile=${html`<${Icon} name=${one.kind === "bot" ? "bot" : "person"} />`} /></span>
      <span>
        ${one.kind === "empty" ? html`<em>${t("lobby.free")}</em>` : nameOf(table, seat)}
        ${seat === table.you && html` <span class="tag">${t("table.you")}</span>`}
        ${seat === table.host && !table.evening && html` <span class="tag">${t("table.host")}</span>`}
        ${one.kind === "person" && !one.here && html` <span class="tag warn">${t("table.away")}</span>`}
        ${!host && levelOf(table, seat) && html` <span class="tag">${levelOf(table, seat)}</span>`}
        ${one.kind === "bot" && html` <${UnreadyTag} bots=${bots} name=${one.bot} />`}
        ${team !== null && html` <span class="team">${t("lobby.team", { team: "ABCD"[team] })}</span>`}
      </span>
    </span>
    <span class="row tight">
      ${host && one.kind !== "person" && html`<${BotButton} table=${table} seat=${seat} bots=${bots} room=${room} />`}
      ${free && seat !== table.you && !host && !table.evening &&
      html`<button type="button" class="button" onClick=${() => room.ask({ type: "sit", seat })}>${t("lobby.sit")}</button>`}
      ${host && one.kind === "person" && seat !== table.you &&
      html`<button type="button" class="button quiet" onClick=${() => room.ask({ type: "host", seat })}>${t("lobby.make_host")}</button>`}
      ${host && html`<${IconButton} icon="up" label=${t("lobby.move_up", { name: nameOf(table, seat) })}
        disabled=${seat === 0} onClick=${() => swap(seat - 1)} />
      <${IconButton} icon="down" label=${t("lobby.move_down", { name: nameOf(table, seat) })}
        disabled=${seat === table.seats.length - 1} onClick=${() => swap(seat + 1)} />`}
    </span>
  </li>`;
}

// A table of this device is for nobody else.
const Invite = ({ table }) => (isHere() ? null : html`<${Inviting} table=${table} />`);

function Inviting({ table }) {
  const link = useLink(table.code);
  const share = () => navigator.share({ title: table.title || "Rookery", url: link }).catch(() => {});
  return html`<section class="panel stack invite" aria-labelledby="invite-title">
    <h2 id="invite-title">${t("lobby.invite")}</h2>
    ${onlyHere(link)
      ? html`<${OnlyHere} link=${link} />
          <details><summary>${t("lobby.another_window")}</summary><p class="link-text">${link}</p></details>`
      : link && html`<div class="invite-body">
          <img class="qr" src=${`/api/tables/${table.code}/qr.svg`} alt=${t("lobby.qr", { code: table.code })} width="160" height="160" />
          <div class="stack">
            <p>${t("lobby.code")} <strong class="code">${table.code}</strong></p>
            <p class="link-text">${link}</p>
            <div class="row">
              <${CopyButton} text=${link} label=${t("lobby.copy")} />
              ${navigator.share && html`<button type="button" class="button" onClick=${share}>${t("lobby.share")}</button>`}
            </div>
          </div>
        </div>`}
  </section>`;
}

// A seat as whoever comes chooses it: its number or the bot there, and whom they would play with, where the rules say so.
function seatText({ seats, sides }, seat) {
  const side = sides ? sides.find((one) => one.includes(seat)) : [];
  const partners = side.flatMap((other) => (other !== seat && seats[other].kind === "person" ? [seats[other].name] : []));
  const { kind, name } = seats[seat];
  const text = kind === "bot" ? t("table.bot_seat", { name }) : t("table.seat", { n: seat + 1 });
  return partners.length ? t("table.seat_with", { seat: text, names: list(partners) }) : text;
}

/** The choice of one of several `free` seats, as a field of a form. */
export function SeatField({ table, free }) {
  return html`<label class="field">
    <span>${t("table.your_seat")}</span>
    <select name="seat">
      <option value="">${t("table.any_seat")}</option>
      ${free.map((seat) => html`<option key=${seat} value=${seat}>${seatText(table, seat)}</option>`)}
    </select>
  </label>`;
}

/** Return what the button says by which somebody sits down. */
export function sitText({ seats }, free) {
  const { kind, name } = free.length === 1 ? seats[free[0]] : {};
  return kind === "bot" ? t("table.take_seat", { name }) : t("lobby.sit_down");
}

// Whoever sits there is told the names, and at once; who watches, how many they are with the next event.
function Watchers({ table, watching }) {
  const { count, names } = watching ?? { count: table.watchers, names: [] };
  if (!count) return null;
  return html`<p class="mark" role="status">${plural("table.watchers", count)}${names.length ? `: ${list(names)}` : ""}</p>`;
}

function Begin({ table, room, botList }) {
  const { bot: savedBot } = useStore(settings);
  const host = isHost(table);
  const empty = table.seats.flatMap((seat, i) => (seat.kind === "empty" ? [i] : []));
  const fill = async () => {
    for (const seat of empty) await room.ask({ type: "bot", seat, bot: preferredBot(botList, savedBot) });
  };
  // As this device likes them, where it has said so.
  const start = () => room.ask({ type: "start", ...(empty.length && botList && savedBot ? { bot: preferredBot(botList, savedBot) } : {}) });
  if (table.evening) return html`<p role="status">${t("lobby.by_itself")}</p>`;
  if (table.you === null) {
    const free = table.seats.some((seat) => seat.kind === "empty" || seat.spare);
    return free
      ? html`<button type="button" class="button primary big" onClick=${() => room.ask({ type: "sit" })}>${t("lobby.sit_down")}</button>`
      : html`<p>${t("lobby.full")}</p>`;
  }
  if (!host) return html`<p role="status">${t("lobby.wait_host", { name: nameOf(table, table.host) })}</p>`;
  return html`<div class="row">
    <button type="button" class="button primary big" onClick=${start}>${empty.length ? plural("lobby.start_bots", empty.length) : t("lobby.start")}</button>
    ${empty.length && botList
      ? html`<button type="button" class="button" onClick=${fill}>${plural("lobby.fill", empty.length)}</button>`
      : null}
  </div>`;
}

/** The lobby. */
export function Lobby({ room, state }) {
  const { table, notice } = state;
  const [rules, showRules] = useState(false);
  const [people, showPeople] = useState(false);
  const seated = table.seats.map((seat) => seat.bot).filter(Boolean);
  const botList = useBots(seated);
  const bots = botList ? botList.bots : [];
  const host = isHost(table);
  const leave = async () => {
    if (table.you === null || (await room.ask({ type: "leave" }))) go(wayOut(table));
  };
  const alone = table.open && host && table.seats.every((seat, i) => i === table.you || seat.kind !== "person");
  const begin = html`<${Begin} table=${table} room=${room} botList=${botList} />`;
  const away = table.seats.flatMap((seat, i) => (seat.kind === "person" && !seat.here ? [nameOf(table, i)] : []));
  return html`<div class="lobby">
    <div class="stack lobby-seats">
      <h1 tabindex="-1">${table.title || t("lobby.title")}</h1>
      <div class="row">
        <span>${gameName(table.rules.name)}</span>
        <button type="button" class="button quiet" onClick=${() => showRules(true)}>
          <${Icon} name="rules" /> ${t("table.rules")}
        </button>
      </div>
      ${notice && html`<p class="problem">${notice.text}</p>`}
      ${state.nameTaken && state.nameTaken.type === "sit" && html`<${AnotherName} room=${room} wanted=${state.nameTaken} />`}
      ${alone && html`<div class="panel stack"><p>${t("lobby.alone")}</p>${begin}</div>`}
      <section class="panel stack" aria-labelledby="seats-title">
        <h2 id="seats-title">${t("lobby.seats")}</h2>
        <ol class="seat-list">
          ${table.seats.map((_, seat) => html`<${SeatRow} key=${seat} table=${table} seat=${seat} bots=${bots} room=${room} />`)}
        </ol>
        ${away.length ? html`<p class="mark">${t("lobby.away", { names: list(away) })}</p>` : null}
        <${UnreadyBots} bots=${bots} names=${seated} />
        ${!alone && begin}
        <${Watchers} table=${table} watching=${state.watching} />
      </section>
    </div>
    <div class="stack lobby-way">
      ${!table.evening && html`<${Invite} table=${table} />`}
      ${host && html`<section class="panel stack" aria-labelledby="set-title">
        <h2 id="set-title">${t("lobby.settings")}</h2>
        <${Later} of="settings" meanwhile=${null}><${TableSettings} table=${table} room=${room} /><//>
      </section>`}
    </div>
    <div class="stack lobby-talk">
      <section class="panel stack" aria-labelledby="chat-title">
        <h2 id="chat-title">${t("chat.title")}</h2>
        <${Later} of="talk" meanwhile=${null}><${ChatPanel} room=${room} state=${state} /><//>
      </section>
      <p class="row">
        <button type="button" class="button quiet" onClick=${() => showPeople(true)}><${Icon} name="person" /> ${t("more.people")}</button>
        <button type="button" class="button quiet" onClick=${leave}><${Icon} name="door" /> ${t("table.leave")}</button>
      </p>
    </div>
    ${people && html`<${PeopleDialog} table=${table} room=${room} onClose=${() => showPeople(false)} />`}
    ${rules && html`<${RulesDialog} rules=${table.rules} onClose=${() => showRules(false)} />`}
  </div>`;
}
