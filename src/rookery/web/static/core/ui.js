// What every component imports: Preact bound to htm, and the two hooks that are ours.
import { h, render, Fragment } from "../vendor/preact.js";
import { useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } from "../vendor/hooks.js";
import htm from "../vendor/htm.js";

export const html = htm.bind(h);
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
