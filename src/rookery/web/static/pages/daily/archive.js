// The daily deals of earlier days.
import { html } from "../../core/ui.js";
import { Days } from "./daily.js";

export const title = "daily.archive";

/** The page. */
export default function Archive() {
  return html`<${Days} path="/api/daily/archive" earlier=${true} />`;
}
