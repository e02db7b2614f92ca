// A puzzle's position as the board of a replay draws it, and what its seat has seen before.
import { cardName } from "../../cards/names.js";
import { list, number, plural, t } from "../../core/i18n.js";
import { html, useState } from "../../core/ui.js";
import { nameOf } from "../../table/snapshot.js";
import { callText } from "../../table/words.js";
import { Board } from "../replay/board.js";
import { tableAt } from "../replay/steps.js";

/** Return a puzzle as a replay of one step; with its answer all cards lie open. */
export function handOf(puzzle) {
  const { view } = puzzle;
  const seats = view.rules.options.seats;
  const nobody = Array.from({ length: seats }, () => null);
  return {
    code: "",
    title: "",
    number: 0,
    seat: puzzle.seat,
    rules: view.rules,
    players: nobody,
    bots: nobody,
    steps: [{ view, action: null, cards: puzzle.held || null, nest: puzzle.nest }],
  };
}

/** Return a puzzle's position as the parts of the table page read it. */
export const tableOf = (puzzle) => tableAt(handOf(puzzle), 0);

function Seen({ puzzle, table }) {
  const { view } = puzzle;
  const { pack } = view.rules.options;
  const calls = view.calls.map((text) => callText(table, text)).filter(Boolean);
  if (!calls.length && !view.tricks.length) return null;
  return html`<details class="panel">
    <summary>${t("puzzles.seen")}</summary>
    <ol class="plain stack tight">
      ${calls.length > 0 && html`<li>${calls.join(" ")}</li>`}
      ${view.tricks.map((trick, i) => html`<li key=${i}><b>${t("replay.trick", { n: number(i + 1) })}</b>: ${t("puzzles.trick", {
        cards: list(trick.cards.map(({ place, card }) => t("puzzles.played", { name: nameOf(table, place), card: cardName(card, pack) }))),
        name: nameOf(table, trick.winner),
      })}</li>`)}
    </ol>
  </details>`;
}

/** The position: whose seat it is, the board, and what has been seen; `drawn` is called when the board has been shown. */
export function Position({ puzzle, drawn }) {
  const table = tableOf(puzzle);
  const [isWhole, setWhole] = useState(false);
  const whole = () => {
    setWhole(true);
    drawn?.();
  };
  const { partners } = puzzle;
  return html`
    <p>${t("puzzles.you", { name: nameOf(table, puzzle.seat) })}
      ${partners.length > 0 && html` ${plural("puzzles.partner", partners.length, { name: list(partners.map((seat) => nameOf(table, seat))) })}`}
      ${puzzle.turn !== puzzle.seat && html` ${t("puzzles.dummy", { name: nameOf(table, puzzle.turn) })}`}</p>
    <${Board} hand=${handOf(puzzle)} index=${0} drawn=${whole} />
    ${isWhole && html`<${Seen} puzzle=${puzzle} table=${table} />`}
  `;
}
