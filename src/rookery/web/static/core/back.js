// What the browser's Back closes before it leaves the page: dialogs, the one opened last first. Each has an
// entry of its own in the history, so that there is something to go back from.
import { sayNow } from "./router.js";

const open = []; // how to close each dialog, in the order in which they were opened
let due = false;
let going = false; // entries that nobody needs any more are being left

const depth = () => history.state?.dialogs ?? 0;

function settle() {
  due = false;
  if (going) return;
  if (depth() < open.length) sayNow();
  for (let n = depth() + 1; n <= open.length; n += 1) history.pushState({ ...history.state, dialogs: n }, "");
  going = depth() > open.length;
  if (going) history.go(open.length - depth());
}

// Not at once: one dialog may just be taking the place of another.
function later() {
  if (!due) setTimeout(settle);
  due = true;
}

addEventListener("popstate", () => {
  if (!going) for (const close of open.slice(depth()).reverse()) close();
  going = false;
  later();
});

// A page that is loaded again has no dialog open, whatever its history says.
later();

/** Have Back call `close`; returns what to call when the dialog has been closed, in whatever way. */
export function closedByBack(close) {
  open.push(close);
  later();
  return () => {
    open.splice(open.indexOf(close), 1);
    later();
  };
}
