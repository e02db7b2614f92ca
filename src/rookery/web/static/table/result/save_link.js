// A link that saves an answer as a file: the server's, or this device's, which may have to refuse it.
import { saved } from "../../core/here.js";
import { html, useEffect, useState } from "../../core/ui.js";
import { Problem } from "../../components/common.js";

/** The link, and what went wrong. */
export function SaveLink({ path, name, children }) {
  const [error, setError] = useState(null);
  useEffect(() => setError(null), [path]);
  return html`<a class="button" ...${saved(path, name, setError)}>${children}</a>${error && html`<${Problem} error=${error} />`}`;
}
