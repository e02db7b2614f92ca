// Which page belongs to which path.
import { ALONE, hrefOf, pathNow } from "./base.js";
import { createStore } from "./store.js";
import { html, useEffect } from "./ui.js";

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
  ["/group/{code}", "group"],
  ["/puzzles", "puzzles"],
  ["/puzzles/{id}", "puzzles"],
  ["/mistakes", "mistakes"],
  ["/daily", "daily"],
  ["/daily/archive", "daily_archive"],
  ["/daily/{day}/{family}", "deal"],
  ["/daily/{day}/{family}/replay", "deal_replay"],
  ["/sheet", "new_sheet"],
  ["/s/{code}", "sheet"],
  ["/e/{code}/hall", "hall"],
  ["/e/{code}/print", "print"],
  ["/evening", "new_evening"],
  ["/e/{code}", "evening"],
  ["/e/{code}/t/{table}", "evening_table"],
  ["/fair", "fair"],
  ["/offline", "offline"],
  ["/record", "record"],
  ["/odds", "odds"],
  ["/learn", "learn"],
  ["/learn/{id}", "lesson"],
  ["/admin", "admin"],
  ["/review/{code}/{match}", "review"],
  ["/review/{code}", "review"],
  ["/return/{token}", "return"],
  ["/*", "not_found"],
];

// Each line is an import of its own, so that a page is fetched when somebody goes there.
const PAGES = {
  home: () => (ALONE ? import("../pages/home/alone.js") : import("../pages/home/home.js")),
  create: () => import("../pages/create/create.js"),
  table: () => import("../pages/table.js"),
  replay: () => import("../pages/replay/replay.js"),
  rules: () => import("../pages/rules/rules.js"),
  rules_editor: () => import("../pages/editor/editor.js"),
  stats: () => import("../pages/stats/stats.js"),
  group: () => import("../pages/stats/group.js"),
  puzzles: () => import("../pages/puzzles/puzzles.js"),
  mistakes: () => import("../pages/mistakes/mistakes.js"),
  daily: () => import("../pages/daily/daily.js"),
  daily_archive: () => import("../pages/daily/archive.js"),
  deal: () => import("../pages/daily/deal.js"),
  deal_replay: () => import("../pages/daily/replay.js"),
  new_sheet: () => import("../pages/sheet/new.js"),
  sheet: () => import("../pages/sheet/sheet.js"),
  hall: () => import("../pages/evening/hall/hall.js"),
  print: () => import("../pages/evening/hall/print.js"),
  new_evening: () => import("../pages/evening/new.js"),
  evening: () => import("../pages/evening/evening.js"),
  evening_table: () => import("../pages/evening/table.js"),
  fair: () => import("../pages/fair.js"),
  offline: () => import("../table/offline/page.js"),
  record: () => import("../pages/replay/record.js"),
  odds: () => import("../pages/rules/odds.js"),
  learn: () => import("../pages/learn/learn.js"),
  lesson: () => import("../pages/learn/lesson.js"),
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

/** Return {page, params, query, path} for a path; page is null where there is none. */
export function match(address) {
  const url = new URL(location.origin + (address.startsWith("/") ? address : `/${address}`));
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

const shown = () => ({ ...match(pathNow()), href: location.href });

export const place = createStore(shown());

/** Draw what the address says, which was changed beside `go`. */
export const look = () => place.set(shown());

/** Have the address say at once what is shown, before something else comes into the history. */
export const sayNow = () => due?.();

/** Go to a path of this site without loading the document again. */
export function go(path, { replace = false } = {}) {
  sayNow(); // Back leads to what was shown last
  // A dialog's own entry (back.js) makes room: it would only lead back to where its dialog is not.
  history[replace || history.state?.dialogs ? "replaceState" : "pushState"](null, "", hrefOf(path));
  look();
  scrollTo(0, 0);
}

const PAUSE = 500; // milliseconds between two changes of the address: a browser may refuse more than a hundred in half a minute
let changed = -PAUSE; // when it was changed last
let due = null; // makes the change that waits

/** Have the address say what is shown, without going anywhere, again where `by` has changed; null: leave it. */
export function useAddress(path, by) {
  useEffect(() => {
    if (path === null) return undefined;
    const drop = () => {
      clearTimeout(timer);
      if (due === say) due = null;
    };
    const say = () => {
      drop();
      changed = performance.now();
      history.replaceState(history.state, "", hrefOf(path));
    };
    const timer = setTimeout(say, changed + PAUSE - performance.now());
    due = say;
    return drop;
  }, [path, by]);
}

addEventListener("popstate", () => {
  // Going back may also mean that a dialog is closed.
  if (place.get().href !== location.href) look();
});

function follow(event, path) {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!plain || event.defaultPrevented) return;
  event.preventDefault();
  go(path);
}

/** A link inside the site. */
export function Link({ href, children, ...rest }) {
  return html`<a href=${hrefOf(href)} onClick=${(event) => follow(event, href)} ...${rest}>${children}</a>`;
}
