// Somebody is away: how long until a bot plays for them, and, for whoever the server lets, to have it play now.
import { needWords, plural, t } from "../../core/i18n.js";
import { html, useRef } from "../../core/ui.js";
import { useCountdown } from "../countdown.js";
import { nameOf } from "../snapshot.js";

await needWords("reasons"); // what lies on the felt's edge shares a catalogue

const RELOADED = 4; // seconds, in which most pages are back that were only loaded again

function Away({ table, room, one, seen }) {
  const { away_since: since } = table.seats[one.seat];
  const whole = Math.ceil((one.bot_at - since) / 1000);
  const left = useCountdown(since, whole, seen);
  const name = nameOf(table, one.seat);
  if (whole - left < RELOADED) return null;
  const mayNow = one.now_from !== null && (whole - left) * 1000 >= one.now_from - since;
  return html`<div class="hint absent">
    <div class="hint-head">
      <p role="timer">${plural("absent.line", left, { name })}</p>
      ${mayNow && html`<button type="button" class="button chip" onClick=${() => room.ask({ type: "stand_in", seat: one.seat })}>
        ${t("absent.now")}<span class="unseen"> ${t("absent.now_what", { name })}</span></button>`}
    </div>
  </div>`;
}

/** A line for each who is away in a hand. */
export function Absent({ table, room }) {
  // Who goes while we look on goes now, by our clock; only of those who had gone before we came, or came back, does the server's tell.
  const gone = useRef(null);
  const before = gone.current;
  gone.current = new Map(table.absent.map(({ seat }) => {
    const since = table.seats[seat].away_since;
    const key = `${seat} ${since}`;
    return [key, before && !before.has(key) && !table.came ? Date.now() : before?.get(key) ?? null];
  }));
  return table.absent.map((one) => {
    const key = `${one.seat} ${table.seats[one.seat].away_since}`;
    return html`<${Away} key=${key} table=${table} room=${room} one=${one} seen=${gone.current.get(key)} />`;
  });
}
