// What people look for by a word: variants of the catalogue, options of the rules.
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}_-]+/gu, " ").trim();

/**
 * Return those of `all` whose text, `textOf(one)`, has the words side by side; where there are none, those that
 * have each of them somewhere; where there are none, those that have the most. A word may be cut off at its end.
 */
export function found(all, word, textOf) {
  const words = plain(word).split(" ");
  const texts = new Map(all.map((one) => [one, ` ${plain(textOf(one))}`]));
  const together = all.filter((one) => texts.get(one).includes(` ${words.join(" ")}`));
  if (together.length) return together;
  const had = (one) => words.filter((part) => texts.get(one).includes(` ${part}`)).length;
  const most = Math.max(0, ...all.map(had));
  return most ? all.filter((one) => had(one) === most) : [];
}
