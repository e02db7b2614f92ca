// What a daily deal came to: a sentence first, then others beside it, a text to share, and how to check the deal.
import { parseBot } from "../../components/bots.js";
import { CopyButton, OnlyHere, reasonOf } from "../../components/common.js";
import { Terms } from "../../components/lazy.js";
import { useLoaded, Waiting } from "../../components/loading.js";
import { callName } from "../../cards/names.js";
import { announce } from "../../core/announce.js";
import { get } from "../../core/api.js";
import { gameName, number, signed, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useEffect, useRef } from "../../core/ui.js";
import { LaidOpen } from "../../table/result/over.js";
import { Sources, verdictText } from "../../table/result/verdict.js";
import { bidName } from "../../table/words.js";
import { cameTo, hour, tryName } from "./days.js";

const LOOK_AGAIN = 15_000; // milliseconds until it is asked again whether the expert bot has finished

const marksOf = (row) => [tryName(row.number || 1), row.late && t("daily.late")].filter(Boolean);

function Row({ name, row, told, first }) {
  const { bid, call, declarer, made, took, points } = row;
  const other = declarer !== null && declarer !== told.seat && told.names[declarer];
  return html`<tr>
    <th scope="row">${name}${marksOf(row).map((mark) => html` <span key=${mark} class="tag">${mark}</span>`)}</th>
    <td>${points === null ? t("daily.came.unknown") : declarer === null ? t("sheet.no_contract") : `${bidName(bid)}${call ? ` · ${callName(call)}` : ""}`}
      ${other && html` <small>(${other})</small>`}
      ${declarer !== null && made !== null && html` <small class="how">${t(made ? "daily.made" : "daily.set", { n: number(took) })}</small>`}</td>
    <td class="figure"><b class=${points < 0 ? "minus" : ""}>${points === null ? "–" : signed(points)}</b></td>
  </tr>`;
}

const byName = (one, other) => one.name.localeCompare(other.name);

// "Expert, version 2, 1,600 tries": what it plays next year may be another one.
function expertName(bot) {
  const { id, options } = parseBot(bot);
  const tries = options.rollouts && t("daily.tries", { n: number(Number(options.rollouts)) });
  return [t(`bot.name.${id}`), options.version && t("bot.version", { n: options.version }), tries].filter(Boolean).join(", ");
}

function Beside({ found, told, error }) {
  const friends = [...found.friends].sort(byName);
  return html`<div class="stack tight">
    <h3 id="beside-title">${t("daily.beside")}</h3>
    <div class="sheet-box" tabindex="0" role="region" aria-labelledby="beside-title">
      <table class="sheet beside">
        <thead><tr>
          <th scope="col">${t("daily.who")}</th><th scope="col">${t("daily.contract")}</th><th scope="col" class="figure">${t("daily.points")}</th>
        </tr></thead>
        <tbody>
          ${found.mine.map((row) => html`<${Row} key=${row.number} name=${t("daily.you")} row=${row} told=${told} />`)}
          ${friends.map((row) => html`<${Row} key=${`friend ${row.name}`} name=${row.name} row=${row} told=${told} />`)}
          ${found.expert && html`<${Row} name=${expertName(found.expert.bot)} row=${found.expert} told=${told} />`}
        </tbody>
      </table>
    </div>
    ${!friends.length && html`<p class="mark">${t("daily.no_friends")}</p>`}
    ${found.expert_state === "working" && html`<p class="mark">${t("daily.expert_plays")}</p>`}
    ${error && html`<p class="notice">${reasonOf(error)}</p>`}
    <p class="mark">${t("daily.beside_how")}</p>
  </div>`;
}

function Share({ found, told }) {
  const row = found.mine.find((one) => one.number === told.number) || found.mine[0];
  if (!row) return null;
  const marks = marksOf(row);
  const came = `${cameTo(row, told.seat)}${marks.length ? ` (${marks.join(", ")})` : ""}`;
  const text = t("daily.share_text", { day: told.day, game: gameName(told.rules.name), came });
  const link = `${location.origin}/daily/${told.day}/${told.family}`;
  // Whoever changes their mind while the device asks whom to tell has not failed.
  const tell = () => navigator.share({ text: `${text}\n${link}` }).catch(() => {});
  return html`<section class="stack tight" aria-labelledby="share-title">
    <h3 id="share-title">${t("daily.share")}</h3>
    <p class="share-text">${text}</p>
    <div class="row tight">
      ${navigator.share && html`<button type="button" class="button" onClick=${tell}>${t("daily.share_do")}</button>`}
      <${CopyButton} text=${`${text}\n${link}`} label=${t("daily.share_copy")} />
    </div>
    <${OnlyHere} link=${link} />
  </section>`;
}

function Check({ found, told }) {
  const file = found.record && `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(found.record))}`;
  return html`<details>
    <summary>${t("deal.title")}</summary>
    <div class="stack tight">
      <p>${t("daily.promise_how")}</p>
      <dl class="proof">
        <dt>${t("daily.fingerprint")}</dt><dd>${found.commitment}</dd>
        ${found.key && html`<dt>${t("daily.key")}</dt><dd>${found.key}</dd>`}
      </dl>
      ${!found.key && html`<p>${t("daily.key_later", { time: hour(found.ends) })}</p>`}
      ${file && html`<p>${t("daily.check_how")}</p>
        <p><code>rookery verify-deal FILE</code></p>
        <p><a class="button" href=${file} download=${`rookery-${told.day}-${told.family}.json`}>${t("over.record")}</a></p>`}
    </div>
  </details>`;
}

/** The result, and the way on. */
export function Result({ room, state, where }) {
  const { told, table, busy, notice } = state;
  const head = useRef(null);
  const { value, error, again } = useLoaded(() => get(`${where}/results`), [where, told.number]);
  // A later look that fails takes nothing away.
  const last = useRef(null);
  if (value) last.current = value;
  const found = last.current;
  // The expert bot takes its time, and others wait for it too.
  useEffect(() => {
    if (found?.expert_state !== "working" || !(value || error)) return undefined;
    const timer = setInterval(() => document.hidden || again(), LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [value, error]);
  const verdict = table.view.phase === "redealt" ? t("daily.thrown_in") : verdictText(table);
  useEffect(() => {
    if (state.watched) head.current.focus({ preventScroll: true });
    else announce(verdict);
  }, []);
  return html`<section class="panel stack over" aria-labelledby="over-title">
    <h2 id="over-title" tabindex="-1" ref=${head}><${Terms} seats=${table.seats} text=${verdict} /></h2>
    <${Sources} table=${table} />
    ${found ? html`<${Beside} found=${found} told=${told} error=${error} /><${Share} found=${found} told=${told} />` : html`<${Waiting} error=${error} again=${again} />`}
    <${LaidOpen} table=${table} />
    ${found && html`<${Check} found=${found} told=${told} />`}
    ${notice && html`<p class="notice">${notice}</p>`}
    <div class="row">
      <${Link} href="/daily" class="button primary">${t("daily.today")}<//>
      <${Link} href=${`/daily/${told.day}/${told.family}/replay`} class="button">${t("daily.replay")}<//>
      ${found?.again !== false && html`<button type="button" class="button again" disabled=${busy} onClick=${room.again}>${t("daily.again")}</button>`}
    </div>
  </section>`;
}
