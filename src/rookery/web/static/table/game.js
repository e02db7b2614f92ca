// The game: the seats, the trick, what I may do, my hand.
import { announce } from "../core/announce.js";
import { useBots } from "../components/bots.js";
import { t } from "../core/i18n.js";
import { later } from "../components/lazy.js";
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
const AnotherName = later(() => import("./lobby/another_name.js"), "AnotherName");
const ChallengeDialog = later(small, "ChallengeDialog");
const ChatDialog = later(small, "ChatDialog");
const ChatPanel = later(() => import("./chat.js"), "ChatPanel");
const DealDialog = later(() => import("./dialogs/deal_dialog.js"), "DealDialog");
const HandOver = later(() => import("./result/over.js"), "HandOver");
const HelpDialog = later(small, "HelpDialog");
const HintBox = later(() => import("./decide/hint.js"), "HintBox");
const LastTrickDialog = later(small, "LastTrickDialog");
const MatchOver = later(() => import("./result/over.js"), "MatchOver");
const MoreDialog = later(() => import("./dialogs/more.js"), "MoreDialog");
const PeekDialog = later(small, "PeekDialog");
const RulesDialog = later(() => import("./dialogs/rules_dialog.js"), "RulesDialog");
const Sheet = later(() => import("./result/sheet.js"), "Sheet");
const SheetDialog = later(() => import("./result/sheet.js"), "SheetDialog");
const TurnClock = later(() => import("./felt/turn_clock.js"), "TurnClock");
const Vote = later(() => import("./decide/vote.js"), "Vote");

// A card that can only be the one is played after a while that says nothing about the hand.
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
    const noted = (event) => {
      zone.current = event.target.closest("[data-zone]")?.dataset.zone ?? null;
    };
    root.current.addEventListener("focusin", noted);
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
    ${turnText(table)}${table.clock && table.view.to_act !== null ? html`<${TurnClock} table=${table} />` : null}
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
  const named = table.seats.map((seat) => seat.bot).filter(Boolean);
  const found = useBots(named, named.length > 0, table.hand_number);
  useForced(room, table);
  useTitle(table);
  useKeptFocus(root);
  const close = () => open(null);
  const read = () => announce([turnText(table), contractText(table)].filter(Boolean).join(" "));
  useKeys({ room, table, open, read });

  const hinted = state.hint ? state.hint.action.split(" ").slice(1) : [];
  const done = view.phase === "done" || view.phase === "redealt";
  const over = table.phase === "over";
  const dummyIsMine = view.dummy !== null && view.dummy === table.you;
  return html`<div class=${`game ${wide ? "wide" : ""}`} ref=${root}>
    <h1 class="unseen" tabindex="-1">${table.title || t("table.title")}</h1>
    <div class="board">
      <${Tools} table=${table} state=${state} open=${open} wide=${wide} />
      <div class=${`ring ${table.seats.length <= 4 ? "few" : ""} ${done ? "done" : view.phase === "play" ? "" : "before"}`}>
        <${Plates} table=${table} bots=${found ? found.bots : []} />
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
        ${state.told && !table.pending && state.told.hand === table.hand_number && (state.told.ended || table.seq - state.told.seq < 3)
          ? html`<p class="hint">${state.told.text}</p>`
          : null}
        ${state.hint && html`<${HintBox} table=${table} hint=${state.hint} close=${room.forgetHint} />`}
        ${state.notice && html`<p class="notice" key=${state.notice.n}>${state.notice.text}</p>`}
      </div>
      ${view.hand && !done
        ? html`<section class=${`mine ${actsNow(table) && picking.asked?.source !== "dummy" ? "acting" : ""}`} data-zone="hand" aria-labelledby="hand-title">
            <h2 id="hand-title" class="unseen">${t("table.hand")}</h2>
            <${CardRow} cards=${sorted(view.hand, table)} table=${table} picking=${picking} source="hand" hinted=${hinted}
              label=${t("table.hand")} />
          </section>`
        : null}
      ${table.you === null &&
      html`<div class="row watching"><p>${t("table.watching")}</p>
        ${table.seats.some((seat) => seat.kind === "empty" || seat.spare)
          ? html`<button type="button" class="button primary" onClick=${() => room.ask({ type: "sit" })}>${t("lobby.sit_down")}</button>`
          : null}
      </div>
      ${state.nameless && html`<${AnotherName} room=${room} sit=${state.nameless} />`}`}
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
    ${dialog === "nest" && html`<${PeekDialog} table=${table} onClose=${close} />`}
    ${dialog === "challenge" && html`<${ChallengeDialog} table=${table} room=${room} onClose=${close} />`}
    ${dialog === "help" && html`<${HelpDialog} onClose=${close} />`}
    ${dialog === "deal" && html`<${DealDialog} table=${table} room=${room} onClose=${close} />`}
    ${dialog === "more" && html`<${MoreDialog} table=${table} room=${room} open=${open} onClose=${close} />`}
  </div>`;
}
