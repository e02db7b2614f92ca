// The rules under the editor's hands: a base of the catalogue, what differs from it, and what the server
// says of the whole.
import { announce } from "../../core/announce.js";
import { language, plural, t } from "../../core/i18n.js";
import { useAddress } from "../../core/router.js";
import { html, useEffect, useMemo, useRef, useState, useStore } from "../../core/ui.js";
import { checkRules, getOnce } from "../../components/loading.js";
import { same } from "./schema.js";
import { inNames } from "./words.js";
import { FIRST_BASE, packed } from "../rules/house_rules.js";

const PAUSE = 350; // milliseconds after the last change until the server is asked
const ABOUT = ["id", "name", "origin", "reconstructed", "notes"];

/** Return house rules as a draft of the editor: {base, about, changes}. */
export function toDraft(rules) {
  const { base = FIRST_BASE, ...rest } = rules;
  // A file or a link may hold anything; the field of the name holds a text.
  const entries = Object.entries(rest).filter(([key, value]) => key !== "name" || typeof value === "string");
  return {
    base,
    about: Object.fromEntries(entries.filter(([key]) => ABOUT.includes(key))),
    changes: Object.fromEntries(entries.filter(([key]) => !ABOUT.includes(key))),
  };
}

/** Return a draft as house rules: an object to keep, send or write to a file. */
export const toRules = ({ base, about, changes }) => ({ base, ...about, ...changes });

// The server's check of the rules, requested a moment after the last change.
function useChecked(rules) {
  const [answer, set] = useState({ of: null, result: null, error: null });
  const text = rules && JSON.stringify(rules);
  const lang = useStore(language);
  const before = useRef(null);
  useEffect(() => {
    if (!text) return undefined;
    let wanted = true;
    const timer = setTimeout(() => {
      checkRules(JSON.parse(text)).then(
        (result) => {
          if (!wanted) return;
          set({ of: text, result, error: null });
          const count = result.problems.length;
          if (before.current !== null && before.current !== count) announce(count ? plural("editor.problems", count) : t("editor.fits"));
          before.current = count;
        },
        (error) => wanted && set({ of: text, result: null, error }),
      );
    }, answer.of ? PAUSE : 0);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [text, lang]);
  return { ...answer, current: answer.of === text };
}

// Card names depend on the pack; the server has already reported one that does not exist.
const packOf = (pack, base) => (pack === "rook" || pack === "standard" ? pack : base.options.pack);

/** Return the editor's state and what can be done to it; `first` are the rules to begin with. */
export function useEditor(first) {
  const [draft, setDraft] = useState(() => toDraft(first));
  const [base, setBase] = useState(null);
  const [error, setError] = useState(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let wanted = true;
    setError(null);
    getOnce(`/api/variants/${encodeURIComponent(draft.base)}`).then(
      (result) => {
        if (!wanted) return;
        setBase(result);
        // A value that equals that of the base is no change.
        setDraft((now) => ({ ...now, changes: Object.fromEntries(Object.entries(now.changes).filter(([key, value]) => !same(value, result.options[key]))) }));
      },
      (refused) => wanted && setError(refused),
    );
    return () => {
      wanted = false;
    };
  }, [draft.base, attempt]);

  const rules = useMemo(() => toRules(draft), [draft]);
  const ready = base && base.id === draft.base;
  const checked = useChecked(ready ? rules : null);

  // A refresh finds the same rules again, also after a link that cannot be read.
  useAddress(ready ? `/rules/edit#${packed(rules)}` : null, attempt);

  const set = (name, value) =>
    setDraft((now) => {
      const { [name]: _, ...changes } = now.changes;
      return { ...now, changes: same(value, base.options[name]) ? changes : { ...changes, [name]: value } };
    });
  return {
    draft,
    base,
    ready,
    rules,
    checked,
    error,
    again: () => setAttempt((n) => n + 1),
    options: base && { ...base.options, ...draft.changes, pack: packOf(draft.changes.pack, base) },
    set,
    drop: (name) =>
      setDraft((now) => ({ ...now, changes: Object.fromEntries(Object.entries(now.changes).filter(([key]) => key !== name)) })),
    reset: (name) => base && set(name, base.options[name]),
    name: (name) => setDraft((now) => ({ ...now, about: { ...now.about, name } })),
    rebase: (id) => setDraft((now) => ({ ...now, base: id })),
    take: (other) => {
      setDraft(toDraft(other));
      setAttempt((n) => n + 1); // the base may be the same
    },
  };
}

/** The texts of a rule check as a list, each with a link to its option, or a way to be rid of an unknown one. */
export function Problems({ problems, fields, words, changes, drop }) {
  const visit = (option) => (event) => {
    event.preventDefault();
    const target = document.getElementById(`option-${option}`);
    if (!target) return;
    target.closest("details")?.setAttribute("open", "");
    target.focus();
  };
  return html`<ul class="plain stack tight problem-list">
    ${problems.map(
      ({ option, text }) => html`<li key=${option + text}>
        ${fields.has(option) ? html`<a href=${`#option-${option}`} onClick=${visit(option)}>${words(option)}</a>` : html`<b>${option}</b>`}: ${inNames(text)}
        ${!fields.has(option) && option in changes && html` <button type="button" class="button chip" onClick=${() => drop(option)}>
          ${t("editor.drop", { what: option })}
        </button>`}
      </li>`,
    )}
  </ul>`;
}
