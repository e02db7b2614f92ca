// Passkeys: those I have, and the button by which I come back.
import { get, remove } from "../core/api.js";
import { day, t } from "../core/i18n.js";
import { comeBackByPasskey, makePasskey } from "../core/passkeys.js";
import { html, useRef, useState } from "../core/ui.js";
import { Problem } from "./common.js";

/** The button; `done` gets who I am afterwards. */
export function PasskeyButton({ done }) {
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    setError(null);
    comeBackByPasskey().then(done, (refused) => { setError(refused); setBusy(false); });
  };
  return html`<div class="stack tight">
    ${error && html`<${Problem} error=${error} />`}
    <div class="row"><button type="button" class="button" disabled=${busy} onClick=${press}>${t("passkeys.back")}</button></div>
  </div>`;
}

function Row({ one, busy, drop }) {
  const name = one.device || t("sessions.unknown");
  const facts = `${t("sessions.since", { day: day(one.made) })} · ${t("sessions.used", { day: day(one.used) })}`;
  return html`<li class="table-row">
    <span class="grow"><b>${name}</b><small>${facts}</small></span>
    <button type="button" class="button" disabled=${busy} onClick=${drop} aria-label=${`${t("passkeys.drop")}: ${name}, ${facts}`}>
      ${t("passkeys.drop")}
    </button>
  </li>`;
}

/** My passkeys; each can be removed, and another one made. */
export function Passkeys() {
  const [passkeys, set] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState("");
  const summary = useRef(null);
  const ask = (asked, then) => {
    setBusy(true);
    setError(null);
    setDone("");
    asked
      .then((answer) => { set(answer); then(); }, setError)
      .finally(() => setBusy(false));
  };
  const look = () => ask(get("/api/passkeys"), () => {});
  const make = () => ask(makePasskey(), () => setDone("passkeys.made"));
  const drop = (id) => ask(remove(`/api/passkeys/${id}`), () => {
    setDone("passkeys.dropped");
    summary.current.focus(); // the button that was pressed is gone
  });
  return html`<details onToggle=${(event) => event.target.open && look()}>
    <summary ref=${summary}>${t("passkeys.title")}</summary>
    <div class="stack tight">
      <p class="mark">${t("passkeys.how")}</p>
      ${error && html`<${Problem} error=${error} />`}
      <ul class="plain">
        ${(passkeys || []).map((one) => html`<${Row} key=${one.id} one=${one} busy=${busy} drop=${() => drop(one.id)} />`)}
      </ul>
      <p role="status">${done && t(done)}</p>
      <div class="row"><button type="button" class="button" disabled=${busy} onClick=${make}>${t("passkeys.make")}</button></div>
    </div>
  </details>`;
}
