// Which page belongs to which path.
import { createStore } from "./store.js";
import { html } from "./ui.js";

// The first that fits; a name in braces becomes a parameter, a star takes the rest of the path.
export const ROUTES = [
  ["/", "home"],
  ["/new", "create"],
  ["/t/{code}", "table"],
  ["/replay/{code}/{hand}", "replay"],
  ["/replay/{code}", "replay"],
  ["/rules/edit", "rules_editor"],
  ["/rules/*", "rules"],
  ["/stats", "stats"],
  ["/fair", "fair"],
  ["/admin", "admin"],
  ["/review/{code}/{match}", "review"],
  ["/review/{code}", "review"],
  ["/return/{token}", "return"],
  ["/*", "not_found"],
];

// Each line is an import of its own, so that a page is fetched when somebody goes there.
const PAGES = {
  home: () => import("../pages/home/home.js"),
  create: () => import("../pages/create/create.js"),
  table: () => import("../pages/table.js"),
  replay: () => import("../pages/replay/replay.js"),
  rules: () => import("../pages/rules/rules.js"),
  rules_editor: () => import("../pages/editor/editor.js"),
  stats: () => import("../pages/stats.js"),
  fair: () => import("../pages/fair.js"),
  admin: () => import("../pages/admin/admin.js"),
  review: () => import("../pages/review/review.js"),
  return: () => import("../pages/return.js"),
  not_found: () => import("../pages/not_found.js"),
};
// Exported here and not above: a test takes imports behind `export` for modules that are needed at once.
export { PAGES };

function fits(pattern, path) {
  const want = pattern.split("/");
  const have = path.split("/");
  const params = {};
  for (const [i, part] of want.entries()) {
    if (part === "*") return { ...params, rest: have.slice(i).map(decodeURIComponent).join("/") };
    if (have[i] === undefined) return null;
    if (part.startsWith("{")) {
      if (!have[i]) return null;
      params[part.slice(1, -1)] = decodeURIComponent(have[i]);
    } else if (part !== have[i]) return null;
  }
  return want.length === have.length ? params : null;
}

/** Return {page, params, query, path} for an address; page is null where there is none. */
export function match(address) {
  const url = new URL(address, location.origin);
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/+$/, "") : "/";
  const query = Object.fromEntries(url.searchParams);
  for (const [pattern, page] of ROUTES) {
    let params = null;
    try {
      params = fits(pattern, path) ?? (pattern.endsWith("/*") ? fits(pattern, `${path}/`) : null);
    } catch {
      // A path that is not well percent-encoded is no page of ours.
    }
    if (params) return { page, params, query, path };
  }
  return { page: null, params: {}, query, path };
}

export const place = createStore(match(location.href));

/** Go to a path of this site without loading the document again. */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  place.set(match(location.href));
  scrollTo(0, 0);
}

addEventListener("popstate", () => place.set(match(location.href)));

function followed(event) {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!plain || event.defaultPrevented) return;
  event.preventDefault();
  go(event.currentTarget.getAttribute("href"));
}

/** A link inside the site. */
export function Link({ href, children, ...rest }) {
  return html`<a href=${href} onClick=${followed} ...${rest}>${children}</a>`;
}
