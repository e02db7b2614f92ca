// The suits: a word, a letter and a shape each, so that nobody needs the colour. Shapes fill a box of
// 24 by 24 around the origin.

export const SHAPES = {
  red: "M0-10.5A10.5 10.5 0 1 0 0 10.5A10.5 10.5 0 1 0 0-10.5Z",
  green: "M0-11.5L11.5 10H-11.5Z",
  yellow: "M0-12L3.3-4L12-3.6L5.3 1.8L7.6 10.2L0 5.5L-7.6 10.2L-5.3 1.8L-12-3.6L-3.3-4Z",
  black: "M-9.5-9.5H9.5V9.5H-9.5Z",
  spades: "M0-12C3-6 11-2 11 4C11 9 4 10 1.5 6L4 12H-4L-1.5 6C-4 10-11 9-11 4C-11-2-3-6 0-12Z",
  hearts: "M0 12C-7 5-12 0-12-5C-12-12-3-12 0-6C3-12 12-12 12-5C12 0 7 5 0 12Z",
  diamonds: "M0-12L9 0L0 12L-9 0Z",
  clubs:
    "M0-12A5.2 5.2 0 0 1 4.2-3.5A5.2 5.2 0 1 1 2 5.5L4 12H-4L-2 5.5A5.2 5.2 0 1 1-4.2-3.5A5.2 5.2 0 0 1 0-12Z",
};

export const SUITS = {
  rook: ["red", "green", "yellow", "black"],
  standard: ["spades", "hearts", "diamonds", "clubs"],
};

const BY_LETTER = {
  rook: { R: "red", G: "green", Y: "yellow", B: "black" },
  standard: { S: "spades", H: "hearts", D: "diamonds", C: "clubs" },
};

/** Return the letter by which records name a suit, whatever the reader's language. */
const letterOf = (suit) => suit[0].toUpperCase();

/** Return the suit of a card's name, "rook" for the Rook and the joker. */
export function suitOf(card, pack) {
  if (card === "RK" || card === "JK") return "rook";
  return BY_LETTER[pack][card[0]];
}

/** Return the rank printed on a card: "14", "K"; empty for the Rook and the joker. */
export function rankOf(card) {
  return card === "RK" || card === "JK" ? "" : card.slice(1);
}

const FACES = { A: 1, J: 11, Q: 12, K: 13 };

/** Return the number of a card's rank as the rules count it; 0 for the Rook and the joker. */
export function rankNumber(card) {
  const rank = rankOf(card);
  return rank ? (FACES[rank] ?? Number(rank)) : 0;
}

/** Return what a card counts, as the options of the rules say. */
export function worthOf(card, options) {
  if (card === "RK" || card === "JK") return options.rook_value;
  return options.counters[card] ?? options.counters[String(rankNumber(card))] ?? 0;
}

/** Return the names of the deck's cards in the order of their numbers: rank by rank, each in all suits. */
export function deckByNumber(options) {
  const rows = deckOf(options);
  const most = Math.max(...options.ranks, ...options.extra_cards.map(rankNumber));
  const numbered = Array.from({ length: most }, (_, i) => rows.flatMap((row) => row.filter((card) => rankNumber(card) === i + 1)));
  return [...numbered.flat(), ...rows.flat().filter((card) => !rankNumber(card))];
}

/** Return the names of the deck's cards by suit, ranks rising, the Rook apart. */
export function deckOf(options) {
  const ranks = [...options.ranks].sort((a, b) => a - b);
  const faces = options.pack === "standard" ? { 1: "A", 11: "J", 12: "Q", 13: "K" } : {};
  const rows = SUITS[options.pack].map((suit) => ranks.map((rank) => letterOf(suit) + (faces[rank] ?? rank)));
  for (const card of options.extra_cards) {
    const row = rows[SUITS[options.pack].indexOf(suitOf(card, options.pack))];
    if (row && !row.includes(card)) row.push(card);
  }
  for (const row of rows) row.sort((a, b) => rankNumber(a) - rankNumber(b));
  return options.rook_in_deck ? [...rows, [options.pack === "rook" ? "RK" : "JK"]] : rows;
}
