// A button for what can't be taken back: it asks once more.
import { html, useEffect, useRef, useState } from "../core/ui.js";

let made = 0;

/**
 * The button; `sure` are the words of the second one, `why` what speaks against it, `back` the words of the way out, and `act` is
 * called by the second; `kind` is the look of the first.
 */
export function Sure({ label, sure, why = "", back, act, busy = false, kind = "quiet" }) {
  const [open, setOpen] = useState(null); // null until it has been pressed
  const id = useRef(`sure-${(made += 1)}`);
  const due = useRef(null);
  useEffect(() => {
    if (open !== null) due.current.focus({ preventScroll: true });
    if (open) due.current.scrollIntoView({ block: "nearest" }); // the words may have pushed it out of sight
  }, [open]);
  const press = () => {
    setOpen(false);
    act();
  };
  // Keys: the second is a button of its own, so that its words are read.
  return open
    ? html`${why && html`<span key="why" id=${id.current}>${why}</span>`}
        <button type="button" key="sure" ref=${due} class="button danger" disabled=${busy} aria-describedby=${why ? id.current : undefined} onClick=${press}>${sure}</button>
        <button type="button" key="back" class="button" onClick=${() => setOpen(false)}>${back}</button>`
    : html`<button type="button" key="label" ref=${due} class=${`button ${kind}`} disabled=${busy} onClick=${() => setOpen(true)}>${label}</button>`;
}
