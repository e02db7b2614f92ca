// Somebody at the table has my name, or one that looks like it: another one, and what I wanted under it.
import { nameMe } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { Problem, wrongBy } from "../../components/common.js";
import { html, useState } from "../../core/ui.js";

/** A field for another name; sending it asks for the seat again. What is written in the chat can then be sent. */
export function AnotherName({ room, wanted }) {
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await nameMe(new FormData(event.target).get("name").trim());
      if (wanted.type === "sit") await room.ask(wanted);
      else room.forgetName();
    } catch (refused) {
      setError(refused);
    }
    setBusy(false);
  };
  return html`<form class="panel stack tight" onSubmit=${submit}>
    <label class="field">
      <span>${t("table.another_name")}</span>
      <input name="name" required maxlength="24" autocomplete="nickname" ...${wrongBy(error, "wrong-name")} />
    </label>
    ${error && html`<${Problem} error=${error} id="wrong-name" />`}
    <div class="row"><button class="button primary" disabled=${busy}>${t(wanted.type === "sit" ? "lobby.sit_down" : "table.take_name")}</button></div>
  </form>`;
}
