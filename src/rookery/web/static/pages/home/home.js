// The first page: a name, and four ways to a table.
import { get, post, Refused } from "../../core/api.js";
import { BotField, preferredBot, useBots, fetchBots } from "../../components/bots.js";
import { needWords, t } from "../../core/i18n.js";
import { Problem } from "../../components/common.js";
import { Link, go } from "../../core/router.js";
import { settings } from "../../core/settings.js";
import { html, useState, useStore } from "../../core/ui.js";
import { Device, Forget, Kept, MyTables, OpenTables } from "./lists.js";
import { PasskeyButton, Passkeys } from "../../components/passkeys.js";
import { hasPasskeys } from "../../core/passkeys.js";
import { Sessions } from "./sessions.js";
import { NameField, doAs, enterAs, useMe } from "../../components/name.js";
import { openSocket } from "../../core/socket.js";

await needWords("pages");

export const title = "home.title";

const USUAL = { rules: "kd_tournament", others: 3 };

/** Begin the match at a table whose host I am. */
async function start(code) {
  let closed = () => {};
  const cut = new Promise((_, reject) => {
    closed = reject;
  });
  const connection = openSocket(code, () => {}, (state, why) => {
    if (state === "closed") closed(new Refused(why?.code || "unknown", why?.reason || ""));
  });
  try {
    const answer = await Promise.race([connection.command({ type: "start" }), cut]);
    if (answer.refused) throw new Refused(answer.refused.code, answer.refused.reason);
  } finally {
    connection.close();
  }
}

/** Make a table with the usual rules and the preferred bots, and begin; return its code. */
async function playBots() {
  const bot = preferredBot(await fetchBots(), settings.get().bot);
  const bots = Array.from({ length: USUAL.others }, () => bot);
  const { code } = await post("/api/tables", { rules: USUAL.rules, bots });
  await start(code);
  return code;
}

/** Return the table code in a text: the code itself, or a table's link. */
export function codeIn(text) {
  const last = text.trim().replace(/[?#].*$/, "").replace(/\/+$/, "").split("/").pop();
  return last.replace(/[\s-]/g, "").toUpperCase();
}

function Join({ name }) {
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const code = codeIn(new FormData(event.target).get("code"));
    if (!code) return;
    setBusy(true);
    setError(null);
    try {
      await get(`/api/tables/${encodeURIComponent(code)}`);
      if (name.trim()) await enterAs(name);
      go(`/t/${code}`);
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return html`<form class="stack tight" onSubmit=${submit}>
    <div class="field">
      <label for="code"><b>${t("home.code")}</b></label>
      <div class="row nowrap">
        <input id="code" name="code" required autocomplete="off" autocapitalize="characters" spellcheck="false" class="grow" placeholder="ABCDE23" />
        <button class="button" disabled=${busy}>${t("home.join")}</button>
      </div>
    </div>
    ${error && html`<${Problem} error=${error} />`}
  </form>`;
}

/** The page. */
export default function Home() {
  const { me, setMe, name, setName, error: loadError, again } = useMe();
  const { bot } = useStore(settings);
  const botList = useBots([bot]);
  const [isForgotten, setForgotten] = useState(false);
  const forgotten = (nobody) => {
    setMe(nobody);
    setName("");
    setForgotten(true);
  };
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const goAfter = (on, needsName) => async () => {
    setBusy(true);
    setError(null);
    try {
      go(needsName || name.trim() ? await doAs(name, on) : await on());
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return html`<div class="home">
    <div class="stack">
      <h1 tabindex="-1">${t("home.title")}</h1>
      <p class="lead">${t("home.lead")}</p>
      <section class="panel stack" aria-label=${t("home.begin")}>
        ${loadError && html`<${Problem} error=${loadError} retry=${again} />`}
        <${NameField} name=${name} setName=${setName} />
        ${me && !me.name && hasPasskeys(me) && html`<${PasskeyButton} done=${setMe} />`}
        <div class="ways">
          <button type="button" class="button primary big" disabled=${busy} onClick=${goAfter(async () => `/t/${await playBots()}`, true)}>
            ${t("home.bots")}
          </button>
          <button type="button" class="button big" disabled=${busy} onClick=${goAfter(() => "/new", false)}>${t("home.make")}</button>
        </div>
        ${error && html`<${Problem} error=${error} />`}
        ${botList && html`<${BotField} bots=${botList.bots} value=${preferredBot(botList, bot)} />`}
        <${Join} name=${name} />
      </section>
    </div>
    <div class="stack">
      ${me && html`<${MyTables} tables=${me.tables} />`}
      <${OpenTables} />
      <nav class="panel" aria-label=${t("home.more")}>
        <ul class="plain links">
          <li><${Link} href="/rules">${t("home.rules")}<//></li>
          <li><${Link} href="/rules/edit">${t("home.editor")}<//></li>
          <li><${Link} href="/stats">${t("home.stats")}<//></li>
          <li><${Link} href="/fair">${t("home.fair")}<//></li>
        </ul>
        <${Kept} />
        ${me && me.name && html`<${Device} /><${Sessions} />${hasPasskeys(me) && html`<${Passkeys} />`}<${Forget} done=${forgotten} />`}
        ${isForgotten && !(me && me.name) && html`<p role="status">${t("home.forgotten")}</p>`}
      </nav>
    </div>
    <p class="mark foot">${t("shell.marks")}</p>
  </div>`;
}
