// A screen that stays on while somebody looks at it and touches nothing, and what a page says that may not ask for that.
import { t } from "../core/i18n.js";
import { html, useEffect } from "../core/ui.js";

/** Keep the screen on while it is `wanted`, where the browser lets a page ask for that. */
export function useAwake(wanted) {
  useEffect(() => {
    if (!wanted || !navigator.wakeLock) return undefined;
    let lock = null;
    let over = false;
    const ask = async () => {
      if (document.hidden) return;
      lock = await navigator.wakeLock.request("screen").catch(() => null);
      if (over) lock?.release();
    };
    ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", ask);
      lock?.release();
    };
  }, [wanted]);
}

/** What https would add, on a page that came without it; its words are those of all pages beside the table. */
export function PlainHttp() {
  return isSecureContext ? null : html`<p class="mark plain-http">${t("awake.plain_http")}</p>`;
}
