// Tables that do not scroll: what does not fit stands on further pages, which take turns by themselves.
import { html, useEffect, useLayoutEffect, useMedia, useRef, useState } from "../../../core/ui.js";

const TURN = 12_000; // milliseconds that a page stays
/** Where a page is read by hand it is as long as it needs, and nothing turns. */
const BY_HAND = "(max-width: 50rem), (max-aspect-ratio: 1/1)";

/** Return the number of the page whose turn it is, counted on without end; from 0 when one of `keys` changes. */
export function useTurn(keys) {
  const [turn, set] = useState(0);
  useEffect(() => {
    set(0);
    const timer = setInterval(() => set((n) => n + 1), TURN);
    return () => clearInterval(timer);
  }, keys);
  return turn;
}

/** Return the pages of rows with these heights: each a list of columns, each a list of the numbers of its rows. */
export function cut(heights, room, columns) {
  const pages = [];
  let left = 0;
  for (const [row, height] of heights.entries()) {
    if (!pages.length || height > left) {
      if (!pages.length || pages.at(-1).length === columns) pages.push([]);
      pages.at(-1).push([]);
      left = room;
    }
    pages.at(-1).at(-1).push(row);
    left -= height;
  }
  return pages;
}

function Page({ section, columns, count = "", more = "" }) {
  const { kind, heads, rows, title } = section;
  return html`<section class=${`hall-page ${more}`}>
    <h2><span>${title(columns.flat())}</span>${count && html` <span class="mark">${count}</span>`}</h2>
    <div class=${`hall-columns of-${section.columns}`}>
      ${columns.map((some) => html`<table key=${some[0]} class=${kind}>
        <thead><tr>${heads.map((head, i) => html`<th key=${i} scope="col">${head}</th>`)}</tr></thead>
        <tbody>${some.map((row) => html`<tr key=${rows[row].key}>${rows[row].cells}</tr>`)}</tbody>
      </table>`)}
    </div>
  </section>`;
}

// What was cut before rows went is cut anew before anybody sees it.
const present = (columns, { rows }) => columns.map((some) => some.filter((row) => row < rows.length)).filter((some) => some.length);

/**
 * Sections that take turns, cut into pages of what fits. A section is {key, kind, title, heads, columns, rows}: `title` returns
 * the heading above the rows of these numbers, and a row is {key, cells}. Pages that wait can be read aloud like the one that
 * is seen.
 */
export function Turning({ sections: wanted, turn }) {
  const byHand = useMedia(BY_HAND);
  const sections = byHand ? wanted.map((one) => ({ ...one, columns: 1 })) : wanted;
  const box = useRef(null);
  const [cuts, setCuts] = useState("[]");
  const measure = () => {
    if (!box.current) return; // sizes may be told of what has just gone
    const found = [...box.current.querySelectorAll(".measured")].map((page, i) => {
      const heights = [...page.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect().height);
      const above = page.querySelector("h2").offsetHeight + page.querySelector("thead").offsetHeight;
      return cut(heights, byHand ? Infinity : box.current.clientHeight - above, sections[i].columns);
    });
    setCuts(JSON.stringify(found));
  };
  // Each time it is drawn: names, words and widths have changed by then, and the same cuts change nothing.
  useLayoutEffect(measure);
  const newest = useRef(measure);
  newest.current = measure;
  useEffect(() => {
    const sizes = new ResizeObserver(() => newest.current());
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, []);
  const pages = JSON.parse(cuts).flatMap((one, i) => (sections[i] ? one.map((columns) => ({ section: sections[i], columns: present(columns, sections[i]) })) : []));
  const shown = turn % (pages.length || 1);
  return html`<div class="hall-turning" ref=${box}>
    <div class="hall-measure" aria-hidden="true">
      ${sections.map((section) => html`<${Page} key=${section.key} section=${section} columns=${[section.rows.map((_, row) => row)]} more="measured" />`)}
    </div>
    ${pages.map(({ section, columns }, i) => html`<${Page} key=${`${section.key} ${i}`} section=${section} columns=${columns}
      count=${pages.length > 1 && !byHand ? `${i + 1}/${pages.length}` : ""} more=${byHand || i === shown ? "shown" : ""} />`)}
  </div>`;
}
