// A button that reads a file of the person's own.
import { html, useState } from "../core/ui.js";

/** The button; `given(text, name)` is told what the chosen file holds and what it is called. */
export function FileButton({ accept, label, given }) {
  const [n, again] = useState(0);
  const chosen = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    const text = await file.text();
    // A new field, so that the same file can be chosen once more.
    again(n + 1);
    given(text, file.name);
  };
  return html`<label class="button file-button">
    <input key=${n} type="file" accept=${accept} class="unseen" onChange=${chosen} /><span>${label}</span>
  </label>`;
}
