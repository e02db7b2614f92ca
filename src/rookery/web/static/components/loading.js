// Asking the server for something a page needs.
import { ALONE, fileAt, hrefOf } from "../core/base.js";
import { get, post } from "../core/api.js";
import { html, useEffect, useRef, useState } from "../core/ui.js";
import { inWords, t } from "../core/i18n.js";
import { Problem } from "./common.js";

const answers = new Map(); // what does not change while the server runs

/** Return the answer to GET `path`, fetched once; for the catalogue, a variant, the schema. */
export function getOnce(path) {
  if (!answers.has(path)) {
    const answer = get(path);
    answer.catch(() => answers.delete(path));
    answers.set(path, answer);
  }
  return answers.get(path);
}

/** Return {value, error, again} of the promise that `load` returns; load again when one of `keys` changes. */
export function useLoaded(load, keys = []) {
  const [state, set] = useState({ value: null, error: null });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let wanted = true;
    set((before) => ({ ...before, error: null }));
    load().then(
      (value) => wanted && set({ value, error: null }),
      (error) => wanted && set({ value: null, error }),
    );
    return () => {
      wanted = false;
    };
  }, [...keys, attempt]);
  return { ...state, again: () => setAttempt(attempt + 1) };
}

/** Return the same of one thing that is looked at again and again: a later look that fails takes away nothing of it. */
export function useLooked(load, keys) {
  const found = useLoaded(load, keys);
  const last = useRef(null);
  last.current = found.value ?? last.current;
  return { ...found, value: last.current };
}

/** What is shown while something loads, or when it could not be loaded. */
export function Waiting({ error, again }) {
  return error
    ? html`<${Problem} error=${error} retry=${again} />`
    : html`<p class="loading" role="status">${t("shell.loading")}</p>`;
}

/** Return the server's check of rules: a variant's id, or house rules. */
export const checkRules = (rules) => post(inWords("/api/rules/check"), { rules });

/** Return the link that takes a friend to the table, "" until it is loaded. */
export function useLink(code) {
  const [link, set] = useState("");
  useEffect(() => {
    let wanted = true;
    const here = new URL(hrefOf(`/t/${code}`), location.href).href;
    // Not in the task that draws a page.
    const timer = setTimeout(() =>
      get(`/api/tables/${encodeURIComponent(code)}`).then(
        (info) => wanted && set(ALONE ? here : info.link),
        () => wanted && set(here),
      ),
    );
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [code]);
  return link;
}

const AFTER = { table: "cards", table_small: "table" };
const styles = new Map(); // those that are here or on their way, by name

/** Load css/NAME.css, for a page that has more style of its own than the others should carry; one that fails is asked for again next time. */
export function needStyle(name) {
  const load = (done) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: fileAt(`static/css/${name}.css`), onload: done });
    link.onerror = () => {
      link.remove();
      styles.delete(name);
      done();
    };
    // Those of other pages may change what the table's say, whichever came first.
    if (name in AFTER) document.querySelector(`link[rel=stylesheet][href$="/${AFTER[name]}.css"]`).after(link);
    else document.head.append(link);
  };
  if (!styles.has(name)) styles.set(name, new Promise(load));
  return styles.get(name);
}
