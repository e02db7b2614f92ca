// A way for other devices: a link, the picture of it, and buttons to copy and to send it.
import { get } from "../core/api.js";
import { t } from "../core/i18n.js";
import { html } from "../core/ui.js";
import { CopyButton, OnlyHere, onlyHere } from "./common.js";
import { useLoaded } from "./loading.js";
import { Qr, shapesOf } from "./qr.js";

// The server knows the address that others reach, and draws its picture; it is shown a key in a header, so no
// address that is kept anywhere has it.
async function wayOf(path, headers) {
  const { link, picture } = await get(path, headers);
  return { link, drawn: shapesOf(picture) };
}

/** The link that GET `path` gives, `fallback` until it is there; `lead` says whom it is for, `name` what it leads to, `qr` what its picture is. */
export function Way({ path, headers, fallback, lead, name, qr }) {
  const { value } = useLoaded(() => wayOf(path, headers), [path, JSON.stringify(headers)]);
  const { link, drawn } = value ?? { link: fallback };
  const share = () => navigator.share({ title: name, url: link }).catch(() => {});
  return html`<div class="stack tight">
    <p>${lead}</p>
    <${OnlyHere} link=${link} />
    ${drawn && !onlyHere(link) && html`<${Qr} ...${drawn} label=${qr} />`}
    <p class="link-text">${link}</p>
    <div class="row">
      <${CopyButton} text=${link} label=${t("lobby.copy")} />
      ${navigator.share && html`<button type="button" class="button" onClick=${share}>${t("lobby.share")}</button>`}
    </div>
  </div>`;
}
