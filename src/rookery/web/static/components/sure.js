// A button for what can't be taken back: it asks once more.
import { html, useEffect, useRef, useState } from "../core/ui.js";

/** The button; `sure` are the words of the second one, `back` of the way out, and `act` is called by the second; `kind` is the look of the first. */
export function Sure({ label, sure, back, act, busy = false, kind = "quiet" }) {
  const [open, setOpen] = useState(false);
  const second = useRef(null);
  useEffect(() => {
    if (open) second.current.focus();
  }, [open]);
  const press = () => {
    setOpen(false);
    act();
  };
  return open
    ? html`<button type="button" ref=${second} class="button danger" disabled=${busy} onClick=${press}>${sure}</button>
        <button type="button" class="button" onClick=${() => setOpen(false)}>${back}</button>`
    : html`<button type="button" class=${`button ${kind}`} disabled=${busy} onClick=${() => setOpen(true)}>${label}</button>`;
}
