// The board at the moment of a decision, as its player saw it or with all cards open.
import { t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html } from "../../core/ui.js";
import { Waiting, getOnce, useAsked } from "../../components/loading.js";
import { Board } from "../replay/board.js";

/** Return the address of a finished hand's replay, `seat` null for all cards open. */
export const replayPath = (code, hand, seat) => `/api/replay/${encodeURIComponent(code)}/${hand}${seat === null ? "" : `?seat=${seat}`}`;

/** The board before action `at` of a hand, and the way into its replay. */
export function Moment({ code, hand, at, seat }) {
  const path = replayPath(code, hand, seat);
  const { value, error, again } = useAsked(() => getOnce(path), [path]);
  const query = new URLSearchParams(seat === null ? { at } : { at, seat });
  return html`<section class="stack tight" aria-label=${t("review.moment")}>
    ${value ? html`<${Board} hand=${value} index=${at} />` : html`<${Waiting} error=${error} again=${again} />`}
    <p><${Link} class="button" href=${`/replay/${code}/${hand}?${query}`}>${t("review.step")}<//></p>
  </section>`;
}
