// A record that somebody has: replayed and reviewed on this device, by the pages that show what was played at its tables.
import { FileButton, Problem } from "../../components/common.js";
import { device } from "../../core/here.js";
import { needWords, t } from "../../core/i18n.js";
import { Link, go } from "../../core/router.js";
import { html, useEffect, useState } from "../../core/ui.js";
import { unpacked } from "../rules/house_rules.js";
import { OnDevice } from "../../table/offline/on_device.js";

await Promise.all([needWords("pages"), needWords("beside/own")]);

export const title = "own.record";

function Taking() {
  const [state, set] = useState({ busy: false, problem: "", error: null });
  const take = async (read) => {
    set({ busy: true, problem: "", error: null });
    try {
      const text = await read();
      const { askOwn } = await device();
      const { code, problem } = await askOwn("/api/records", { text });
      if (code) go(`/replay/${code}`);
      else set({ busy: false, problem, error: null });
    } catch (error) {
      set({ busy: false, problem: error.key ? t(error.key) : "", error: error.key ? null : error });
    }
  };
  useEffect(() => {
    // A file may be dropped anywhere: the browser would leave the page for it.
    const over = (event) => event.preventDefault();
    const dropped = (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) take(() => file.text());
    };
    addEventListener("dragover", over);
    addEventListener("drop", dropped);
    // A link may carry a record, as links carry house rules.
    const { hash } = location;
    if (hash) take(async () => JSON.stringify(unpacked(hash) ?? {}));
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("drop", dropped);
    };
  }, []);
  return html`<section class="panel stack tight" aria-label=${t("own.record")}>
    <p>${t("own.drop")}</p>
    <div class="row">
      <${FileButton} accept=".json,application/json" label=${t("own.choose")} onFile=${(text) => take(async () => text)} />
    </div>
    ${state.busy && html`<p class="loading" role="status">${t("own.reading")}</p>`}
    ${state.problem && html`<p class="problem" role="alert">${t("own.bad_record", { problem: state.problem })}</p>`}
    ${state.error && html`<${Problem} error=${state.error} />`}
  </section>`;
}

/** The page. */
export default function RecordPage() {
  return html`<div class="narrow stack">
    <h1 tabindex="-1">${t("own.record")}</h1>
    <p class="lead">${t("own.record_lead")}</p>
    <${OnDevice}><${Taking} /><//>
    <p><${Link} href="/" class="button">${t("shell.home")}<//></p>
  </div>`;
}
