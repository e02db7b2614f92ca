// Somebody at the table has my name: another one, and the seat that I wanted.
import { nameMe } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { Problem } from "../../components/common.js";
import { html, useState } from "../../core/ui.js";

/** A field for another name; sending it asks for the seat again. */
export function AnotherName({ room, sit }) {
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await nameMe(new FormData(event.target).get("name").trim());
      await room.ask(sit);
    } catch (refused) {
      setError(refused);
    }
    setBusy(false);
  };
  return html`<form class="panel stack tight" onSubmit=${submit}>
    <label class="field">
      <span>${t("table.another_name")}</span>
      <input name="name" required maxlength="24" autocomplete="nickname" />
    </label>
    ${error && html`<${Problem} error=${error} />`}
    <div class="row"><button class="button primary" disabled=${busy}>${t("lobby.sit_down")}</button></div>
  </form>`;
}
