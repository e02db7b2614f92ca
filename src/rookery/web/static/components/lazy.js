// Parts that nobody needs at first: fetched when they are opened, or once the page has nothing else to do.
import { Dialog } from "./dialog.js";
import { t } from "../core/i18n.js";
import { Problem } from "./common.js";
import { html, useEffect, useState } from "../core/ui.js";

const SLOW = 500; // milliseconds after which somebody who waits is told so
const LATEST = 4_000; // milliseconds until a busy page fetches them all the same

/** Do something when the page has nothing else to do. */
export function whenIdle(act) {
  const wait = () => (window.requestIdleCallback ? requestIdleCallback(act, { timeout: LATEST }) : setTimeout(act, 300));
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait, { once: true });
}

const rest = [];

/** Return a component that stands for the export `name` of the module that `load` imports. */
export function later(load, name) {
  let Found = null;
  const fetched = async () => {
    Found ??= (await load())[name];
  };
  rest.push(fetched);
  return function Later(props) {
    const [, again] = useState(0);
    const [error, setError] = useState(null);
    const [slow, setSlow] = useState(false);
    const drawn = Found !== null;
    const ask = () => {
      setError(null);
      fetched().then(() => again((n) => n + 1), () => setError({ code: "no-load" }));
    };
    useEffect(() => {
      // It may have come since this was drawn, fetched for somebody else: then it is drawn now.
      if (drawn) return undefined;
      ask();
      const timer = setTimeout(() => setSlow(true), SLOW);
      return () => clearTimeout(timer);
    }, []);
    if (drawn) return html`<${Found} ...${props} />`;
    if (!error && !slow) return null;
    const shown = error
      ? html`<${Problem} error=${error} retry=${ask} />`
      : html`<p class="loading">${t("shell.loading")}</p>`;
    if (!props.onClose) return shown;
    return html`<${Dialog} title=${t(error ? "shell.trouble" : "shell.loading")} onClose=${props.onClose}>${shown}<//>`;
  };
}

/** Fetch all that was put off, so that a line that breaks later does not matter. */
export async function fetchRest() {
  for (const fetched of rest.splice(0)) await fetched().catch(() => {});
}
