// Asking the server for something a page needs.
import { get, post } from "../core/api.js";
import { html, useEffect, useState } from "../core/ui.js";
import { inWords, t } from "../core/i18n.js";
import { Problem } from "./common.js";

const known = new Map(); // what does not change while the server runs

/** Return what GET `path` answers, asked for once; for the catalogue, a variant, the schema. */
export function getOnce(path) {
  if (!known.has(path)) {
    const answer = get(path);
    answer.catch(() => known.delete(path));
    known.set(path, answer);
  }
  return known.get(path);
}

/** Return {value, error, again} of a promise that `ask` makes, anew when one of `keys` changes. */
export function useAsked(ask, keys = []) {
  const [state, set] = useState({ value: null, error: null });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let wanted = true;
    set((before) => ({ ...before, error: null }));
    ask().then(
      (value) => wanted && set({ value, error: null }),
      (error) => wanted && set({ value: null, error }),
    );
    return () => {
      wanted = false;
    };
  }, [...keys, attempt]);
  return { ...state, again: () => setAttempt(attempt + 1) };
}

/** What stands in for something that is not there yet, or could not be had. */
export function Waiting({ error, again }) {
  return error
    ? html`<${Problem} error=${error} retry=${again} />`
    : html`<p class="loading" role="status">${t("shell.loading")}</p>`;
}

/** Return what the server says of rules: a variant's id, or house rules. */
export const checkRules = (rules) => post(inWords("/api/rules/check"), { rules });
