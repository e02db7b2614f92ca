// What every component imports: Preact bound to htm, and the two hooks that are ours.
import { h, render, Fragment } from "../vendor/preact.js";
import { useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } from "../vendor/hooks.js";
import htm from "../vendor/htm.js";

// What never changes is made anew each time: kept by htm, it would keep the page it was first drawn in, and all later ones.
export const html = htm.bind(function make(...all) {
  this[0] = 3;
  return h(...all);
});
export { h, render, Fragment, useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState };

/** Return the value of a store (see store.js), and draw the component again when it changes. */
export function useStore(store) {
  const [value, set] = useState(store.get());
  useEffect(() => {
    set(store.get());
    return store.subscribe(set);
  }, [store]);
  return value;
}

/** Do something with the next picture, when the page is laid out anyway; return how to leave it. */
export function beforeFrame(act) {
  const frame = requestAnimationFrame(act);
  return () => cancelAnimationFrame(frame);
}

/** Do something after the next picture, in a task of its own; return how to leave it. */
export function afterFrame(act) {
  let timer = null;
  const leave = beforeFrame(() => {
    timer = setTimeout(act);
  });
  return () => {
    leave();
    clearTimeout(timer);
  };
}

/** Return whether a media query holds now. */
export function useMedia(query) {
  const list = useMemo(() => matchMedia(query), [query]);
  const [holds, set] = useState(list.matches);
  useEffect(() => {
    const changed = () => set(list.matches);
    list.addEventListener("change", changed);
    changed();
    return () => list.removeEventListener("change", changed);
  }, [list]);
  return holds;
}

/**
 * Return a component that draws its properties by `draw`, and again only where one of `by(properties)` has changed. What is drawn
 * is not kept for that: Preact ties it to all that stood round it when it was new, so that no card of a match would ever be freed.
 */
export const steady = (draw, by = Object.values) =>
  function Steady(props) {
    const drawn = by(props);
    this.shouldComponentUpdate = (next) => by(next).some((one, i) => one !== drawn[i]);
    return draw(props);
  };

/**
 * What is in it, drawn after the next picture where `of` has changed, else at once; where `of` is null always at once. So what
 * changes in many places is drawn in several tasks, none of which takes long. At first there is `meanwhile`, if that is
 * given. `drawn(due)` is called whenever it has been drawn: `due` says whether what is shown is the newest.
 */
export function Later({ of, children, meanwhile = children, drawn }) {
  const shown = useRef({ of: meanwhile === children ? of : {}, children: meanwhile });
  const [, draw] = useState(0);
  const due = of === null || shown.current.of === of;
  if (due) shown.current = { of, children };
  useLayoutEffect(() => drawn?.(due));
  const newest = useRef(null);
  newest.current = { of, children };
  // However often something changes meanwhile: it is drawn with the first picture, as it stands then.
  useLayoutEffect(() => {
    if (due) return undefined;
    return afterFrame(() => {
      shown.current = newest.current;
      draw((n) => n + 1);
    });
  }, [due]);
  return shown.current.children;
}

/**
 * Parts from above to below, each at first drawn with a picture of its own, so that none moves another; later all change at
 * once. `drawn` is called when all have been shown.
 */
export function InTurn({ parts, drawn }) {
  const [shown, show] = useState(1);
  const whole = shown >= parts.length;
  useLayoutEffect(() => afterFrame(() => (whole ? drawn?.() : show(shown + 1))), [shown, whole]);
  return parts.slice(0, shown);
}
