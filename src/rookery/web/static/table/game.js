// The game: the board, what only a table has beside it, and the dialogs.
import { useBots } from "../components/bots.js";
import { t } from "../core/i18n.js";
import { lazy } from "../components/lazy.js";
import { settings } from "../core/settings.js";
import { html, useEffect, useMedia, useStore } from "../core/ui.js";
import { Bar, Tools } from "./bar.js";
import { Board, usePlay, Same } from "./felt/board.js";
import { actsNow, isDone } from "./snapshot.js";

const small = () => import("./dialogs/small_dialogs.js");
const Absent = lazy(() => import("./decide/absent.js"), "Absent");
const ChallengeDialog = lazy(small, "ChallengeDialog");
const ChatDialog = lazy(small, "ChatDialog");
const ChatPanel = lazy(() => import("./chat.js"), "ChatPanel");
const DealDialog = lazy(() => import("./dialogs/deal_dialog.js"), "DealDialog");
const FirstBid = lazy(() => import("./decide/first_bid.js"), "FirstBid");
const GoOn = lazy(() => import("./decide/first_bid.js"), "GoOn");
const HandOver = lazy(() => import("./result/over.js"), "HandOver");
const HintBox = lazy(() => import("./decide/hint.js"), "HintBox");
const MatchOver = lazy(() => import("./result/over.js"), "MatchOver");
const MoreDialog = lazy(() => import("./dialogs/more.js"), "MoreDialog");
const ResultDialog = lazy(() => import("./result/over.js"), "ResultDialog");
const Sheet = lazy(() => import("./result/sheet.js"), "Sheet");
const SheetDialog = lazy(() => import("./result/sheet.js"), "SheetDialog");
const Vote = lazy(() => import("./decide/vote.js"), "Vote");
const Watching = lazy(() => import("./lobby/watching.js"), "Watching");

// A table of an evening without a name has none either, and is known by its number.
const titleOf = (table) => table.title || (table.evening ? t("table.at_evening", { n: table.evening.table }) : t("table.title"));

function useTitle(table) {
  useEffect(() => {
    const name = titleOf(table);
    const title = actsNow(table) ? `● ${t("table.title_turn")} · ${name}` : `${name} · Rookery`;
    if (document.title !== title) document.title = title;
  });
  // Where no game is shown any more, as once the line is closed for good, it is nobody's turn.
  useEffect(() => () => {
    document.title = `${t("table.title")} · Rookery`;
  }, []);
}

const READ = 4000; // ms in which a line is read, however fast bots go on meanwhile

/** Return whether what was said of a hand still stands: it has ended the hand, or is new. */
function isFresh(outcome, table) {
  if (Date.now() - outcome.at < READ) return true;
  return outcome.hand === table.hand_number && (outcome.ended || table.seq - outcome.seq < 3);
}

/** The game at a table. */
export function Game({ room, state }) {
  const { table } = state;
  const { view } = table;
  const wide = useMedia("(min-width: 68rem)");
  const { picking, dialog, open, close, dialogs } = usePlay(room, table);
  const botNames = table.seats.map((seat) => seat.bot).filter(Boolean);
  const botList = useBots(botNames, botNames.length > 0, table.hand_number);
  useTitle(table);

  const { newcomer } = useStore(settings);
  const hinted = state.hint ? state.hint.action.split(" ").slice(1) : [];
  const done = isDone(table);
  const over = table.phase === "over";
  const reads = wide || dialog === "chat"; // the talk stands beside the table, or is open
  const tools = () => html`<${Tools} table=${table} chat=${state.chat} reads=${reads} open=${open} wide=${wide} />`;
  const notes = html`
    ${state.outcome && !table.pending && isFresh(state.outcome, table) && html`<p class="hint">${state.outcome.text}</p>`}
    ${table.absent && !done && !over && html`<${Absent} table=${table} room=${room} meanwhile=${null} />`}
    ${newcomer !== false && view.phase === "auction" && actsNow(table) && !state.hint && html`<${FirstBid} table=${table} room=${room} />`}
    ${table.halted && html`<${GoOn} table=${table} room=${room} />`}
    ${state.hint && html`<${HintBox} table=${table} hint=${state.hint} room=${room} />`}
    ${state.notice && html`<p class="notice" key=${state.notice.n}>${state.notice.text}</p>`}
    ${table.pending && html`<${Vote} table=${table} room=${room} />`}
  `;
  const result = over
    ? html`<${MatchOver} table=${table} room=${room} state=${state} wide=${wide} open=${open} />`
    : done
      ? html`<${HandOver} table=${table} room=${room} state=${state} open=${open} />`
      : undefined;
  const also = html`
    ${table.restored && html`<p class="notice" key="restored">${t("table.restored")}</p>`}
    ${table.proof && table.proof.number === state.without && html`<p class="notice" key="without">${t("deal.mine_out")}</p>`}
  `;
  const watching = table.you === null && html`<${Watching} table=${table} room=${room} state=${state} />`;
  // What a person has not read in time waits behind a button until there is a last trick to look at.
  const { ended } = state;
  const before = !done && !over && !view.tricks.length && ended?.match_number === table.match_number;
  const foot = () => html`${watching}<${Bar} table=${table} room=${room} open=${open} before=${before} />`;
  return html`<div class=${`game ${wide ? "wide" : ""}`}>
    <h1 class="unseen" tabindex="-1">${titleOf(table)}</h1>
    <${Board} table=${table} room=${room} picking=${picking} busy=${state.busy} bots=${botList?.bots} chat=${state.chat}
      head=${html`<${Same} by=${[table, state.chat, reads, wide]} draw=${tools} />`} notes=${notes} asked=${result} also=${also}
      foot=${html`<${Same} by=${[table, table.you === null && state]} draw=${foot} />`} hinted=${hinted} />
    ${wide &&
    html`<aside class="side">
      <section class="panel stack" aria-labelledby="side-sheet"><h2 id="side-sheet">${t("sheet.title")}</h2><${Sheet} table=${table} aside=${true} /></section>
      <section class="panel stack" aria-labelledby="side-chat"><h2 id="side-chat">${t("chat.title")}</h2><${ChatPanel} room=${room} state=${state} /></section>
    </aside>`}
    ${dialogs}
    ${dialog === "result" && ended && html`<${ResultDialog} table=${ended} onClose=${close} />`}
    ${dialog === "sheet" && html`<${SheetDialog} table=${table} onClose=${close} />`}
    ${dialog === "chat" && html`<${ChatDialog} room=${room} state=${state} onClose=${close} />`}
    ${dialog === "challenge" && html`<${ChallengeDialog} table=${table} room=${room} onClose=${close} />`}
    ${dialog === "deal" && html`<${DealDialog} table=${table} room=${room} onClose=${close} />`}
    ${dialog === "more" && html`<${MoreDialog} table=${table} room=${room} open=${open} onClose=${close} />`}
  </div>`;
}
