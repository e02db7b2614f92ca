// A match of this device is handed to the server: its record goes there, and the link to its replay comes back.
import { CopyButton, OnlyHere, Problem } from "../../components/common.js";
import { get, Refused, UNREACHED, whoAmI } from "../../core/api.js";
import { announce } from "../../core/announce.js";
import { needWords, t } from "../../core/i18n.js";
import { html, useState } from "../../core/ui.js";

await needWords("beside/offline");

// Pages of this device's tables are answered by the device; this asks the server.
async function toServer(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), credentials: "same-origin" }).catch(() => {
    throw new Refused("offline", "");
  });
  const said = await answer.json().catch(() => ({}));
  if (answer.ok) return said;
  const { code, reason = "" } = said?.error || {};
  if (typeof code === "string") throw new Refused(code, reason, answer.status);
  throw new Refused(UNREACHED.has(answer.status) ? "offline" : "bad-answer", "", answer.status);
}

/** Have the server keep a match; return {code, match, link}. The same match is kept once, however often it is sent. */
async function handIn(code, match) {
  const record = await get(`/api/tables/${code}/record${match === undefined ? "" : `?match=${match}`}`);
  const { name } = await whoAmI();
  try {
    return await toServer("/api/matches", { record });
  } catch (refused) {
    if (refused.code !== "no-session") throw refused;
    await toServer("/api/session", { name });
    return toServer("/api/matches", { record });
  }
}

/** The button, and the link once the server has the match; by default the last one of the table. */
export function HandIn({ code, match }) {
  const [{ busy, error, kept }, set] = useState({});
  const hand = () => {
    set({ busy: true });
    handIn(code, match).then((found) => {
      set({ kept: found });
      announce(t("offline.handed"));
    }, (refused) => set({ error: refused }));
  };
  if (kept) {
    return html`<div class="stack tight">
      <p>${t("offline.handed")}</p>
      <p class="link-text">${kept.link}</p>
      <${OnlyHere} link=${kept.link} />
      <div class="row"><${CopyButton} text=${kept.link} label=${t("lobby.copy")} /></div>
    </div>`;
  }
  return html`<div class="stack tight">
    ${error && html`<${Problem} error=${error} />`}
    <div class="row"><button type="button" class="button" disabled=${busy} onClick=${hand}>${t("offline.hand_in")}</button></div>
    <p class="mark">${t("offline.hand_in_how")}</p>
  </div>`;
}
