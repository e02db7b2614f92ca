// Beside a match that one only watches: the way to a seat there, an empty one or a bot's.
import { lazy } from "../../components/lazy.js";
import { t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { SeatField, sitText } from "./lobby.js";

const AnotherName = lazy(() => import("./another_name.js"), "AnotherName");

/** What whoever watches may do; who sits down waits for the end of the hand. */
export function Watching({ table, room, state }) {
  const { waits, nameTaken } = state;
  const free = table.evening ? [] : table.seats.flatMap((seat, i) => (seat.kind === "empty" || seat.spare ? [i] : []));
  const submit = (event) => {
    event.preventDefault();
    const seat = new FormData(event.target).get("seat");
    if (!waits) room.ask({ type: "sit", wait: true, ...(seat ? { seat: Number(seat) } : {}) });
  };
  return html`<form class="row watching" onSubmit=${submit}>
      <p role="status">${t(waits ? "table.sits_later" : "table.watching")}</p>
      ${free.length > 1 && !waits ? html`<${SeatField} table=${table} free=${free} />` : null}
      ${free.length ? html`<button class="button primary" aria-disabled=${waits}>${sitText(table, free)}</button>` : null}
    </form>
    ${nameTaken && nameTaken.type === "sit" && html`<${AnotherName} room=${room} wanted=${nameTaken} />`}`;
}
