// How long the one to act has left, where the table has a clock. The server counts; this only shows.
import { announce } from "../../core/announce.js";
import { number, plural } from "../../core/i18n.js";
import { Icon } from "../../components/icons.js";
import { html, useEffect, useRef, useState } from "../../core/ui.js";
import { actsNow } from "../snapshot.js";

const SHORT = 10; // seconds: from here on it is said aloud and coloured
const LONG = 60; // seconds: beyond that it changes every ten seconds, so that nothing moves while somebody thinks

/** The seconds left. */
export function TurnClock({ table }) {
  const { turn_clock: clock, turn_since: since } = table;
  const begun = useRef({ since: null, at: 0 });
  const [ticks, tick] = useState(0);
  if (begun.current.since !== since) {
    // The two clocks may differ by hours; only a turn that had begun before we came is measured by both.
    const late = begun.current.since === null ? Math.min(Math.max(0, Date.now() - since), clock * 1000) : 0;
    begun.current = { since, at: Date.now() - late };
  }
  const rest = Math.max(0, clock * 1000 - (Date.now() - begun.current.at));
  const step = rest > LONG * 1000 ? 10 : 1;
  const next = step * Math.ceil(rest / 1000 / step - 1);
  const left = Math.min(clock, next + step);
  useEffect(() => {
    if (rest === 0) return undefined;
    // Drawn again when the number changes, and not before; soon again where the timer was early.
    const timer = setTimeout(() => tick((n) => n + 1), rest - next * 1000);
    return () => clearTimeout(timer);
  }, [ticks, since]);
  useEffect(() => {
    if (left === SHORT && actsNow(table)) announce(plural("turn.seconds_left", SHORT));
  }, [left]);
  return html`<span class=${`clock ${left <= SHORT ? "short" : ""}`}>
    <span aria-hidden="true"><${Icon} name="clock" /> ${number(left)}</span><span class="unseen">${plural("turn.seconds_left", left)}</span>
  </span>`;
}
