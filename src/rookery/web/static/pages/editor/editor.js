// The house-rule editor: a form made of the schema, the server's verdict beside it, and ways to keep, send
// and play what came of it.
import { ALONE, hrefOf } from "../../core/base.js";
import { whoAmI } from "../../core/api.js";
import { inWords, language, needWords, plural, t } from "../../core/i18n.js";
import { CopyButton, FileButton, OnlyHere, Problem, reasonOf } from "../../components/common.js";
import { go } from "../../core/router.js";
import { html, useEffect, useMedia, useMemo, useRef, useState, useStore } from "../../core/ui.js";
import { Waiting, getOnce, useLoaded } from "../../components/loading.js";
import { Field } from "./field.js";
import { groupsOf } from "./schema.js";
import { Problems, useEditor } from "./state.js";
import { optionName, optionText, takeWords } from "./words.js";
import { download, read, FIRST_BASE, forget, keep, kept, packed, unpacked } from "../rules/house_rules.js";
import { found } from "../rules/found.js";
import { RulesText } from "../rules/rules_text.js";

await Promise.all([needWords("pages"), needWords("editor")]);

export const title = "editor.title";

function Group({ group, fields, shown, editor, problems, open }) {
  const { draft, options } = editor;
  const changed = fields.filter(({ name }) => name in draft.changes);
  const wrong = fields.filter(({ name }) => problems.has(name));
  return html`<details class="panel group" open=${open || wrong.length > 0}>
    <summary>
      <h2>${t(`editor.group.${group}`)}</h2>
      ${changed.length > 0 && html`<span class="tag">${plural("editor.changes", changed.length)}</span>`}
      ${wrong.length > 0 && html`<span class="tag warn">${plural("editor.problems", wrong.length)}</span>`}
    </summary>
    <div class="options">
      ${shown.map(
        (field) => html`<${Field} key=${field.name} field=${field} options=${options} base=${editor.base.options} changed=${field.name in draft.changes}
          problems=${problems.get(field.name) || []} set=${(value) => editor.set(field.name, value)} reset=${() => editor.reset(field.name)} />`,
      )}
    </div>
  </details>`;
}

// On a phone the verdict is below a long form; this line stays in sight and leads to it.
function Status({ result, visit }) {
  if (!result) return null;
  return html`<div class="editor-status"><button type="button" class=${`button fits ${result.ok ? "" : "not"}`} onClick=${visit}>
    ${result.ok ? t("editor.fits") : plural("editor.problems", result.problems.length)}
  </button></div>`;
}

function Verdict({ editor, fields }) {
  const { result, current } = editor.checked;
  const error = editor.error || editor.checked.error;
  if (error) return html`<${Problem} error=${error} />`;
  if (!result) return html`<p class="loading">${t("shell.loading")}</p>`;
  return html`<div class=${current ? "" : "stale"}>
    ${result.ok
      ? html`<p class="fits">${t("editor.fits")}</p>`
      : html`<p class="fits not">${plural("editor.problems", result.problems.length)}</p>
          <${Problems} problems=${result.problems} fields=${fields} words=${optionName} changes=${editor.draft.changes} drop=${editor.drop} />`}
  </div>`;
}

function Keeping({ editor, notice, notify }) {
  const [mine, setMine] = useState(kept);
  const { rules, draft, checked } = editor;
  // This page may stand at an address that only this computer knows.
  const session = useLoaded(whoAmI);
  const base = session.value && !ALONE ? session.value.base : location.href;
  const name = draft.about.name || "";
  const fits = Boolean(checked.current && checked.result && checked.result.ok);
  const named = { ...rules, name: name.trim() || t("editor.unnamed") };
  const save = () => {
    notify(keep(named) ? t("editor.saved", { name: named.name }) : t("editor.not_kept"));
    setMine(kept());
  };
  const importFile = async (text, file) => {
    try {
      editor.take(await read(text, file));
      notify(t("editor.imported", { name: file }));
    } catch (error) {
      notify(error.key ? t(error.key, error.values) : reasonOf(error), true);
    }
  };
  // Whoever plays by their rules finds them here again.
  const play = () => {
    if (Object.keys(draft.changes).length) keep(named);
    go(`/new#${packed(named)}`);
  };
  const drop = (other) => {
    forget(other.name);
    setMine(kept());
    notify(t("editor.forgotten", { name: other.name }));
  };
  return html`<section class="panel stack tight" aria-labelledby="keep-title">
    <h2 id="keep-title">${t("editor.keep")}</h2>
    <label class="field">
      <span>${t("editor.name")}</span>
      <input maxlength="80" value=${name} placeholder=${t("editor.unnamed")} onInput=${(event) => editor.name(event.target.value)} />
    </label>
    <button type="button" class="button primary" disabled=${!fits} onClick=${play}>${t("editor.play")}</button>
    <div class="row tight">
      <button type="button" class="button" onClick=${save}>${t("editor.save")}</button>
      <${CopyButton} text=${new URL(hrefOf(`/rules/edit#${packed(named)}`), base).href} label=${t("editor.share")} />
      <button type="button" class="button" onClick=${() => download(named)}>${t("editor.export")}</button>
      <${FileButton} label=${t("editor.import")} accept=".json,.toml,application/json,application/toml" onFile=${importFile} />
    </div>
    <${OnlyHere} link=${base} />
    <p role="status" class=${notice.wrong ? "problem" : "mark"}>${notice.text}</p>
    <p class="mark">${t("editor.files")}</p>
    ${mine.length > 0 && html`<h3>${t("rules.house")}</h3>
      <ul class="plain stack tight">
        ${mine.map((other) => html`<li key=${other.name} class="row tight nowrap">
          <span class="grow"><b>${other.name}</b></span>
          <button type="button" class="button" onClick=${() => editor.take(other)} aria-label=${t("editor.open_one", { name: other.name })}>${t("editor.open")}</button>
          <button type="button" class="button danger" onClick=${() => drop(other)} aria-label=${t("editor.forget_one", { name: other.name })}>${t("editor.forget")}</button>
        </li>`)}
      </ul>`}
  </section>`;
}

function Editor({ query, schema, variants }) {
  // The address as it is now: it may have changed while this was loading.
  const [begun] = useState(() => firstRules(query));
  const editor = useEditor(begun.rules);
  const [broken, setBroken] = useState(begun.broken);
  const [word, setWord] = useState("");
  const [only, setOnly] = useState(false);
  const [notice, setNotice] = useState({ text: "", wrong: false });
  const wide = useMedia("(min-width: 60rem)");
  const verdict = useRef(null);
  const groups = useMemo(() => groupsOf(schema), [schema]);
  const fields = useMemo(() => new Set(groups.flatMap(([, all]) => all.map(({ name }) => name))), [groups]);
  useEffect(() => {
    const changed = ({ newURL }) => {
      try {
        const rules = unpacked(new URL(newURL).hash);
        if (rules) editor.take(rules);
        setBroken(null);
      } catch (error) {
        setBroken(error.key);
        editor.again();
      }
    };
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  if (!editor.base) {
    const unknown = editor.error && editor.error.status === 404;
    return html`<${Waiting} error=${editor.error} again=${unknown ? null : editor.again} />
      ${unknown && html`<p><button type="button" class="button primary" onClick=${() => editor.rebase(FIRST_BASE)}>${t("editor.anew")}</button></p>`}`;
  }
  // What was said of other rules says nothing of those whose game there is not.
  const result = editor.error ? null : editor.checked.result;
  const problems = new Map();
  for (const { option, text } of result ? result.problems : []) problems.set(option, [...(problems.get(option) || []), text]);
  const count = Object.keys(editor.draft.changes).length;
  const chosen = variants.some(({ id }) => id === editor.draft.base);
  const looked = only || Boolean(word.trim());
  const all = groups.flatMap(([, fields]) => fields).filter(({ name }) => !only || name in editor.draft.changes);
  const shown = new Set(looked ? found(all, word, ({ name }) => optionText(name)) : all);
  return html`
    ${broken && html`<p class="problem" role="alert">${t(broken)}</p>`}
    ${editor.error && html`<${Problem} error=${editor.error} />`}
    <div class="two editor">
      <div class="stack">
        ${!wide && html`<${Status} result=${result} visit=${() => verdict.current.focus()} />`}
        <section class="panel stack tight" aria-label=${t("editor.begin")}>
          <label class="field">
            <span>${t("editor.base")}</span>
            <select value=${editor.draft.base} onChange=${(event) => editor.rebase(event.target.value)}>
              ${!chosen && html`<option value=${editor.draft.base} selected>${String(editor.draft.base)}</option>`}
              ${variants.map(({ id, name }) => html`<option key=${id} value=${id} selected=${id === editor.draft.base}>${name}</option>`)}
            </select>
          </label>
          <p class="mark">${count ? plural("editor.differs", count) : t("editor.no_changes")}</p>
          <label class="field">
            <span>${t("editor.find")}</span>
            <input type="search" value=${word} onInput=${(event) => setWord(event.target.value)} />
          </label>
          <label class="switch">
            <input type="checkbox" checked=${only} onChange=${(event) => setOnly(event.target.checked)} /><span>${t("editor.only")}</span>
          </label>
        </section>
        <p class="mark" role="status">${looked && (shown.size ? plural("editor.found", shown.size) : t("editor.none"))}</p>
        ${groups
          .map(([group, all]) => [group, all, all.filter((field) => shown.has(field))])
          .filter(([, , some]) => some.length)
          .map(([group, all, some]) => html`<${Group} key=${group} group=${group} fields=${all} shown=${some} editor=${editor} problems=${problems}
            open=${looked || group === groups[0][0]} />`)}
      </div>
      <div class="beside stack">
        <section class="panel stack tight" aria-labelledby="verdict-title">
          <h2 id="verdict-title" ref=${verdict} tabindex="-1">${t("editor.verdict")}</h2>
          <${Verdict} editor=${editor} fields=${fields} />
        </section>
        <${Keeping} editor=${editor} notice=${notice} notify=${(text, wrong = false) => setNotice({ text, wrong })} />
        ${result && result.ok && html`<details class="panel words" open>
          <summary><h2>${t("rules.in_words")}</h2></summary><${RulesText} sections=${result.sections} />
        </details>`}
      </div>
    </div>
  `;
}

function firstRules(query) {
  try {
    return { rules: unpacked(location.hash) || { base: query.base || FIRST_BASE } };
  } catch (error) {
    return { rules: { base: FIRST_BASE }, broken: error.key };
  }
}

/** The page. */
export default function RulesEditor({ query }) {
  const { value, error, again } = useLoaded(() => Promise.all([getOnce(inWords("/api/rules/schema")).then(takeWords), getOnce(inWords("/api/variants"))]), [useStore(language)]);
  return html`<div class="stack">
    <h1 tabindex="-1">${t("editor.title")}</h1>
    <p>${t("editor.lead")}</p>
    ${value
      ? html`<${Editor} query=${query} schema=${value[0]} variants=${value[1]} />`
      : html`<${Waiting} error=${error} again=${again} />`}
  </div>`;
}
