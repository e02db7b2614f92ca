// Parts that nobody needs at first: loaded when they are opened, or once the page has nothing else to do.
import { t } from "../core/i18n.js";
import { Problem, notLoaded } from "./common.js";
import { html, useEffect, useState } from "../core/ui.js";

const SLOW = 500; // milliseconds after which somebody who waits is told so
const LATEST = 4_000; // milliseconds until a busy page fetches them all the same

/** Do something when the page has nothing else to do. */
export function whenIdle(act) {
  const wait = () => (window.requestIdleCallback ? requestIdleCallback(act, { timeout: LATEST }) : setTimeout(act, 300));
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait, { once: true });
}

const parts = [];

/**
 * Return a component that loads itself on demand: the export `name` of the module that `load` imports. With
 * `meanwhile` that is drawn until then, and the module is fetched when the page has nothing else to do.
 */
export function lazy(load, name) {
  let Component = null;
  const loadPart = async () => {
    Component ??= (await load())[name];
  };
  parts.push(loadPart);
  return function Lazy(props) {
    const [, again] = useState(0);
    const [error, setError] = useState(null);
    const [slow, setSlow] = useState(false);
    const drawn = Component !== null;
    const start = () => {
      setError(null);
      loadPart().then(() => again((n) => n + 1), (failed) => setError(notLoaded(failed, error)));
    };
    useEffect(() => {
      // Another place may have loaded it since this was drawn: then it is drawn now.
      if (drawn) return undefined;
      if ("meanwhile" in props) {
        whenIdle(start);
        return undefined;
      }
      // Not in the task that draws whatever else is there.
      const timers = [setTimeout(start), setTimeout(() => setSlow(true), SLOW)];
      return () => timers.forEach(clearTimeout);
    }, []);
    if (drawn) return html`<${Component} ...${props} />`;
    if ("meanwhile" in props) return props.meanwhile;
    if (!error && !slow) return null;
    const shown = error
      ? html`<${Problem} error=${error} retry=${start} />`
      : html`<p class="loading">${t("shell.loading")}</p>`;
    // A dialog says so in a dialog, unless that is what could not be had.
    if (!props.onClose || name === "Dialog") return shown;
    return html`<${Dialog} title=${t(error ? "shell.trouble" : "shell.loading")} onClose=${props.onClose}>${shown}<//>`;
  };
}

/** Return a lazy component that is fetched only where it is drawn, never beforehand: most who come to the page do without it. */
export function seldom(load, name) {
  const Part = lazy(load, name);
  parts.pop();
  return Part;
}

/** Load all lazy parts, so that a connection that breaks later does not matter. */
export async function loadLazyParts() {
  for (const loadPart of parts.splice(0)) await loadPart().catch(() => {});
}

const Dialog = lazy(() => import("./dialog.js"), "Dialog");
const Marked = lazy(() => import("./terms.js"), "Terms");

/** A sentence in which the words of the game say what they mean (terms.js), once that is loaded. */
export const Terms = (props) => html`<${Marked} ...${props} meanwhile=${props.text} />`;
