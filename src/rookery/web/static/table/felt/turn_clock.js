// How long the one to act has left, where the table has a clock.
import { announce } from "../../core/announce.js";
import { number, plural } from "../../core/i18n.js";
import { Icon } from "../../components/icons.js";
import { html, useEffect } from "../../core/ui.js";
import { useCountdown } from "../countdown.js";
import { actsNow } from "../snapshot.js";

const LONG = 30; // seconds: beyond that it changes every ten seconds, so that nothing moves while somebody thinks
const SHORT = 10; // seconds: from here on it is said aloud and coloured

/** The seconds left. */
export function TurnClock({ table }) {
  const left = useCountdown(table.turn_since, table.turn_clock, table.turn_seen, LONG);
  useEffect(() => {
    if (left === SHORT && actsNow(table)) announce(plural("turn.seconds_left", SHORT));
  }, [left]);
  return html`<span class=${`clock ${left <= SHORT ? "short" : ""}`}>
    <span aria-hidden="true"><${Icon} name="clock" /> ${number(left)}</span><span class="unseen">${plural("turn.seconds_left", left)}</span>
  </span>`;
}
