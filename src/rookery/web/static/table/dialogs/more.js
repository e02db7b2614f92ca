// The rest: seats and powers for the host, people one does not want to hear, another device, leaving.
import { post } from "../../core/api.js";
import { UnreadyBots, useBots } from "../../components/bots.js";
import { Dialog } from "../../components/dialog.js";
import { list, plural, t } from "../../core/i18n.js";
import { CopyButton, OnlyHere, Problem, onlyHere } from "../../components/common.js";
import { Sure } from "../../components/sure.js";
import { go } from "../../core/router.js";
import { html, useState, useStore } from "../../core/ui.js";
import { mute, useMuted } from "../muted.js";
import { useLink } from "../../components/loading.js";
import { isHost, nameOf, wayOut } from "../snapshot.js";
import { TableSettings } from "../lobby/table_settings.js";

const button = (text, press) => html`<button type="button" class="button" onClick=${press}>${text}</button>`;

function Mute({ name }) {
  const quiet = useMuted(name);
  return button(t(quiet ? "more.unmute" : "more.mute"), () => mute(name, !quiet));
}

// Whoever is there is not sent away by one slip of a finger.
function Replace({ table, seat, room }) {
  const one = table.seats[seat];
  const replace = () => room.ask({ type: "replace", seat });
  if (!one.here) return button(t("more.replace"), replace);
  return html`<${Sure} label=${t("more.replace")} sure=${t("more.replace_yes")} why=${t("more.replace_sure", { name: one.name })} back=${t("table.clear")} act=${replace} kind="" />`;
}

function Person({ table, seat, room }) {
  const one = table.seats[seat];
  const [reported, setReported] = useState(false);
  const [blocked, setBlocked] = useState(false);
  const host = isHost(table);
  return html`<li class="stack tight">
    <strong>${nameOf(table, seat)}</strong>
    <div class="row tight">
      <${Mute} name=${one.name} />
      ${table.you !== null && !blocked && button(t("more.block"), async () => setBlocked(await room.ask({ type: "block", seat })))}
      ${blocked && html`<span role="status">${t("more.blocked")}</span>`}
      ${table.you !== null && !reported && button(t("more.report"), async () => setReported(await room.ask({ type: "report", seat })))}
      ${reported && html`<span role="status">${t("more.reported")}</span>`}
      ${host && (!one.here || table.phase !== "playing") && html`<${Replace} table=${table} seat=${seat} room=${room} />`}
      ${host && one.here && button(t("lobby.make_host"), () => room.ask({ type: "host", seat }))}
    </div>
  </li>`;
}

// Somebody who has talked and does not sit here. The host may mute or send away whoever said that line.
function Talker({ table, line, room }) {
  const host = table.you === table.host && table.you !== null;
  const how = table.silenced[line.seq];
  const muted = how === "muted";
  return html`<li class="stack tight">
    <span><strong>${line.name}</strong>${line.from === null && html` <span class="tag">${t("chat.watching")}</span>`}</span>
    <div class="row tight">
      <${Mute} name=${line.name} />
      ${host && how !== "away" && button(t(muted ? "more.hear" : "more.silence"), () => room.ask({ type: "mute", line: line.seq, on: !muted }))}
      ${host && how !== "away" && html`<${Sure} label=${t("more.send_away")} sure=${t("more.send_away_yes")} why=${t("more.send_away_sure", { name: line.name })} back=${t("table.clear")}
        act=${() => room.ask({ type: "send_away", line: line.seq })} kind="" />`}
      ${how === "away" && html`<span role="status">${t("more.sent_away")}</span>`}
    </div>
  </li>`;
}

function People({ table, room }) {
  const people = table.seats.flatMap((seat, i) => (seat.kind === "person" && i !== table.you ? [i] : []));
  const seated = table.seats.map((seat) => seat.name);
  // Watchers talk too.
  const talkers = new Map(room.state.get().chat.filter((line) => !seated.includes(line.name)).map((line) => [line.name, line]));
  const { watching } = useStore(room.state);
  const seen = watching && watching.count > 0 && html`<p>${plural("table.watchers", watching.count)}: ${list(watching.names)}</p>`;
  if (!people.length && !talkers.size) return seen || html`<p class="mark">${t("more.nobody")}</p>`;
  return html`${seen}<p class="mark">${t("more.people_how")}</p>
    <ul class="plain stack">
      ${people.map((seat) => html`<${Person} key=${`${seat} ${table.seats[seat].name}`} table=${table} seat=${seat} room=${room} />`)}
      ${[...talkers].map(([name, line]) => html`<${Talker} key=${name} table=${table} line=${line} room=${room} />`)}
    </ul>`;
}

/** Before the match: whom one does not want to hear, and, for the host, whom to send away. */
export function PeopleDialog({ table, room, onClose }) {
  return html`<${Dialog} title=${t("more.people")} onClose=${onClose}>
    <div class="stack"><${People} table=${table} room=${room} /></div>
  <//>`;
}

function AnotherDevice() {
  const [link, setLink] = useState("");
  const [error, setError] = useState(null);
  const make = () => {
    setError(null);
    post("/api/session/return").then((answer) => setLink(new URL(answer.link, location.origin).href), setError);
  };
  return html`<div class="stack tight">
    <p>${t("more.device")}</p>
    ${error && html`<${Problem} error=${error} />`}
    ${link
      ? html`<p class="link-text">${link}</p><${OnlyHere} link=${link} /><${CopyButton} text=${link} label=${t("more.device_copy")} />`
      : html`<button type="button" class="button" onClick=${make}>${t("more.device_link")}</button>`}
  </div>`;
}

function Bots({ table }) {
  const names = table.seats.map((seat) => seat.bot).filter(Boolean);
  const botList = useBots(names);
  return botList && html`<${UnreadyBots} bots=${botList.bots} names=${names} />`;
}

/** The dialog. */
export function MoreDialog({ table, room, open, onClose }) {
  const link = useLink(table.code);
  const host = isHost(table);
  const leave = async () => {
    if (table.you === null || (await room.ask({ type: "leave" }))) {
      onClose();
      go(wayOut(table));
    }
  };
  return html`<${Dialog} title=${t("table.more")} onClose=${onClose}>
    <div class="stack">
      <div class="row">
        <button type="button" class="button" onClick=${() => open("help")}>${t("help.title")}</button>
        ${link && !onlyHere(link) && !table.evening && html`<${CopyButton} text=${link} label=${t("more.invite")} />`}
        ${table.proof && html`<button type="button" class="button" onClick=${() => open("deal")}>${t("deal.title")}</button>`}
      </div>
      ${!table.evening && html`<p>${t("lobby.code")} <strong class="code">${table.code}</strong></p>
        <${OnlyHere} link=${link} />`}
      <h3>${t("more.people")}</h3>
      <${People} table=${table} room=${room} />
      <${Bots} table=${table} />
      ${host && html`<h3>${t("lobby.settings")}</h3><${TableSettings} table=${table} room=${room} />`}
      ${table.you !== null && html`<h3>${t("more.device_title")}</h3><${AnotherDevice} />`}
      <h3>${t("table.leave")}</h3>
      <div class="row">${table.you === null
        ? html`<button type="button" class="button danger" onClick=${leave}>${t("table.leave")}</button>`
        : html`<${Sure} label=${t("table.leave")} sure=${t("table.leave")} why=${t("more.leave_sure")} back=${t("table.clear")} act=${leave} kind="" />`}</div>
    </div>
  <//>`;
}
