// The first page where there is no server: a game against bots, and what else this device does by itself.
import { BotField, preferredBot, useBots } from "../../components/bots.js";
import { gameName, needWords, number, t } from "../../core/i18n.js";
import { Problem } from "../../components/common.js";
import { isReady } from "../../core/here.js";
import { Link, go } from "../../core/router.js";
import { USUAL, settings } from "../../core/settings.js";
import { html, useState, useStore } from "../../core/ui.js";
import { NameField, doAs, useMe } from "../../components/name.js";
import { FirstLesson } from "./first_lesson.js";
import { MyTables } from "./lists.js";

await Promise.all([needWords("pages"), needWords("beside/alone")]);

export const title = "home.title";

const { alone, docs } = document.documentElement.dataset; // how many bytes there are to fetch; whether the documentation is there

/** The page. */
export default function Home() {
  const { me, name, setName, error: unknown, again } = useMe();
  const { bot, game, pace } = useStore(settings);
  const usual = game || USUAL;
  const botList = useBots([bot]);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const play = async () => {
    setBusy(true);
    setError(null);
    try {
      // Who plays waits for more than this.
      const { playBots } = await import("../../components/play_bots.js");
      go(await doAs(name, async () => `/t/${await playBots(usual)}`));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return html`<div class="home">
    <div class="stack">
      <h1 tabindex="-1">${t("home.title")}</h1>
      <p class="lead">${t("alone.lead")}</p>
      <section class="panel stack" aria-label=${t("home.begin")}>
        ${unknown && html`<${Problem} error=${unknown} retry=${again} />`}
        <${FirstLesson} me=${me} />
        <${NameField} name=${name} setName=${setName} />
        <div class="ways">
          <button type="button" class="button primary big" disabled=${busy} onClick=${play}>${t("home.bots")}</button>
          <${Link} href="/new" class="button big">${t("alone.choose")}<//>
        </div>
        <p class="mark">${t("home.with_game", { game: gameName(usual.name), pace: t(`lobby.pace.${pace}`) })}</p>
        ${!isReady() && html`<p class="mark">${t("alone.once", { size: number(Math.round(alone / 100_000) / 10) })}</p>`}
        ${error && html`<${Problem} error=${error} />`}
        <${BotField} bots=${botList ? botList.bots : []} value=${botList ? preferredBot(botList, bot) : bot || "club"} />
      </section>
    </div>
    <div class="stack">
      ${me && html`<${MyTables} tables=${me.tables} />`}
      <nav class="panel" aria-label=${t("home.more")}>
        <ul class="plain links">
          <li><${Link} href="/learn">${t("home.learn")}<//></li>
          <li><${Link} href="/rules">${t("home.rules")}<//></li>
          <li><${Link} href="/rules/edit">${t("home.editor")}<//></li>
          <li><${Link} href="/record">${t("alone.record")}<//></li>
          <li><${Link} href="/odds">${t("alone.odds")}<//></li>
          <li><${Link} href="/mistakes">${t("home.mistakes")}<//></li>
          <li><${Link} href="/stats">${t("home.stats")}<//></li>
          <li><${Link} href="/offline">${t("home.offline")}<//></li>
          <li><${Link} href="/fair">${t("home.fair")}<//></li>
          ${docs !== undefined && html`<li><a href="docs/">${t("alone.docs")}</a></li>`}
        </ul>
      </nav>
    </div>
    <p class="mark foot">${t("shell.marks")}</p>
  </div>`;
}
