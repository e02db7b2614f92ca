// The time that is left of a round.
import { t } from "../../../core/i18n.js";
import { html, useEffect, useState } from "../../../core/ui.js";

const two = (n) => String(n).padStart(2, "0");

/** Return so many seconds as a clock shows them: "4:05", "1:00:00". */
export function clockFace(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The time left until `ends`, by a server whose clock is `ahead` of this one; then it says that time is `up`. */
export function Countdown({ ends, ahead, up = t("hall.time") }) {
  const [, draw] = useState(0);
  const left = ends - ahead - Date.now();
  useEffect(() => {
    if (left <= 0) return undefined;
    // Drawn anew as each second is over; a clock that was set meanwhile is read again.
    const timer = setTimeout(() => draw((n) => n + 1), left % 1000 || 1000);
    return () => clearTimeout(timer);
  });
  const seconds = Math.max(0, Math.ceil(left / 1000));
  return html`<p class=${`hall-clock ${seconds < 3600 ? "" : "hours"}`} role="timer">
    ${seconds ? html`<span class="unseen">${t("hall.left")} </span>${clockFace(seconds)}` : up}
  </p>`;
}
