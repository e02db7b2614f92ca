// The focus is never lost to the page: where the thing that had it is gone, or may not be pressed any more, it goes to what is left
// nearest, so that whoever has no pointer, or is read to, goes on from there. A board looks after its own (table/keys.js).
const MAY = "a[href], button:not([disabled]), summary, [tabindex]"; // no field: a phone would open its keyboard
const BUSY = 1_000; // milliseconds that a button may take until it can be pressed again, or one beside it

let path = []; // what had the focus last, and all that it lies in, from inside out
let timer = null;
let left = null; // what has just lost it
let soon = null; // the timer of a look at who has it
const watch = new MutationObserver(look);

function forget() {
  path = [];
  watch.disconnect();
  clearTimeout(timer);
}

function keep(waits = true) {
  const near = path.find((one) => one.isConnected);
  if (!near || document.activeElement !== document.body) return;
  if (near === path[0] && !near.disabled) near.focus({ preventScroll: true });
  else if (waits && (near.disabled || (!near.querySelector(MAY) && near.querySelector("button:disabled")))) {
    clearTimeout(timer);
    timer = setTimeout(keep, BUSY, false);
  } else {
    const others = path.filter((one) => one.isConnected && one.closest("main, dialog")).flatMap((one) => [...one.querySelectorAll(MAY)]);
    others.find((one) => one.getClientRects().length)?.focus({ preventScroll: true });
  }
}

function settle() {
  // Whoever clicks beside everything wants no focus.
  if (left && left === path[0] && left.isConnected && !left.disabled && document.activeElement === document.body) forget();
  else keep();
  left = soon = null;
}

// Not at once: while somebody goes from one thing to another, nothing has the focus.
function look() {
  soon ??= setTimeout(settle);
}

addEventListener("focusin", ({ target }) => {
  forget();
  if (target.closest("[data-zone]") || !target.closest("main, dialog")) return;
  for (let one = target; one && one !== document.body; one = one.parentElement) path.push(one);
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
});

addEventListener("focusout", ({ target }) => {
  left = target;
  look();
});
