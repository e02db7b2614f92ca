// Where I am signed in, and how that ends.
import { get, remove } from "../../core/api.js";
import { day, t } from "../../core/i18n.js";
import { Problem } from "../../components/common.js";
import { html, useEffect, useState } from "../../core/ui.js";

function facts({ since, used, here }) {
  const began = since === null ? "" : t("sessions.since", { day: day(since) });
  return [here ? t("sessions.here") : "", began, t("sessions.used", { day: day(used) })].filter(Boolean).join(" · ");
}

function Row({ one, busy, end }) {
  const name = one.device || t("sessions.unknown");
  return html`<li class="table-row">
    <span class="grow"><b>${name}</b><small>${facts(one)}</small></span>
    ${!one.here && html`<button type="button" class="button" disabled=${busy} onClick=${end}
      aria-label=${`${t("sessions.end")}: ${name}, ${facts(one)}`}>${t("sessions.end")}</button>`}
  </li>`;
}

/** My sessions; each other one can be ended here, or all of them: then `leave` moves the focus from the button that is gone. */
export function Sessions({ leave }) {
  const [sessions, set] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const ask = (asked, then) => {
    setBusy(true);
    setError(null);
    asked
      .then((answer) => { set(answer); then(); }, setError)
      .finally(() => setBusy(false));
  };
  const look = () => ask(get("/api/sessions"), () => {});
  const end = (path) => ask(remove(path), () => {
    setDone(true);
    leave();
  });
  useEffect(() => {
    look();
  }, []);
  return html`<div class="stack tight">
    <p class="mark">${t("sessions.how")}</p>
    ${error && html`<${Problem} error=${error} retry=${look} />`}
    <ul class="plain">
      ${(sessions || []).map((one) => html`<${Row} key=${one.id} one=${one} busy=${busy} end=${() => end(`/api/sessions/${one.id}`)} />`)}
    </ul>
    <p role="status">${done ? t("sessions.done") : ""}</p>
    ${sessions && sessions.length > 1 && html`<div class="row">
      <button type="button" class="button danger" disabled=${busy} onClick=${() => end("/api/sessions")}>${t("sessions.end_others")}</button>
    </div>`}
  </div>`;
}
