// What the pages of the documentation do by themselves. Without it, all can be read and reached.

// A box that was opened for its links is in the way of what they lead to.
document.addEventListener("click", (event) => {
  const box = event.target.closest("a")?.closest("[popover]");
  if (box?.matches(":popover-open")) box.hidePopover();
});

// What scrolls by itself can be reached by keys, and nothing else needs to be. To ask how wide a table is
// has it laid out, so each is asked when it comes near; until then it counts as one that scrolls.
function reachable(box) {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}
const seen = new Set(document.querySelectorAll("pre"));
const near = new IntersectionObserver((boxes) => {
  for (const { target } of boxes.filter((box) => box.isIntersecting)) {
    seen.add(target);
    reachable(target);
  }
}, { rootMargin: "50%" });
for (const box of document.querySelectorAll(".wide")) {
  box.tabIndex = 0;
  near.observe(box);
}
const all = () => seen.forEach(reachable);
addEventListener("resize", all);
all();

// Which versions there are, from the list beside the start page; one that is alone is only named.
async function versions() {
  const place = document.getElementById("versions");
  const root = document.documentElement.dataset.content_root;
  const answer = await fetch(`${root}versions.json`);
  const known = await answer.json();
  const { page, version } = place.dataset;
  if (known.length < 2) return;
  const address = (one) =>
    `${root}../${one.version}/${one.pages.includes(page) && page !== "index" ? `${page}/` : ""}`;
  const link = (one, words) =>
    Object.assign(document.createElement("a"), { href: address(one), textContent: words });
  const list = document.createElement("ul");
  for (const one of known) {
    const entry = link(one, one.version);
    if (one.version === version) entry.setAttribute("aria-current", "true");
    list.append(document.createElement("li"));
    list.lastChild.append(entry);
  }
  const summary = Object.assign(document.createElement("summary"), {
    textContent: `Version ${version}`,
  });
  const box = document.createElement("details");
  box.append(summary, list);
  place.replaceChildren(box);
  if (known[0].version !== version) {
    const notice = document.getElementById("newer");
    notice.append(`This is about version ${version}. `, link(known[0], `Read about ${known[0].version}.`));
    notice.hidden = false;
  }
}
versions();
