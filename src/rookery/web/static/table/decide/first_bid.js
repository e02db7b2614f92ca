// A first game stops twice to explain: before the first bid, and when the auction is over.
import { IconButton } from "../../components/common.js";
import { Terms } from "../../components/lazy.js";
import { needWords, plural, t } from "../../core/i18n.js";
import { change, settings } from "../../core/settings.js";
import { html, useEffect } from "../../core/ui.js";
import { nameOf, sideOf } from "../snapshot.js";
import { bidName } from "../words.js";

await needWords("reasons");

const asked = new Set(); // the tables whose bots are to wait after the auction
const said = {}; // the code of a table, and the hand in which it was said there

/**
 * What a bid is, in one hand, or until it is put away. Whoever has begun a first game and is alone has the bots wait
 * for them after the auction.
 */
export function FirstBid({ table, room }) {
  const hand = (said[table.code] ??= table.hand_number);
  const isLater = hand !== table.hand_number;
  useEffect(() => {
    if (isLater) change({ newcomer: false });
    if (isLater || !settings.get().newcomer) return;
    const alone = table.seats.filter((seat) => seat.kind === "person").length === 1;
    if (!alone || asked.has(table.code)) return;
    asked.add(table.code);
    room.ask({ type: "halt" });
  }, [isLater]);
  if (isLater) return null;
  return html`<div class="hint">
    <div class="hint-head">
      <p role="status"><${Terms} text=${t(table.rules.options.nest_size ? "first.bid" : "first.bid_no_nest")} /></p>
      <${IconButton} icon="close" label=${t("shell.close")} onClick=${() => change({ newcomer: false })} />
    </div>
  </div>`;
}

/** Return who won the auction, and what that means for me: "Your side tries to keep them from 85 points." */
function wonTexts(table) {
  const { view, you } = table;
  const values = { name: nameOf(table, view.declarer), bid: bidName(view.bid) };
  const side = view.declarer === you ? "mine" : { declarer: "ours", defender: "theirs" }[sideOf(table, you)] ?? "open";
  const nest = view.nest_size < table.rules.options.nest_size ? "nest" : "bid";
  const won = t(`first.won.${nest}.${view.declarer === you ? "mine" : "other"}`, values);
  if (typeof view.bid !== "number") return [won, ""];
  return [won, t(`first.then.${side}`, { points: plural("amount.points", view.bid) })];
}

/** What the auction came to, while the bots wait. */
export function GoOn({ table, room }) {
  const goOn = () => {
    change({ newcomer: false });
    room.ask({ type: "halt", on: false });
  };
  const [won, then] = wonTexts(table);
  const seen = new Set();
  // Who won has been said already.
  return html`<div class="hint">
    <div class="hint-head">
      <p><${Terms} text=${won} seats=${table.seats} seen=${seen} /> <span role="status"><${Terms} text=${then} seats=${table.seats} seen=${seen} /></span></p>
      <button type="button" class="button primary chip" onClick=${goOn}>${t("first.go_on")}</button>
    </div>
  </div>`;
}
