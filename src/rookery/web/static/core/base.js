// Where this client lies, and how its addresses are written. A server has it at the root of a host and gives the same page for every
// path. A folder of files (rookery site build) may lie anywhere and has one page: there the path stands behind a question mark.
const ROOT = new URL("../../", import.meta.url);

/** Whether there are only files, and no server. */
export const ALONE = "alone" in document.documentElement.dataset;

/** Where that is, for the names of what a browser keeps: other sites may lie at the same host. */
export const PLACE = ROOT.pathname.replace(/^\/$/, "");

/** Return the address of a file of this client, such as "static/css/base.css". */
export const fileAt = (path) => new URL(path, ROOT).href;

/** Return a path of this client as a link to it is written. */
export const hrefOf = (path) => (ALONE ? `?${path}` : path);

// Whoever passes a link on may write its strokes otherwise, and add something to it: "?%2Frules%2Fkd&from=them", "?from=them".
const asWritten = (path) => path.replace(/%2F/gi, "/").replace(/^(?!\/).*=.*|[&=].*/, "");

/** Return the path that is shown, with all that follows it. */
export function pathNow() {
  const { pathname, search, hash } = location;
  return ALONE ? `${search.slice(1).replace(/^[^?]+/, asWritten) || "/"}${hash}` : pathname + search + hash;
}
