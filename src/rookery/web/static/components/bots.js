// Bots by name, as "club" or "expert:style=bold": what they are called, and whether they can play at once.
import { get } from "../core/api.js";
import { has, t } from "../core/i18n.js";
import { html, useEffect, useState } from "../core/ui.js";
import { lazy } from "./lazy.js";
import { change } from "../core/settings.js";

const REFRESH_EVERY = 5_000; // milliseconds between two looks at a bot that is warming up

/** Return a bot's name in parts: {id, options}. */
export function parseBot(name) {
  const [id, ...options] = name.split(":");
  return { id, options: Object.fromEntries(options.map((one) => one.split("="))) };
}

/** Return a bot's name with these options; empty ones are left out. */
export function formatBot(id, options) {
  const parts = Object.entries(options).filter(([, value]) => value);
  return [id, ...parts.map(([key, value]) => `${key}=${value}`)].join(":");
}

/** Return what a bot is called on its seat. */
export const botSeat = (name) => t(`bot.seat.${parseBot(name).id}`);

const styleName = (style) => (has(`bot.style.${style}`) ? t(`bot.style.${style}`).toLowerCase() : style);

/** Return what a bot is called in full: "Expert (bold, version 1)". */
export function botName(name) {
  const { id, options } = parseBot(name);
  const extra = [options.style && styleName(options.style), options.version && t("bot.version", { n: options.version })].filter(Boolean);
  const title = t(`bot.name.${id}`);
  return extra.length ? t("bot.with", { name: title, extra: extra.join(", ") }) : title;
}

/** Return how a bot plays, in one sentence. */
export const botAbout = (name) => t(`bot.about.${parseBot(name).id}`);

/** Return the bots of the server, {bots, usual}: those that may be seated, and the default. */
export async function fetchBots() {
  const bots = await get("/api/bots");
  return { bots, usual: bots.find((bot) => bot.default) || bots[0] };
}

/** Return the bot to seat: the one that was chosen on this device, or the server's default. */
export const preferredBot = ({ bots, usual }, saved) => (bots.some(({ id }) => id === parseBot(saved).id) ? saved : usual.id);

/**
 * Return the bots of the server as soon as they are known; null where `wanted` is false. They are looked at again
 * when others are named, at each new `moment`, and every few seconds while one of these is warming up.
 */
export function useBots(names, wanted = true, moment = 0) {
  const [list, set] = useState(null);
  const [looks, again] = useState(0);
  const ids = names.filter(Boolean).map((name) => parseBot(name).id);
  const warming = Boolean(list) && list.bots.some((bot) => bot.state === "warming" && ids.includes(bot.id));
  useEffect(() => {
    if (!wanted) return undefined;
    let mounted = true;
    // Not in the task that draws a page.
    const timer = setTimeout(() => fetchBots().then((bots) => mounted && set(bots), () => {}));
    return () => {
      mounted = false;
      clearTimeout(timer);
    };
  }, [looks, wanted, moment, ids.join()]);
  useEffect(() => {
    if (!warming) return undefined;
    const timer = setInterval(() => document.visibilityState === "visible" && again((n) => n + 1), REFRESH_EVERY);
    return () => clearInterval(timer);
  }, [warming]);
  return list;
}

/** Return why a bot cannot play at once, "warming" or "absent"; null where it can. */
export function unreadyState(bots, name) {
  const bot = name && bots.find(({ id }) => id === parseBot(name).id);
  return bot && bot.state !== "ready" ? bot.state : null;
}

/** Why a bot that sits at a table does not play itself yet, in a word or two; nothing where it does. */
export function UnreadyTag({ bots, name }) {
  const state = unreadyState(bots, name);
  return state && html`<span class="tag late" title=${t(`bot.state.${state}`)}><span class="late-dots" aria-hidden="true">…</span><span class="late-word">${t(`bot.now.${state}`)}</span></span>`;
}

/** A note for whoever seats a bot that cannot play at once. */
export function BotState({ bots, name }) {
  const state = unreadyState(bots, name);
  return state && html`<p class="mark bot-state" role="status"><b aria-hidden="true">…</b> ${t(`bot.state.${state}`)}</p>`;
}

/** Which of these bots cannot play at once, a line each. */
export function UnreadyBots({ bots, names }) {
  const unready = bots.filter(({ id, state }) => state !== "ready" && names.some((name) => parseBot(name).id === id));
  return unready.map(({ id }) => html`<div key=${id}><b>${t(`bot.name.${id}`)}:</b> <${BotState} bots=${bots} name=${id} /></div>`);
}

const BotDialog = lazy(() => import("./bot_dialog.js"), "BotDialog");

/** The field; what is chosen is kept on this device. While `bots` are not known it only keeps its place. */
export function BotField({ bots, value }) {
  const [open, setOpen] = useState(false);
  return html`<div class="field">
    <span id="bot-label">${t("bot.how")}</span>
    <button type="button" class="button bot-button" aria-haspopup="dialog" aria-labelledby="bot-label bot-value" disabled=${!bots.length} onClick=${() => setOpen(true)}>
      <span id="bot-value">${botName(value)}</span>
    </button>
    <small>${botAbout(value)}</small>
    <${BotState} bots=${bots} name=${value} />
    ${open && html`<${BotDialog} title=${t("bot.how")} bots=${bots} chosen=${value} onChoose=${(bot) => change({ bot })} onClose=${() => setOpen(false)} />`}
  </div>`;
}
