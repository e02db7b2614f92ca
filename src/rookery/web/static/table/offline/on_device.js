// What only a device answers: where there is a server, it has to be made ready first.
import { ALONE } from "../../core/base.js";
import { isReady } from "../../core/here.js";
import { t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html } from "../../core/ui.js";

/** What is in it, or the way there. */
export function OnDevice({ children }) {
  if (ALONE || isReady()) return children;
  return html`<p>${t("own.not_ready")}</p>
    <p><${Link} href="/offline" class="button">${t("own.make_ready")}<//></p>`;
}
