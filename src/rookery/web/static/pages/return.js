// A return link: become the same person in this browser.
import { PasskeyButton } from "../components/passkeys.js";
import { hasPasskeys } from "../core/passkeys.js";
import { rememberMe, post, whoAmI } from "../core/api.js";
import { needWords, plural, t } from "../core/i18n.js";
import { Problem } from "../components/common.js";
import { Link } from "../core/router.js";
import { html, useEffect, useState } from "../core/ui.js";
import { MyTables } from "./home/lists.js";

await needWords("pages");

export const title = "return.title";

/** The page. One press is needed: a preview that only fetches the link must not use it up. */
export default function Return({ params }) {
  const [me, setMe] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const [now, setNow] = useState(null);
  useEffect(() => {
    whoAmI().then(setNow, () => {});
  }, []);
  const press = async () => {
    setBusy(true);
    setError(null);
    try {
      setMe(rememberMe(await post("/api/return", { token: params.token })));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  const home = html`<p><${Link} class="button" href="/">${t("shell.home")}<//></p>`;
  if (me) {
    return html`<div class="narrow stack">
      <h1 tabindex="-1">${t("return.title")}</h1>
      <p role="status">${t("return.done", { name: me.name })}</p>
      <${MyTables} tables=${me.tables} />
      ${home}
    </div>`;
  }
  const spent = error && error.code === "bad-link";
  return html`<div class="narrow stack">
    <h1 tabindex="-1">${t("return.title")}</h1>
    ${error && html`<${Problem} error=${error} />`}
    ${spent
      ? html`<p>${t("return.spent")}</p>${home}`
      : html`<p>${t("return.how")}</p>
          ${now && now.name
            ? html`<div class="panel stack tight">
                <p><strong>${t("return.already", { name: now.name })}</strong></p>
                <p>${now.tables.length ? plural("return.lost", now.tables.length, { name: now.name }) : t("return.lost_none")}</p>
                <p><${Link} class="button" href="/">${t("return.stay", { name: now.name })}<//></p>
              </div>`
            : null}
          <p><button type="button" class="button primary big" disabled=${busy} onClick=${press}>${t("return.press")}</button></p>`}
    ${hasPasskeys(now) && html`<${PasskeyButton} done=${setMe} />`}
  </div>`;
}
