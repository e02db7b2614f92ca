// Words of the game inside a sentence: each is a button that says what it means. The meanings are those of
// docs/reference/glossary.md.
import { Dialog } from "./dialog.js";
import { capital, language, needWords, t } from "../core/i18n.js";
import { html, render, useMemo, useStore } from "../core/ui.js";

await needWords("terms");

// Those that a newcomer may stumble over; the glossary has more.
const TERMS = [
  "bid", "blind_hand", "called_card", "circus", "contract", "counter", "declarer", "defender", "discard", "dummy", "follow",
  "lead", "low_order", "made", "moon", "nest", "no_trump", "partner", "redeal", "revoke", "rook", "ruff", "set", "sun", "sweep",
  "target", "trick", "trump", "void",
];

let found = { first: null }; // made once for a language: each sentence needs the same

/** Return {pattern, terms}: what finds the words of the language, and the term of each. */
function finder() {
  const first = `${language.get()} ${t("term.bid.as")}`;
  if (found.first === first) return found;
  const terms = new Map(TERMS.flatMap((term) => t(`term.${term}.as`).split("; ").map((word) => [word.toLowerCase(), term])));
  const words = [...terms.keys()].sort((a, b) => b.length - a.length);
  found = { first, terms, pattern: new RegExp(`(?<![\\p{L}\\p{N}])(${words.join("|")})(?![\\p{L}\\p{N}])`, "giu") };
  return found;
}

// The browser compiles a pattern when it is first used, for plain letters and for others apart: here, and not while a table is drawn.
for (const text of ["bid", "bid –", "bid", "bid –"]) text.split(finder().pattern);

// Drawn beside the page, so that it looks the same wherever the word stands.
function explain(term) {
  const box = document.createElement("div");
  const close = () => {
    render(null, box);
    box.remove();
  };
  const [name] = t(`term.${term}.as`).split("; ");
  const meaning = t(`term.${term}`).split(/[*\x60]/).map((part, i) => (i % 2 ? html`<em>${part}</em>` : part));
  document.body.append(box);
  render(html`<${Dialog} title=${capital(name)} onClose=${close} class="term-box"><p>${meaning}</p><//>`, box);
}

/**
 * The sentence; a term is marked where it comes first, or nowhere if `seen`, a set, has it already. A word
 * of `seats`, who may be in it by name, is no term.
 */
export function Terms({ text, seen = new Set(), seats = [] }) {
  const lang = useStore(language);
  const { terms, pattern } = finder();
  const here = useMemo(() => new Set([...terms.values()].filter((term) => !seen.has(term))), [text, lang]);
  const left = new Set(here);
  const names = new Set(seats.flatMap((seat) => (seat?.name || "").toLowerCase().split(/\s+/)));
  const parts = text.split(pattern);
  return parts.map((part, i) => {
    const term = i % 2 ? terms.get(part.toLowerCase()) : null;
    if (names.has(part.toLowerCase()) || !left.delete(term)) return part;
    seen.add(term);
    // A comma stays with its word.
    const [stop] = /^[^\p{L}\p{N}\s]*/u.exec(parts[i + 1]);
    parts[i + 1] = parts[i + 1].slice(stop.length);
    return html`<span class="term-place"><button type="button" class="term" aria-haspopup="dialog"
      onClick=${() => explain(term)}><span>${part}</span></button>${stop}</span>`;
  });
}
