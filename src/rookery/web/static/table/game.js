// The game: the seats, the trick, what I may do, my hand.
import { announce } from "../core/announce.js";
import { useBots } from "../components/bots.js";
import { t } from "../core/i18n.js";
import { lazy } from "../components/lazy.js";
import { settings } from "../core/settings.js";
import { html, useEffect, useLayoutEffect, useMedia, useRef, useState, useStore } from "../core/ui.js";
import { Bar, Tools } from "./bar.js";
import { Decision } from "./decide/decide.js";
import { Felt } from "./felt/felt.js";
import { CardRow } from "./felt/hand.js";
import { useKeys } from "./keys.js";
import { usePicking } from "./decide/picking.js";
import { Plates } from "./felt/plates.js";
import { actsNow, nameOf, sorted } from "./snapshot.js";
import { contractText, turnText } from "./words.js";

const small = () => import("./dialogs/small_dialogs.js");
const AnotherName = lazy(() => import("./lobby/another_name.js"), "AnotherName");
const ChallengeDialog = lazy(small, "ChallengeDialog");
const ChatDialog = lazy(small, "ChatDialog");
const ChatPanel = lazy(() => import("./chat.js"), "ChatPanel");
const DealDialog = lazy(() => import("./dialogs/deal_dialog.js"), "DealDialog");
const HandOver = lazy(() => import("./result/over.js"), "HandOver");
const HelpDialog = lazy(small, "HelpDialog");
const HintBox = lazy(() => import("./decide/hint.js"), "HintBox");
const LastTrickDialog = lazy(small, "LastTrickDialog");
const MatchOver = lazy(() => import("./result/over.js"), "MatchOver");
const MoreDialog = lazy(() => import("./dialogs/more.js"), "MoreDialog");
const OwnCardsDialog = lazy(small, "OwnCardsDialog");
const RulesDialog = lazy(() => import("./dialogs/rules_dialog.js"), "RulesDialog");
const Sheet = lazy(() => import("./result/sheet.js"), "Sheet");
const SheetDialog = lazy(() => import("./result/sheet.js"), "SheetDialog");
const TurnClock = lazy(() => import("./felt/turn_clock.js"), "TurnClock");
const Vote = lazy(() => import("./decide/vote.js"), "Vote");

// A forced card is played after a random time, so that its speed says nothing about the hand.
const FORCED_AFTER = [900, 2200];

function useForced(room, table) {
  const { forced } = useStore(settings);
  const legal = table.view.legal;
  const only = forced && actsNow(table) && Array.isArray(legal) && legal.length === 1 && legal[0].startsWith("play ");
  const action = only ? legal[0] : null;
  useEffect(() => {
    if (!action) return undefined;
    const [least, most] = FORCED_AFTER;
    const timer = setTimeout(() => room.act(action), least + Math.random() * (most - least));
    return () => clearTimeout(timer);
  }, [action, table.seq]);
}

function useTitle(table) {
  useEffect(() => {
    const name = table.title || t("table.title");
    document.title = actsNow(table) ? `● ${t("table.title_turn")} · ${name}` : `${name} · Rookery`;
  });
}

// The focus must not fall to the page's beginning when the thing that had it is gone.
function useKeptFocus(root) {
  const zone = useRef(null);
  useEffect(() => {
    const remember = (event) => {
      zone.current = event.target.closest("[data-zone]")?.dataset.zone ?? null;
    };
    root.current.addEventListener("focusin", remember);
  }, []);
  useLayoutEffect(() => {
    if (!zone.current || document.activeElement !== document.body) return;
    const next =
      root.current.querySelector(`[data-zone="${zone.current}"] [tabindex="0"], [data-zone="${zone.current}"] button:not([disabled])`) ||
      root.current.querySelector('[data-zone="hand"] [tabindex="0"]');
    if (next) next.focus();
  });
}

function Status({ table }) {
  return html`<p class=${`status ${actsNow(table) ? "my-turn" : ""}`}>
    ${turnText(table)}${table.turn_clock && table.view.to_act !== null ? html`<${TurnClock} table=${table} />` : null}
  </p>`;
}

/** The game at a table. */
export function Game({ room, state }) {
  const { table } = state;
  const { view } = table;
  const [dialog, open] = useState(null);
  const wide = useMedia("(min-width: 68rem)");
  const root = useRef(null);
  const picking = usePicking(room, table);
  const botNames = table.seats.map((seat) => seat.bot).filter(Boolean);
  const botList = useBots(botNames, botNames.length > 0, table.hand_number);
  useForced(room, table);
  useTitle(table);
  useKeptFocus(root);
  const close = () => open(null);
  const readAloud = () => announce([turnText(table), contractText(table)].filter(Boolean).join(" "));
  useKeys({ room, table, open, read: readAloud });

  const hinted = state.hint ? state.hint.action.split(" ").slice(1) : [];
  const done = view.phase === "done" || view.phase === "redealt";
  const over = table.phase === "over";
  const dummyIsMine = view.dummy !== null && view.dummy === table.you;
  return html`<div class=${`game ${wide ? "wide" : ""}`} ref=${root}>
    <h1 class="unseen" tabindex="-1">${table.title || t("table.title")}</h1>
    <div class="board">
      <${Tools} table=${table} state=${state} open=${open} wide=${wide} />
      <div class=${`ring ${table.seats.length <= 4 ? "few" : ""} ${done ? "done" : view.phase === "play" ? "" : "before"}`}>
        <${Plates} table=${table} bots=${botList ? botList.bots : []} />
        <${Felt} table=${table} />
      </div>
      ${view.dummy_hand && !dummyIsMine && view.dummy_hand.length
        ? html`<section class="dummy" aria-labelledby="dummy-title">
            <h2 id="dummy-title">${t("table.dummy", { name: nameOf(table, view.dummy) })}</h2>
            <${CardRow} cards=${sorted(view.dummy_hand, table)} table=${table} picking=${picking} source="dummy" hinted=${hinted}
              label=${t("table.dummy", { name: nameOf(table, view.dummy) })} />
          </section>`
        : null}
      <${Status} table=${table} />
      ${table.pending && html`<${Vote} table=${table} room=${room} />`}
      <div class="decide" data-zone="decide">
        ${over
          ? html`<${MatchOver} table=${table} room=${room} state=${state} wide=${wide} open=${open} />`
          : done
            ? html`<${HandOver} table=${table} room=${room} state=${state} open=${open} />`
            : html`<${Decision} table=${table} room=${room} picking=${picking} busy=${state.busy} />`}
        ${state.outcome && !table.pending && state.outcome.hand === table.hand_number && (state.outcome.ended || table.seq - state.outcome.seq < 3)
          ? html`<p class="hint">${state.outcome.text}</p>`
          : null}
        ${state.hint && html`<${HintBox} table=${table} hint=${state.hint} close=${room.forgetHint} />`}
        ${state.notice && html`<p class="notice" key=${state.notice.n}>${state.notice.text}</p>`}
        ${table.restored && html`<p class="notice" key="restored">${t("table.restored")}</p>`}
        ${table.proof && table.proof.number === state.without && html`<p class="notice" key="without">${t("deal.mine_out")}</p>`}
      </div>
      ${view.hand && !done
        ? html`<section class=${`mine ${actsNow(table) && picking.request?.source !== "dummy" ? "acting" : ""}`} data-zone="hand" aria-labelledby="hand-title">
            <h2 id="hand-title" class="unseen">${t("table.hand")}</h2>
            <${CardRow} cards=${sorted(view.hand, table)} table=${table} picking=${picking} source="hand" hinted=${hinted}
              label=${t("table.hand")} />
          </section>`
        : null}
      ${table.you === null &&
      html`<div class="row watching"><p role="status">${t(state.waits ? "table.sits_later" : "table.watching")}</p>
        ${table.seats.some((seat) => seat.kind === "empty" || seat.spare)
          ? html`<button type="button" class="button primary" aria-disabled=${state.waits}
              onClick=${() => state.waits || room.ask({ type: "sit", wait: true })}>${t("lobby.sit_down")}</button>`
          : null}
      </div>
      ${state.nameTaken && state.nameTaken.type === "sit" && html`<${AnotherName} room=${room} wanted=${state.nameTaken} />`}`}
      <${Bar} table=${table} room=${room} open=${open} />
    </div>
    ${wide &&
    html`<aside class="side">
      <section class="panel stack" aria-labelledby="side-sheet"><h2 id="side-sheet">${t("sheet.title")}</h2><${Sheet} table=${table} /></section>
      <section class="panel stack" aria-labelledby="side-chat"><h2 id="side-chat">${t("chat.title")}</h2><${ChatPanel} room=${room} state=${state} /></section>
    </aside>`}
    ${dialog === "rules" && html`<${RulesDialog} rules=${table.rules} onClose=${close} />`}
    ${dialog === "sheet" && html`<${SheetDialog} table=${table} onClose=${close} />`}
    ${dialog === "chat" && html`<${ChatDialog} room=${room} state=${state} onClose=${close} />`}
    ${dialog === "trick" && view.tricks.length > 0 && html`<${LastTrickDialog} table=${table} onClose=${close} />`}
    ${dialog === "nest" && html`<${OwnCardsDialog} table=${table} onClose=${close} />`}
    ${dialog === "challenge" && html`<${ChallengeDialog} table=${table} room=${room} onClose=${close} />`}
    ${dialog === "help" && html`<${HelpDialog} onClose=${close} />`}
    ${dialog === "deal" && html`<${DealDialog} table=${table} room=${room} onClose=${close} />`}
    ${dialog === "more" && html`<${MoreDialog} table=${table} room=${room} open=${open} onClose=${close} />`}
  </div>`;
}
