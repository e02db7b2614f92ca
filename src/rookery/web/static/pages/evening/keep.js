// A score sheet for the hands of a table: its total becomes the table's score.
import { post } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { html, useState } from "../../core/ui.js";
import { sheets } from "../sheet/kept.js";
import { refusalOf } from "./said.js";
import { pathOf, withKey } from "./told.js";

/** One tap opens the sheet of a table in a round, the same one for everybody there; `at` is where this phone keeps its key of the evening. */
export function KeepSheet({ code, at, secret, round, table }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const open = async () => {
    setBusy(true);
    try {
      const sheet = await post(`${pathOf(code)}/sheets`, { round, table: table.number }, withKey(secret));
      sheets.change(sheet.code, () => ({ evening: at }));
      go(`/s/${sheet.code}#${sheet.key}`);
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return html`<div class="stack tight">
    <div class="row"><button type="button" class="button quiet keep-sheet" disabled=${busy} onClick=${open}>${t("evening.keep_sheet")}</button></div>
    ${error && html`<p class="wrong" role="alert">${refusalOf(error)}</p>`}
  </div>`;
}
