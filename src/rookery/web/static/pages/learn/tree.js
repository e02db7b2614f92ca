// Reading a lesson's tree: frames are what differs from the frame before them.

/** Return the frame of that number as a snapshot's view, with `trumps` and `led`. */
export function frameAt(tree, number) {
  const [before, changed] = tree.frames[number];
  return before < 0 ? changed : { ...frameAt(tree, before), ...changed };
}

/** Return a frame as the parts of the table page read it: like a snapshot. `mine` is the learner's name. */
export function tableAt(tree, number, mine) {
  const { trumps, led, ...view } = frameAt(tree, number);
  const seats = tree.players.map((name, seat) => ({
    ...(seat === tree.you ? { name: mine || name, kind: "person", bot: null } : { name, kind: "bot", bot: "club" }),
    here: true, spare: false, total: 0,
  }));
  return {
    code: "", title: "", phase: "playing", you: tree.you, host: tree.you, seq: number, rules: tree.rules, sides: tree.sides, seats,
    view, trumps, led, hands: [], hand_number: 0, match_number: 0, pending: null, turn_clock: null, winners: null, ready: [],
  };
}

const byName = (cards) => [...cards].sort().join(" ");

/** Return where a choice leads: {good, frames, next} or {good: false, why, frames, card, costs}. */
export function wayOf(node, action) {
  const [verb, ...cards] = action.split(" ");
  if (verb !== "discard") return node.ways[action];
  const known = Object.keys(node.ways).find((one) => byName(one.split(" ").slice(1)) === byName(cards));
  if (known) return node.ways[known];
  const card = cards.find((one) => one in node.stay);
  return { good: false, why: node.stay[card], card, costs: node.costs?.[card] };
}

/** Return whether a trick is complete with this frame. */
export function endsTrick(tree, number) {
  const [before, { tricks }] = tree.frames[number];
  return before >= 0 && Boolean(tricks) && tricks.length > frameAt(tree, before).tricks.length;
}
