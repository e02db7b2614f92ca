// How long something still takes. The server counts; this only shows.
import { useEffect, useRef, useState } from "../core/ui.js";

/**
 * Return the seconds left of `seconds` that began at `since` by the server's clock, at `seen` by ours where we saw it
 * begin; draws itself again as they pass. Beyond `tens` seconds it counts by tens.
 */
export function useCountdown(since, seconds, seen = null, tens = Infinity) {
  const begun = useRef({ since: null, at: 0 });
  const [ticks, tick] = useState(0);
  if (begun.current.since !== since) {
    // The two clocks may differ by hours; only what had begun before we came, or came back, is measured by both: they differ by what
    // they differed the last time.
    const apart = begun.current.since === null ? 0 : begun.current.at - begun.current.since;
    const late = Math.min(Math.max(0, Date.now() - since - apart), seconds * 1000);
    begun.current = { since, at: seen ?? Date.now() - late };
  }
  const rest = Math.max(0, seconds * 1000 - (Date.now() - begun.current.at));
  const step = rest > tens * 1000 ? 10 : 1;
  const next = step * Math.ceil(rest / 1000 / step - 1);
  useEffect(() => {
    if (rest === 0) return undefined;
    // Drawn again when the number changes, and not before; soon again where the timer was early.
    const timer = setTimeout(() => tick((n) => n + 1), rest - next * 1000);
    return () => clearTimeout(timer);
  }, [ticks, since, seconds]);
  return Math.min(seconds, next + step);
}
