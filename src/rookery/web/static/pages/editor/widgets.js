// A widget for every shape that an option's value can have. Each gets the field, its value, `set` for
// another value, `options` with all the others, and `at`: the attributes that tie it to label and problem.
import { cardName } from "../../cards/names.js";
import { t } from "../../core/i18n.js";
import { IconButton } from "../../components/common.js";
import { html } from "../../core/ui.js";
import { counterName, known, optionName, packRows, rankNames, valueName } from "./words.js";

const numberOf = (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? null : Number(text));

function NumberBox({ value, set, least, most, at }) {
  return html`<input type="number" inputmode=${least < 0 ? "text" : "numeric"} step="1" min=${least} max=${most} class="number" ...${at}
    value=${value ?? ""} onInput=${(event) => set(numberOf(event.target.value))} />`;
}

function Pick({ name, words, value, set, at }) {
  return html`<select value=${value} ...${at} onChange=${(event) => set(event.target.value)}>
    ${words.map((word) => html`<option key=${word} value=${word} selected=${word === value}>${valueName(name, word)}</option>`)}
  </select>`;
}

function Choice({ field, value, set, at }) {
  return html`<${Pick} name=${field.name} words=${field.words} value=${value} set=${set} at=${at} />`;
}

function Numbered({ field, value, set, at }) {
  return html`<${NumberBox} value=${value} set=${set} least=${field.least} most=${field.most} at=${at} />`;
}

function wayOf(ways, value) {
  const worded = ways.find((way) => !way.inner && way.value === value);
  if (worded) return worded;
  const named = value && typeof value === "object";
  return ways.find((way) => way.inner && (way.part === null ? !named : named && way.part in value)) || ways[0];
}

function Union({ field, value, set, at }) {
  const way = wayOf(field.ways, value);
  const inside = way.inner && (way.part === null ? value : value[way.part]);
  const put = (other, n) => set(other.part === null ? n : { [other.part]: n });
  const turn = (word) => {
    const other = field.ways.find((one) => one.word === word);
    if (!other.inner) set(other.value);
    else put(other, typeof inside === "number" ? inside : (other.inner.minimum > 0 ? 1 : Math.min(0, other.inner.maximum)));
  };
  return html`<span class="row tight">
    <span class="grow"><${Pick} name=${field.name} words=${field.ways.map((one) => one.word)} value=${way.word} set=${turn} at=${at} /></span>
    ${way.inner && html`<${NumberBox} value=${inside} set=${(n) => put(way, n)} least=${way.inner.minimum} most=${way.inner.maximum}
      at=${{ "aria-label": `${optionName(field.name)}: ${valueName(field.name, way.word)}` }} />`}
  </span>`;
}

function Box({ checked, set, words }) {
  return html`<label class="switch"><input type="checkbox" checked=${checked} onChange=${(event) => set(event.target.checked)} /><span>${words}</span></label>`;
}

function Several({ field, value, set }) {
  const turn = (word, on) => set(field.words.filter((one) => (one === word ? on : value.includes(one))));
  return html`<div>
    ${field.words.map((word) => html`<${Box} key=${word} checked=${value.includes(word)} set=${(on) => turn(word, on)} words=${valueName(field.name, word)} />`)}
  </div>`;
}

function Order({ field, value, set }) {
  const move = (from, to) => {
    const next = [...value];
    [next[from], next[to]] = [next[to], next[from]];
    set(next);
  };
  const missing = field.words.filter((word) => !value.includes(word));
  return html`<div class="stack tight">
    <ol class="plain stack tight">
      ${value.map((word, i) => {
        const words = valueName(field.name, word);
        return html`<li key=${word} class="row tight nowrap">
          <span class="grow">${i + 1}. ${words}</span>
          <${IconButton} icon="up" label=${t("editor.earlier", { what: words })} disabled=${i === 0} onClick=${() => move(i, i - 1)} />
          <${IconButton} icon="down" label=${t("editor.later", { what: words })} disabled=${i === value.length - 1} onClick=${() => move(i, i + 1)} />
          <${IconButton} icon="close" label=${t("editor.without", { what: words })} onClick=${() => set(value.filter((one) => one !== word))} />
        </li>`;
      })}
    </ol>
    ${missing.length > 0 && html`<div class="row tight">
      ${missing.map((word) => html`<button type="button" key=${word} class="button chip" onClick=${() => set([...value, word])}>
        ${t("editor.add_one", { what: valueName(field.name, word) })}
      </button>`)}
    </div>`}
  </div>`;
}

function Ranks({ field, value, set, options }) {
  const turn = (rank, on) => set([...value.filter((one) => one !== rank), ...(on ? [rank] : [])].sort((a, b) => a - b));
  return html`<div class="chips">
    ${rankNames(options.pack, field.least, field.most).map(
      ([rank, words]) => html`<label key=${rank} class="rank-chip">
        <input type="checkbox" checked=${value.includes(rank)} onChange=${(event) => turn(rank, event.target.checked)} /><span>${words}</span>
      </label>`,
    )}
  </div>`;
}

function CardOptions({ pack, without }) {
  return packRows(pack).map(
    (row) => html`<optgroup key=${row[0]} label=${t(`card.suit.${suitWord(row[0], pack)}`)}>
      ${row.filter((card) => !without.includes(card)).map((card) => html`<option key=${card} value=${card}>${cardName(card, pack)}</option>`)}
    </optgroup>`,
  );
}

const SUITS = { R: "red", G: "green", Y: "yellow", B: "black", S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const suitWord = (card) => SUITS[card[0]];

function Names({ field, value, set, options }) {
  const { pack } = options;
  const words = (card) => (known(card, pack) ? cardName(card, pack) : card);
  return html`<div class="stack tight">
    ${value.length > 0 && html`<ul class="plain chips">
      ${value.map((card) => html`<li key=${card} class="chip-item">${words(card)}
        <${IconButton} icon="close" label=${t("editor.without", { what: words(card) })} onClick=${() => set(value.filter((one) => one !== card))} />
      </li>`)}
    </ul>`}
    <select value="" aria-label=${`${optionName(field.name)}: ${t("editor.add_card")}`}
      onChange=${(event) => { if (event.target.value) set([...value, event.target.value]); event.target.value = ""; }}>
      <option value="">${t("editor.add_card")}</option>
      ${CardOptions({ pack, without: value })}
    </select>
  </div>`;
}

function Worth({ field, value, set, options }) {
  const { pack } = options;
  const keys = Object.keys(value);
  const add = (key) => key && set({ ...value, [key]: 5 });
  return html`<div class="stack tight">
    <ul class="plain stack tight">
      ${keys.map((key) => {
        const words = counterName(key, pack);
        return html`<li key=${key} class="row tight nowrap">
          <span class="grow">${words}</span>
          <${NumberBox} value=${value[key]} set=${(n) => set({ ...value, [key]: n })} least=${field.inner.minimum} most=${field.inner.maximum}
            at=${{ "aria-label": t("editor.worth", { what: words }) }} />
          <${IconButton} icon="close" label=${t("editor.without", { what: words })}
            onClick=${() => set(Object.fromEntries(Object.entries(value).filter(([one]) => one !== key)))} />
        </li>`;
      })}
    </ul>
    <select value="" aria-label=${`${optionName(field.name)}: ${t("editor.add_counter")}`}
      onChange=${(event) => { add(event.target.value); event.target.value = ""; }}>
      <option value="">${t("editor.add_counter")}</option>
      <optgroup label=${t("editor.ranks")}>
        ${rankNames(pack).filter(([rank]) => !keys.includes(String(rank))).map(
          ([rank]) => html`<option key=${rank} value=${rank}>${counterName(String(rank), pack)}</option>`,
        )}
      </optgroup>
      ${CardOptions({ pack, without: keys })}
    </select>
  </div>`;
}

function Specials({ field, value, set }) {
  return html`<div class="stack tight">
    ${field.kinds.map(([word, inner]) => {
      const one = value.find((bid) => bid.name === word);
      const others = value.filter((bid) => bid.name !== word);
      const turn = (on) => set(on ? [...others, { name: word, value: 200 }] : others);
      const put = (n) => set(value.map((bid) => (bid === one ? { name: word, value: n } : bid)));
      const Inner = WIDGETS[inner.kind];
      return html`<div key=${word}>
        <${Box} checked=${Boolean(one)} set=${turn} words=${valueName(field.name, word)} />
        ${one && html`<${Inner} field=${{ ...inner, name: `${field.name}.${word}` }} value=${one.value} set=${put}
          at=${{ "aria-label": t("editor.worth", { what: valueName(field.name, word) }) }} />`}
      </div>`;
    })}
  </div>`;
}

function Parts({ field, value, set }) {
  return html`<div class="pair">
    ${field.parts.map(([part, words]) => html`<label class="field" key=${part}>
      <span>${valueName(field.name, part)}</span>
      <${Pick} name=${`${field.name}.${part}`} words=${words} value=${value[part]} set=${(word) => set({ ...value, [part]: word })} at=${{}} />
    </label>`)}
  </div>`;
}

export const WIDGETS = {
  choice: Choice, number: Numbered, union: Union, several: Several, order: Order, ranks: Ranks,
  names: Names, worth: Worth, specials: Specials, parts: Parts,
};

/** Whether a shape has one control that a label can name; the others are a group of them. */
export const isSingle = ({ kind }) => ["choice", "number", "union"].includes(kind);
