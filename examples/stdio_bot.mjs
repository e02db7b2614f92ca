// A bot in JavaScript, for Node and without packages: it plays high cards when it leads and low
// ones when it follows, bids with three strong cards, and buries what is left over.
//
//     rookery match --seats "exec:node examples/stdio_bot.mjs,papa" --deals 20
//
// It speaks `rookery-bot/1`: one JSON object a line, in and out; see docs/how-to/write-a-bot.md. It
// knows no rule of the game: whatever it does, it has picked from what it was told it may do.
import { createInterface } from "node:readline";

const ROOK = 99;
const STRONG = 13; // this rank and above

// The Rook ranks highest here; some rules have it lower, and then this bot plays it too early.
const rank = (card) => (card === "RK" ? ROOK : Number(card.slice(1)) || 0);

const byRank = (cards) => [...cards].sort((one, other) => rank(one) - rank(other));

// `legal` comes in three shapes.
function choose(view, legal) {
  if (Array.isArray(legal)) return fromList(view, legal);
  if (legal.call) return `call ${legal.call.from[0]}`;
  const free = byRank(legal.from.filter((card) => !legal.must.includes(card)));
  const cards = [...legal.must, ...free];
  if (!("swap" in legal)) return ["discard", ...cards.slice(0, legal.discard)].join(" ");
  const changed = legal.swap[0]; // how many cards of the nest may change, the fewest first
  const old = cards.filter((card) => view.nest_found.includes(card));
  const other = cards.filter((card) => !view.nest_found.includes(card));
  const kept = old.slice(0, legal.discard - changed);
  return ["discard", ...kept, ...other.slice(0, changed)].join(" ");
}

function fromList(view, legal) {
  if (view.phase === "auction") {
    const bids = legal.filter((action) => action.startsWith("bid "));
    const strong = view.hand.filter((card) => rank(card) >= STRONG).length;
    // Once, and no higher than somebody has to: the first bid in the list is the lowest.
    if (bids.length && strong >= 3 && view.high_bid === null) return bids[0];
    return legal.includes("pass") ? "pass" : legal[0];
  }
  const plays = legal.filter((action) => action.startsWith("play "));
  if (!plays.length) return legal[0];
  const cards = byRank(plays.map((action) => action.slice("play ".length)));
  return `play ${view.trick.length ? cards[0] : cards.at(-1)}`;
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "act") {
    const action = choose(message.view, message.legal);
    process.stdout.write(`${JSON.stringify({ id: message.id, action })}\n`);
  }
  if (message.type === "bye") break;
}
