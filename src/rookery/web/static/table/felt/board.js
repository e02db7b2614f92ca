// The board: the places round the felt, a dummy's hand, what is said and asked, my hand. A table, a daily deal and a lesson
// draw it, and say only what differs there.
import { announce } from "../../core/announce.js";
import { lazy } from "../../components/lazy.js";
import { needStyle } from "../../components/loading.js";
import { language, late, t } from "../../core/i18n.js";
import { html, Later, steady, useLayoutEffect, useRef, useState } from "../../core/ui.js";
import { Decision } from "../decide/decide.js";
import { useForced, usePicking } from "../decide/picking.js";
import { useKeptFocus, useKeys } from "../keys.js";
import { actsNow, boardClass, isDone, nameOf, opensDummy, seenCards, seesDummy, sorted } from "../snapshot.js";
import { contractText, turnText } from "../words.js";
import { Felt } from "./felt.js";
import { CardRow } from "./hand.js";
import { Plates } from "./plates.js";

await Promise.all([needStyle("table"), needStyle("table_small")]);

const small = () => import("../dialogs/small_dialogs.js");
const HelpDialog = lazy(small, "HelpDialog");
const LastTrickDialog = lazy(small, "LastTrickDialog");
const Motion = lazy(() => import("./motion.js"), "Motion");
const OwnCardsDialog = lazy(small, "OwnCardsDialog");
const PaceDialog = lazy(small, "PaceDialog");
const RulesDialog = lazy(() => import("../dialogs/rules_dialog.js"), "RulesDialog");
const TurnClock = lazy(() => import("./turn_clock.js"), "TurnClock");

/**
 * Play at a board by finger and by key, of whose letters (keys.js) `only` these do something. Return
 * {picking, dialog, open(name), close(), dialogs}: the choice of cards, the dialog that is open, and those that every board has.
 */
export function usePlay(room, table, only) {
  const [dialog, open] = useState(null);
  const { tricks, may_challenge: accused } = table.view;
  // What a hand has shown goes with it, or is taken back: its dialog must not come again by itself with the next trick.
  const isGone = (dialog === "trick" && !tricks.length) || (dialog === "nest" && !seenCards(table)) || (dialog === "challenge" && !accused.length);
  useLayoutEffect(() => {
    if (isGone) open(null);
  }, [isGone]);
  const picking = usePicking(room, table);
  useForced(room, table);
  const read = () => announce([turnText(table), contractText(table)].filter(Boolean).join(" "));
  useKeys({ room, table, open, read, only });
  const close = () => open(null);
  const dialogs = html`
    ${dialog === "rules" && html`<${RulesDialog} rules=${table.rules} onClose=${close} />`}
    ${dialog === "pace" && html`<${PaceDialog} table=${table} room=${room} onClose=${close} />`}
    ${dialog === "trick" && table.view.tricks.length > 0 && html`<${LastTrickDialog} table=${table} onClose=${close} />`}
    ${dialog === "nest" && html`<${OwnCardsDialog} table=${table} onClose=${close} />`}
    ${dialog === "help" && html`<${HelpDialog} only=${only} onClose=${close} />`}
  `;
  return { picking, dialog, open, close, dialogs };
}

function Status({ table }) {
  return html`<p class=${`status ${actsNow(table) ? "my-turn" : ""}`}>
    ${turnText(table)}${table.turn_clock && table.view.to_act !== null ? html`<${TurnClock} table=${table} />` : null}
  </p>`;
}

/** What `draw` draws, anew where one of `by` has changed or words have come: a chosen card leaves it as it is. */
export const Same = steady(({ draw }) => draw(), ({ by }) => [...by, language.get(), late.get()]);

/**
 * The board. From above: `head`; the ring, with `bots` and `chat` for its plates and a felt that is drawn anew where its key, `felt`,
 * changes; `notes` on the felt's edge; `said`, else whose turn it is; `asked`, else the decision that is due, and `also`; the hand,
 * which is framed where it `acts`; `foot`. Where `at` has changed, head, foot and what is below the ring follow it; null: these come at once.
 */
export function Board({
  table, room, picking, busy, class: more = "", head, bots = [], chat, felt, notes, said, asked, also, foot, hinted, acts = actsNow(table),
  at = table.seq,
}) {
  const { view } = table;
  const root = useRef(null);
  const keep = useKeptFocus(root);
  const done = isDone(table);
  // What is below the ring is drawn a picture after it. A new layout of the board, and of the ring after a hand, waits for that.
  const whole = boardClass(table);
  const around = done ? "done" : view.phase === "play" ? "" : "before";
  const [look, setLook] = useState({ whole, around });
  const follow = (due) => {
    keep();
    if (due) setLook((now) => (now.whole === whole && now.around === around ? now : { whole, around }));
  };
  const first = (part) => (at === null ? null : part);
  const row = (cards, source, label) =>
    html`<${CardRow} cards=${sorted(cards, table)} table=${table} picking=${picking} source=${source} hinted=${hinted} label=${label} />`;
  const tools = at !== null && html`<div class="tools"></div>`;
  const dummy = seesDummy(table) ? t("table.dummy", { name: nameOf(table, view.dummy) }) : "";
  const plates = html`<${Same} by=${[table, bots, chat]} draw=${() => html`<${Plates} table=${table} bots=${bots} chat=${chat} />`} />`;
  const cloth = html`<${Same} by=${[table, felt]} draw=${() => html`<${Felt} key=${felt} table=${table} />`} />`;
  const decision = asked === undefined ? html`<${Decision} table=${table} room=${room} picking=${picking} busy=${busy} />` : asked;
  return html`<div class=${`${more} ${look.whole}`} ref=${root}>
    <${Later} of=${first("top")} meanwhile=${tools}>
      <${Later} of=${first("head")} meanwhile=${tools}><${Later} of=${at} drawn=${keep} meanwhile=${tools}>${head}<//><//>
    <//>
    <div class=${`ring ${table.seats.length <= 4 ? "few" : ""} ${done ? look.around : around}`}>
      <${Later} of="ring" meanwhile=${null}>
        <${Later} of="plates" drawn=${keep} meanwhile=${null}>
          ${plates}
          <${Later} of="felt" drawn=${keep} meanwhile=${null}>${cloth}<//>
        <//>
      <//>
      <${Motion} table=${table} root=${root} meanwhile=${null} />
    </div>
    <${Later} of=${first("below")} drawn=${keep} meanwhile=${null}>
      <${Later} of=${at} drawn=${follow}>
        ${opensDummy(table)
          ? html`<section class=${`dummy ${dummy ? "" : "closed"}`}>
              <h2>${dummy}</h2>
              ${row(dummy ? view.dummy_hand : [], "dummy", dummy)}
            </section>`
          : null}
        ${notes && html`<div class="notes" data-zone="notes"><div class="notes-in">${notes}</div></div>`}
        ${said === undefined ? html`<${Status} table=${table} />` : said}
        <div class="decide" data-zone="decide">
          <${Later} of=${first("decide")} drawn=${keep} meanwhile=${null}>
            <${Later} of=${first(done ? "result" : "asked")} drawn=${keep} meanwhile=${null}>${decision}<//>
          <//>
          ${also}
        </div>
        ${view.hand && !done
          ? html`<section class=${`mine ${acts && picking.request?.source !== "dummy" ? "acting" : ""}`} data-zone="hand">
              <h2 class="unseen">${t("table.hand")}</h2>
              ${row(view.hand, "hand", t("table.hand"))}
            </section>`
          : null}
      <//>
    <//>
    <${Later} of=${at} drawn=${keep} meanwhile=${at !== null && html`<div class="bar"></div>`}>${foot}<//>
  </div>`;
}
