// What this device needs is being fetched: how far that is, and a way to stop it.
import { Problem } from "../../components/common.js";
import { number, t } from "../../core/i18n.js";
import { html, useEffect, useRef, useState } from "../../core/ui.js";
import { makeReady } from "./kit.js";

/** Return bytes as megabytes, in words. */
export const megabytes = (bytes) => number(Math.round(bytes / 100_000) / 10);

/** Fetches what is on the list; `done` is called when all is here, or when somebody has stopped it. */
export function Fetching({ list, done }) {
  const [state, set] = useState({ bytes: 0, whole: 1, error: null });
  const ending = useRef(new AbortController());
  const fetchAll = () => {
    set({ bytes: 0, whole: 1, error: null });
    makeReady(list, (bytes, whole) => set({ bytes, whole, error: null }), ending.current.signal).then(done, (error) => {
      if (error.name === "AbortError") done();
      else set({ bytes: 0, whole: 1, error: { code: "not-fetched" } });
    });
  };
  useEffect(() => {
    fetchAll();
    return () => ending.current.abort();
  }, []);
  if (state.error) return html`<${Problem} error=${state.error} retry=${fetchAll} />`;
  const percent = Math.floor((100 * state.bytes) / state.whole);
  return html`<label class="field"><span>${t("offline.fetching", { percent })}</span><progress max="100" value=${percent} /></label>
    <div class="row"><button type="button" class="button" onClick=${() => ending.current.abort()}>${t("offline.stop")}</button></div>`;
}
