// The picture of a link, drawn from the SVG that the server makes of it.
import { html } from "../core/ui.js";

/** Return what `Qr` draws of the server's picture: {shapes, width}. */
export function shapesOf(picture) {
  const drawn = new DOMParser().parseFromString(picture, "image/svg+xml").documentElement;
  const shapes = [...drawn.querySelectorAll("path")].map((one) => ({
    d: one.getAttribute("d"), fill: one.getAttribute("fill") ?? "none", stroke: one.getAttribute("stroke"),
    transform: one.getAttribute("transform") ?? one.parentNode.getAttribute("transform"),
  }));
  return { shapes, width: Number(drawn.getAttribute("width")) };
}

/** A QR code; `label` is read aloud. */
export function Qr({ shapes, width, label }) {
  return html`<svg class="qr" role="img" aria-label=${label} viewBox=${`0 0 ${width} ${width}`} width="160" height="160">
    ${shapes.map((one, i) => html`<path key=${i} ...${one} />`)}
  </svg>`;
}
