// Play without a network: this device made ready for it, and the tables that are kept here.
import { BotField, preferredBot, useBots } from "../../components/bots.js";
import { Problem } from "../../components/common.js";
import { NameField, doAs, useMe } from "../../components/name.js";
import { USUAL, playBots } from "../../components/play_bots.js";
import { announce } from "../../core/announce.js";
import { gameName, needWords, number, t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { settings } from "../../core/settings.js";
import { html, useEffect, useRef, useState, useStore } from "../../core/ui.js";
import { hindrance, makeReady, offered, remove, version } from "./kit.js";
import { MyTables } from "../../pages/home/lists.js";

await Promise.all([needWords("pages"), needWords("beside/offline")]);

export const title = "offline.title";

const megabytes = (bytes) => number(Math.round(bytes / 100_000) / 10);

function Fetching({ list, done }) {
  const [state, set] = useState({ bytes: 0, whole: 1, error: null });
  const ending = useRef(new AbortController());
  const fetchAll = () => {
    set({ bytes: 0, whole: 1, error: null });
    makeReady(list, (bytes, whole) => set({ bytes, whole, error: null }), ending.current.signal).then(done, (error) => {
      if (error.name === "AbortError") done();
      else set({ bytes: 0, whole: 1, error: { code: "not-fetched" } });
    });
  };
  useEffect(() => {
    fetchAll();
    return () => ending.current.abort();
  }, []);
  if (state.error) return html`<${Problem} error=${state.error} retry=${fetchAll} />`;
  const percent = Math.floor((100 * state.bytes) / state.whole);
  return html`<label class="field"><span>${t("offline.fetching", { percent })}</span><progress max="100" value=${percent} /></label>
    <div class="row"><button type="button" class="button" onClick=${() => ending.current.abort()}>${t("offline.stop")}</button></div>`;
}

function Play() {
  const { me, name, setName, error: unknown, again } = useMe();
  const { bot, game } = useStore(settings);
  const botList = useBots([bot]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const usual = game || USUAL;
  const play = async () => {
    setBusy(true);
    setError(null);
    try {
      go(await doAs(name, async () => `/t/${await playBots(usual)}`));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  if (unknown) return html`<${Problem} error=${unknown} retry=${again} />`;
  if (!me) return html`<p class="loading" role="status">${t("offline.starting")}</p>`;
  return html`<section class="panel stack" aria-label=${t("offline.play")}>
      <${NameField} name=${name} setName=${setName} />
      <button type="button" class="button primary big" disabled=${busy} onClick=${play}>${t("home.bots")}</button>
      <p class="mark">${gameName(usual.name)}</p>
      ${error && html`<${Problem} error=${error} />`}
      <${BotField} bots=${botList ? botList.bots : []} value=${botList ? preferredBot(botList, bot) : bot || "club"} />
    </section>
    <${MyTables} tables=${me.tables} />`;
}

function Ready({ list, kept, fetchAll, changed }) {
  const isOld = list && list.version !== kept;
  return html`<p role="status">${t("offline.ready")}</p>
    ${isOld && html`<p>${t("offline.newer", { size: megabytes(list.bytes) })}</p>
      <div class="row"><button type="button" class="button" onClick=${fetchAll}>${t("offline.update")}</button></div>`}
    <${Play} />
    <details>
      <summary>${t("offline.remove")}</summary>
      <div class="stack tight">
        <p class="mark">${t("offline.remove_how")}</p>
        <div class="row"><button type="button" class="button danger" onClick=${() => remove().then(changed)}>${t("offline.remove_sure")}</button></div>
      </div>
    </details>`;
}

/** The page. */
export default function Offline() {
  const [state, set] = useState(null); // {list, kept}: what the server offers, and the version that is kept here
  const [fetching, setFetching] = useState(false);
  const look = async () => {
    const [list, kept] = await Promise.all([offered(), version()]);
    set({ list, kept });
    setFetching(false);
    return kept;
  };
  const done = async () => (await look()) && announce(t("offline.ready"));
  const hindered = hindrance();
  useEffect(() => {
    if (!hindered) look();
  }, []);
  const inside = () => {
    if (hindered) return html`<p>${t(hindered)}</p>`;
    if (!state) return html`<p class="loading">${t("shell.loading")}</p>`;
    const { list, kept } = state;
    if (fetching) return html`<${Fetching} list=${list} done=${done} />`;
    if (kept) return html`<${Ready} ...${state} fetchAll=${() => setFetching(true)} changed=${look} />`;
    if (!list) return html`<p>${t("offline.none")}</p><p class="mark">${t("offline.none_how")}</p>`;
    return html`<div class="row"><button type="button" class="button primary big" onClick=${() => setFetching(true)}>${t("offline.make")}</button></div>
      <p class="mark">${t("offline.size", { size: megabytes(list.bytes) })}</p>`;
  };
  return html`<div class="narrow stack">
    <h1 tabindex="-1">${t("offline.title")}</h1>
    <p class="lead">${t("offline.lead")}</p>
    ${inside()}
  </div>`;
}
