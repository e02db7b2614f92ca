// The first lesson, offered to whoever has played no hand in this browser.
import { IconButton } from "../../components/common.js";
import { t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useEffect, useState } from "../../core/ui.js";
import { keep, progressOf } from "../learn/progress.js";

/**
 * The offer; `me` is who the server knows, with the tables where they have sat. It does not wait for that, or all
 * below would move: whoever has sat at a table is remembered for the next time.
 */
export function FirstLesson({ me }) {
  const [isDeclined, setDeclined] = useState(Boolean(progressOf("offer").declined));
  const hasPlayed = Boolean(me && me.tables.length);
  useEffect(() => {
    if (hasPlayed) keep("offer", { declined: true });
  }, [hasPlayed]);
  const decline = () => {
    keep("offer", { declined: true });
    setDeclined(true);
  };
  if (isDeclined || hasPlayed || progressOf("first").done) return null;
  return html`<div class="row nowrap">
    <${Link} href="/learn/first" class="button primary big grow">${t("home.lesson")}<//>
    <${IconButton} icon="close" label=${t("home.lesson_no")} onClick=${decline} />
  </div>`;
}
