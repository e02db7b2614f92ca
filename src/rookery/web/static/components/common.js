// Small things every page uses.
import { ALONE, fileAt } from "../core/base.js";
import { has, t } from "../core/i18n.js";
import { Icon } from "./icons.js";
import { html, useEffect, useState } from "../core/ui.js";

/** A button that is only a picture; its label is read aloud and shown on hover. */
export function IconButton({ icon, label, badge = 0, class: more = "", ...rest }) {
  return html`<button type="button" class=${`icon-button ${more}`} aria-label=${label} title=${label} ...${rest}>
    <${Icon} name=${icon} />${badge ? html`<span class="count" aria-hidden="true">${badge}</span>` : null}
  </button>`;
}

/** Return a refusal in words: ours for its code, else the server's reason. */
export function reasonOf({ code, reason, message }) {
  const key = `refused.${code}`;
  return has(key) ? t(key) : reason || message || t("refused.unknown");
}

/**
 * Return why a module could not be had, an error; `before` is the one of the try before. What is loaded already may lack what a newer
 * version asks of it, and may ask for what that has elsewhere: then all has to be loaded anew.
 */
export function notLoaded(failed, before) {
  const error = { code: "no-load", message: "", isNewer: failed instanceof SyntaxError };
  const reached = ({ ok }) => {
    error.isNewer ||= ok; // once it may have been the network
  };
  if (before?.code === "no-load") fetch(fileAt(""), { cache: "no-store" }).then(reached, () => {});
  return error;
}

// What is typed now nobody has called wrong yet.
const onInput = ({ target }) => target.removeAttribute("aria-invalid");

/** Return what ties a field to the problem of that id, where there is one; it is the field's own where something else would do, until it is edited. */
export const wrongBy = (error, id) => (error ? { "aria-describedby": id, "aria-invalid": error.status >= 400 && error.status < 429 ? "true" : undefined, onInput } : {});

/** What went wrong, and a way on. */
export function Problem({ error, retry, id }) {
  return html`<div class="problem" role="alert" id=${id}>
    <p>${reasonOf(error)}</p>
    ${retry && html`<button type="button" class="button" onClick=${() => (error.isNewer ? location.reload() : retry())}>${t("shell.again")}</button>`}
  </div>`;
}

const LOCAL = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Return whether no other device can follow a link. */
export const onlyHere = (link) => Boolean(link) && LOCAL.test(new URL(link).hostname);

/** What to do where no other device can follow a link. */
export function OnlyHere({ link }) {
  return !ALONE && onlyHere(link) ? html`<p class="notice">${t("lobby.only_here")}</p>` : null;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Plain http has no clipboard object; the old way still works there.
    const focused = document.activeElement;
    const box = document.createElement("textarea");
    box.value = text;
    (document.querySelector("dialog[open]") || document.body).append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    focused.focus({ preventScroll: true });
    return done;
  }
}

/** A button that copies `text` and says so. */
export function CopyButton({ text, label }) {
  const [state, set] = useState("");
  useEffect(() => {
    if (!state) return undefined;
    const timer = setTimeout(() => set(""), 2500);
    return () => clearTimeout(timer);
  }, [state]);
  const press = async () => set((await copied(text)) ? "shell.copied" : "shell.not_copied");
  return html`<button type="button" class="button" onClick=${press}>
    <${Icon} name="copy" /><span aria-live="polite">${state ? t(state) : label}</span>
  </button>`;
}

/** The button; `onFile(text, name)` gets the text and the name of the chosen file. */
export function FileButton({ accept, label, onFile }) {
  const [n, again] = useState(0);
  const picked = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    const text = await file.text();
    // A new field, so that the same file can be chosen once more.
    again(n + 1);
    onFile(text, file.name);
  };
  return html`<label class="button file-button">
    <input key=${n} type="file" accept=${accept} class="unseen" onChange=${picked} /><span>${label}</span>
  </label>`;
}
