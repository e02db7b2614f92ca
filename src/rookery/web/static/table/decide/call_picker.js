// Calling a partner's card, or two: every card of the deck, those that may be called open.
import { Face } from "../../cards/face.js";
import { cardName, cardNames } from "../../cards/names.js";
import { deckOf } from "../../cards/suits.js";
import { plural, t } from "../../core/i18n.js";
import { html, useState } from "../../core/ui.js";

/** The picker. */
export function CallPicker({ table, room, busy }) {
  const { min, max, from } = table.view.legal.call;
  const { options } = table.rules;
  const [chosen, choose] = useState([]);
  const press = (card) => {
    if (!from.includes(card)) return room.notice(t("call.not", { card: cardName(card, options.pack) }));
    if (chosen.includes(card)) return choose(chosen.filter((one) => one !== card));
    return choose(max === 1 ? [card] : [...chosen, card].slice(-max));
  };
  const deck = deckOf(options);
  // The Rook, alone in its row, lies at the end of the row before.
  if (deck.at(-1).length === 1) deck.splice(-2, 2, deck.slice(-2).flat());
  const longest = Math.max(...deck.map((row) => row.length));
  return html`<div class="call">
    <div class="called">
      <p><strong>${plural("call.how", max)}</strong></p>
      <div class="deck" role="group" style=${{ "--n": longest, "--rows": deck.length }} aria-label=${t("turn.do.call")}>
        ${deck.map(
          (row, i) => html`<div class="deck-row" key=${i}>
            ${row.map(
              (card) => html`<button type="button" key=${card} data-card=${card} aria-label=${cardName(card, options.pack)}
                aria-pressed=${String(chosen.includes(card))} aria-disabled=${String(!from.includes(card))}
                class=${`card-button ${chosen.includes(card) ? "picked" : ""} ${from.includes(card) ? "" : "closed"}`}
                onClick=${() => press(card)}>
                <${Face} card=${card} rules=${options} quiet=${true} />
              </button>`,
            )}
          </div>`,
        )}
      </div>
    </div>
    <div class="row">
      <button type="button" class="button primary big" disabled=${busy || chosen.length < min}
        onClick=${() => room.act(`call ${chosen.join(" ")}`)}>
        ${chosen.length ? t("call.confirm", { cards: cardNames(chosen, options.pack) }) : t("call.choose")}
      </button>
    </div>
  </div>`;
}
