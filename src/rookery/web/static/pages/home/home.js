// The first page: a name, and four ways to a table.
import { get, here } from "../../core/api.js";
import { BotField, preferredBot, useBots } from "../../components/bots.js";
import { playBots } from "../../components/play_bots.js";
import { lazy, seldom } from "../../components/lazy.js";
import { gameName, needWords, t } from "../../core/i18n.js";
import { Problem, wrongBy } from "../../components/common.js";
import { Link, go } from "../../core/router.js";
import { USUAL, settings } from "../../core/settings.js";
import { html, useEffect, useRef, useState, useStore } from "../../core/ui.js";
import { FirstLesson } from "./first_lesson.js";
import { Device, Forget, Kept, MyTables, OpenTables, isOpen, useOpenTables } from "./lists.js";
import { PasskeyButton, Passkeys } from "../../components/passkeys.js";
import { hasPasskeys } from "../../core/passkeys.js";
import { NameField, doAs, enterAs, useMe } from "../../components/name.js";
import { progressOf } from "../learn/progress.js";

await needWords("pages");

const Others = lazy(() => import("./others.js"), "Others");
const Sessions = seldom(() => import("./sessions.js"), "Sessions");

export const title = "home.title";

const PATIENCE = 2_000; // milliseconds for which a player waits for their tables, to have them before all else

/** Return the table code in a text: the code itself, or a table's link. */
export function codeIn(text) {
  const last = text.trim().replace(/[?#].*$/, "").replace(/\/+$/, "").split("/").pop();
  return last.replace(/[\s-]/g, "").toUpperCase();
}

// The place of the button by which others are found, until it has been fetched.
function OthersField({ game }) {
  return html`<div class="stack tight">
    <div class="ways others">
      <button type="button" class="button big" disabled>${t("home.others")}</button>
      <label class="field"><span class="unseen">${t("home.others_game")}</span><select disabled><option>${gameName(game.name)}</option></select></label>
    </div>
    <p class="mark">\u00a0</p>
  </div>`;
}

// Where the list of my tables stands: "first" where a seat waits at one and they come in time, else "last"; "" until
// that is clear. Whoever has never sat at a table waits for nothing.
function usePlace(me, error) {
  const [place, set] = useState(progressOf("offer").declined ? "" : "last");
  useEffect(() => {
    if (place) return undefined;
    if (me || error) return set(me?.tables.some(isOpen) ? "first" : "last");
    const timer = setTimeout(set, PATIENCE, "last");
    return () => clearTimeout(timer);
  }, [me, error, place]);
  return place;
}

// What it shows comes from the server, and so does the module when it is opened.
function SignedIn() {
  const [opened, set] = useState(0);
  const summary = useRef(null);
  return html`<details onToggle=${(event) => event.target.open && set(opened + 1)}>
    <summary ref=${summary}>${t("sessions.title")}</summary>
    ${opened > 0 && html`<${Sessions} key=${opened} leave=${() => summary.current.focus()} />`}
  </details>`;
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
        <input id="code" name="code" required autocomplete="off" autocapitalize="characters" spellcheck="false" class="grow" placeholder="ABCDE23" ...${wrongBy(error, "wrong-code")} />
        <button class="button" disabled=${busy}>${t("home.join")}</button>
      </div>
    </div>
    ${error && html`<${Problem} error=${error} id="wrong-code" />`}
  </form>`;
}

/** The page. */
export default function Home() {
  const { me, setMe, name, setName, error: loadError, again } = useMe();
  const { bot, game, pace } = useStore(settings);
  const usual = game || USUAL;
  const botList = useBots([bot]);
  const open = useOpenTables();
  const mine = usePlace(me, loadError);
  const [forgotten, setForgotten] = useState("");
  const forget = ({ nobody, there }) => {
    setMe(nobody);
    setName("");
    setForgotten(there ? "home.forgotten" : "home.forgotten_here");
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
  // Lists that come one after the other would push each other down.
  const isKnown = (me || loadError) && (open.tables || open.error);
  return html`<div class="home">
    <div class="stack">
      <h1 tabindex="-1">${t("home.title")}</h1>
      <p class="lead">${t("home.lead")}</p>
      ${mine === "first" && html`<${MyTables} tables=${me.tables} few=${true} />`}
      ${mine && html`<section class="panel stack" aria-label=${t("home.begin")}>
        ${loadError && html`<${Problem} error=${loadError} retry=${again} />`}
        <${FirstLesson} me=${me} />
        <${NameField} name=${name} setName=${setName} />
        <div class="ways">
          <button type="button" class="button primary big" disabled=${busy} onClick=${goAfter(async () => `/t/${await playBots(usual)}`, true)}>
            ${t("home.bots")}
          </button>
          <button type="button" class="button big" disabled=${busy} onClick=${goAfter(() => "/new", false)}>${t("home.make")}</button>
        </div>
        <p class="mark">${t("home.with_game", { game: gameName(usual.name), pace: t(`lobby.pace.${pace}`) })}</p>
        <${Others} game=${usual} tables=${open.tables} mine=${me ? me.tables.map(({ code }) => code) : []} busy=${busy} after=${goAfter}
          meanwhile=${html`<${OthersField} game=${usual} />`} />
        ${error && html`<${Problem} error=${error} />`}
        <${BotField} bots=${botList ? botList.bots : []} value=${botList ? preferredBot(botList, bot) : bot || "club"} />
        <${Join} name=${name} />
        <p class="links"><${Link} href="/daily">${t("home.daily")}<//></p>
        ${me && !me.name && hasPasskeys(me) && html`<${PasskeyButton} done=${setMe} />`}
      </section>`}
    </div>
    ${mine && isKnown && html`<div class="stack">
      ${mine === "last" && me && html`<${MyTables} tables=${me.tables} />`}
      <${OpenTables} ...${open} />
      <nav class="panel" aria-label=${t("home.more")}>
        <ul class="plain links">
          <li><${Link} href="/learn">${t("home.learn")}<//></li>
          <li><${Link} href="/rules">${t("home.rules")}<//></li>
          <li><${Link} href="/rules/edit">${t("home.editor")}<//></li>
          <li><${Link} href="/puzzles">${t("home.puzzles")}<//></li>
          <li><${Link} href="/mistakes">${t("home.mistakes")}<//></li>
          <li><${Link} href="/sheet">${t("home.sheet")}<//></li>
          <li><${Link} href="/evening">${t("home.evening")}<//></li>
          <li><${Link} href="/stats">${t("home.stats")}<//></li>
          <li><${Link} href="/offline">${t("home.offline")}<//></li>
          <li><${Link} href="/fair">${t("home.fair")}<//></li>
        </ul>
        <${Kept} />
        ${me && me.name && html`<${Device} /><${SignedIn} />${hasPasskeys(me) && html`<${Passkeys} />`}`}
        ${(me?.name || here?.hasTables()) && html`<${Forget} done=${forget} />`}
        ${forgotten && !(me && me.name) && html`<p role="status">${t(forgotten)}</p>`}
      </nav>
    </div>`}
    ${mine && isKnown && html`<p class="mark foot">${t("shell.marks")}</p>`}
  </div>`;
}
