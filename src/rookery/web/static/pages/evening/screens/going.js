// From an evening to one's table on a screen, and on to the next one.
import { announce } from "../../../core/announce.js";
import { t } from "../../../core/i18n.js";
import { Link, go } from "../../../core/router.js";
import { html, useEffect, useRef, useState } from "../../../core/ui.js";
import { clockFace } from "../hall/countdown.js";
import { placeOf, placeText } from "../said.js";
import { isLast } from "../told.js";

/** Return the code of the table on a screen at which somebody sits in this round; null without one. */
export function tableOf(evening, person) {
  if (!evening.screens || evening.over || person === null) return null;
  return placeOf(evening, person).table?.code ?? null;
}

/** Return in how many seconds the clock of a server that is `ahead` of this one says `at`; null where `at` is. */
export function useLeft(at, ahead) {
  const [, draw] = useState(0);
  const left = at === null ? 0 : at - ahead - Date.now();
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => draw((n) => n + 1), left % 1000 || 1000);
    return () => clearTimeout(timer);
  });
  return at === null ? null : Math.max(0, Math.ceil(left / 1000));
}

/** When the next round begins by itself, or the evening ends; nothing where neither does. */
export function NextRound({ evening, ahead }) {
  const seconds = useLeft(evening.over ? null : evening.screens?.next_at ?? null, ahead);
  if (seconds === null) return null;
  const values = { n: evening.rounds + 1, time: clockFace(seconds) };
  const words = isLast(evening) ? t("evening.screens.ends_in", values) : t(seconds ? "evening.screens.next_in" : "evening.screens.next_now", values);
  return html`<p class="next-in" role="timer" aria-live="off">${words}</p>`;
}

/** Go to the table of `you` when a new one appears while the page is open; whoever runs the evening stays. `fresh`: the server has just said so. */
export function useGoing({ evening, you }, fresh) {
  const known = useRef(undefined); // the table that was there before
  const code = tableOf(evening, you.person);
  useEffect(() => {
    if (!fresh) return;
    const before = known.current;
    known.current = code;
    if (before === undefined || !code || code === before || you.host) return;
    announce(t("evening.screens.moved", { where: placeText(evening, placeOf(evening, you.person)) }), true);
    go(`/t/${code}`);
  }, [code, fresh, you.host]);
}

/** The way to a table of mine, large while it plays. */
export function ToTable({ table }) {
  if (!table.code) return html`<p role="status">${t("evening.screens.opens")}</p>`;
  const done = Boolean(table.scores) || table.state === "stands";
  return html`<div class="row"><${Link} href=${`/t/${table.code}`} class=${`button big ${done ? "" : "primary grow to-table"}`}>${t(done ? "evening.screens.look_back" : "evening.screens.go")}<//></div>`;
}
