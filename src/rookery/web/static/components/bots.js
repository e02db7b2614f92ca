// Bots by name, as "club" or "expert:style=bold": what they are called, and whether they can play at once.
import { get } from "../core/api.js";
import { has, t } from "../core/i18n.js";
import { html, useEffect, useState } from "../core/ui.js";

const AGAIN = 5_000; // milliseconds between two looks at a bot that is warming up

/** Return a bot's name in parts: {id, said}, said by option. */
export function parted(name) {
  const [id, ...said] = name.split(":");
  return { id, said: Object.fromEntries(said.map((one) => one.split("="))) };
}

/** Return a bot's name with these options said; what is empty is not. */
export function joined(id, said) {
  const parts = Object.entries(said).filter(([, value]) => value);
  return [id, ...parts.map(([key, value]) => `${key}=${value}`)].join(":");
}

/** Return what a bot is called on its seat. */
export const botSeat = (name) => t(`bot.seat.${parted(name).id}`);

const styleName = (style) => (has(`bot.style.${style}`) ? t(`bot.style.${style}`).toLowerCase() : style);

/** Return what a bot is called in full: "Expert (bold, version 1)". */
export function botName(name) {
  const { id, said } = parted(name);
  const extra = [said.style && styleName(said.style), said.version && t("bot.version", { n: said.version })].filter(Boolean);
  const title = t(`bot.name.${id}`);
  return extra.length ? t("bot.with", { name: title, extra: extra.join(", ") }) : title;
}

/** Return how a bot plays, in one sentence. */
export const botAbout = (name) => t(`bot.about.${parted(name).id}`);

/** Return the bots of the server, {bots, usual}: those that may be seated, and the one that is nobody's choice. */
export async function askBots() {
  const bots = await get("/api/bots");
  return { bots, usual: bots.find((bot) => bot.default) || bots[0] };
}

/** Return the bot that is meant: the one that was chosen on this device, or the server's usual one. */
export const meant = ({ bots, usual }, kept) => (bots.some(({ id }) => id === parted(kept).id) ? kept : usual.id);

/**
 * Return the bots of the server as soon as they are known; null where `wanted` is false. They are looked at again
 * when others are named, at each new `moment`, and every few seconds while one of these is warming up.
 */
export function useBots(names, wanted = true, moment = 0) {
  const [found, set] = useState(null);
  const [look, again] = useState(0);
  const ids = names.filter(Boolean).map((name) => parted(name).id);
  const warming = Boolean(found) && found.bots.some((bot) => bot.state === "warming" && ids.includes(bot.id));
  useEffect(() => {
    if (!wanted) return undefined;
    let here = true;
    askBots().then((bots) => here && set(bots), () => {});
    return () => {
      here = false;
    };
  }, [look, wanted, moment, ids.join()]);
  useEffect(() => {
    if (!warming) return undefined;
    const timer = setInterval(() => document.visibilityState === "visible" && again((n) => n + 1), AGAIN);
    return () => clearInterval(timer);
  }, [warming]);
  return found;
}

/** Return why a bot cannot play at once, "warming" or "absent"; null where it can. */
export function lateness(bots, name) {
  const bot = name && bots.find(({ id }) => id === parted(name).id);
  return bot && bot.state !== "ready" ? bot.state : null;
}

/** Why a bot that sits at a table does not play itself yet, in a word or two; nothing where it does. */
export function LateTag({ bots, name }) {
  const late = lateness(bots, name);
  return late && html`<span class="tag late" title=${t(`bot.state.${late}`)}><span class="late-dots" aria-hidden="true">…</span><span class="late-word">${t(`bot.now.${late}`)}</span></span>`;
}

/** What somebody should know who seats a bot that cannot play at once. */
export function BotState({ bots, name }) {
  const late = lateness(bots, name);
  return late && html`<p class="mark bot-state" role="status"><b aria-hidden="true">…</b> ${t(`bot.state.${late}`)}</p>`;
}

/** Which of these bots cannot play at once, a line each. */
export function LateBots({ bots, names }) {
  const late = bots.filter(({ id, state }) => state !== "ready" && names.some((name) => parted(name).id === id));
  return late.map(({ id }) => html`<div key=${id}><b>${t(`bot.name.${id}`)}:</b> <${BotState} bots=${bots} name=${id} /></div>`);
}
