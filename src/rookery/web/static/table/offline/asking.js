// Where there is no server: whoever needs what this device has not fetched yet is asked whether to fetch it.
import { Dialog } from "../../components/dialog.js";
import { fileAt } from "../../core/base.js";
import { needWords, t } from "../../core/i18n.js";
import { isReady } from "../../core/here.js";
import { html, render, useEffect, useState } from "../../core/ui.js";
import { Fetching, megabytes } from "./fetching.js";
import { hindrance, offered } from "./kit.js";

// The list as it lies there; null while it is being looked up, false where there is none.
function useList() {
  const [list, set] = useState(null);
  useEffect(() => {
    offered().then((found) => set(found ?? false));
  }, []);
  return list;
}

function Asking({ end }) {
  const list = useList();
  const [fetching, setFetching] = useState(false);
  const inside = () => {
    if (hindrance()) return html`<p>${t(hindrance())}</p>`;
    if (list === null) return html`<p class="loading" role="status">${t("shell.loading")}</p>`;
    if (!list) return html`<p>${t("offline.none")}</p>`;
    if (fetching) return html`<${Fetching} list=${list} done=${end} />`;
    return html`<p>${t("offline.alone")}</p>
      <p class="mark">${t("offline.size", { size: megabytes(list.bytes) })}</p>
      <div class="row">
        <button type="button" class="button primary" onClick=${() => setFetching(true)}>${t("offline.fetch")}</button>
        <button type="button" class="button" onClick=${end}>${t("offline.not_now")}</button>
      </div>`;
  };
  return html`<${Dialog} title=${t("offline.ask")} onClose=${end}><div class="stack">${inside()}</div><//>`;
}

async function ask() {
  await needWords("beside/offline");
  const box = document.body.appendChild(document.createElement("div"));
  await new Promise((end) => render(html`<${Asking} end=${end} />`, box));
  render(null, box);
  box.remove();
  if (!isReady()) throw Object.assign(new Error("not fetched"), { code: "not-here" });
  // What has been fetched comes from there.
  await navigator.serviceWorker.register(fileAt("sw.js"));
  await navigator.serviceWorker.ready;
}

let asked = null;

/** Resolves when all is here; rejects with the code `not-here` where somebody would not wait for it. */
export function fetched() {
  asked ??= ask().finally(() => {
    asked = null;
  });
  return asked;
}
