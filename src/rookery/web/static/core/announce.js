// Messages for screen readers. Texts that come close together are read as one.

const waiting = { polite: [], urgent: [] };
const timers = {};

function speak(id) {
  const box = document.getElementById(id);
  if (!box) return;
  const line = document.createElement("p");
  line.textContent = waiting[id].join(" ");
  waiting[id] = [];
  // The same text again is only read when it is a new node.
  box.replaceChildren(line);
}

/** Announce `text`; `urgent` interrupts what is being read. */
export function announce(text, urgent = false) {
  if (!text) return;
  const id = urgent ? "urgent" : "polite";
  waiting[id].push(text);
  clearTimeout(timers[id]);
  timers[id] = setTimeout(() => speak(id), 60);
}
