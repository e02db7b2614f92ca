// A dialog: the browser's own, which keeps the focus inside and gives it back.
import { closedByBack } from "../core/back.js";
import { t } from "../core/i18n.js";
import { IconButton } from "./common.js";
import { html, useEffect, useRef } from "../core/ui.js";

let made = 0;

/** A modal dialog, open as long as it is drawn; `onClose` is called to remove it, also by the browser's Back. */
export function Dialog({ title, onClose, children, class: more = "" }) {
  const box = useRef(null);
  const close = useRef(null);
  const began = useRef(null); // where a press began: whoever marks a text may end beside the dialog
  close.current = onClose;
  const id = useRef(`dialog-${(made += 1)}`);
  useEffect(() => {
    const { current } = box;
    const before = document.activeElement;
    current.showModal();
    const forget = closedByBack(() => close.current());
    return () => {
      forget();
      if (current.open) current.close();
      if (before && before.isConnected) before.focus();
    };
  }, []);
  const cancelled = (event) => {
    event.preventDefault();
    onClose();
  };
  const outside = (event) => {
    if (event.target === box.current && began.current === box.current) onClose();
  };
  return html`<dialog
    ref=${box} class=${`dialog ${more}`} aria-labelledby=${id.current}
    onCancel=${cancelled} onClick=${outside} onPointerDown=${(event) => { began.current = event.target; }}
  >
    <div class="dialog-body">
      <div class="dialog-head">
        <h2 id=${id.current} tabindex="-1" autofocus>${title}</h2>
        <${IconButton} icon="close" label=${t("shell.close")} onClick=${onClose} />
      </div>
      ${children}
    </div>
  </dialog>`;
}
