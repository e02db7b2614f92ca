// Repeats tapes (tests/engine/tape.py) by the kernels in WebAssembly, in Node and in a browser.

const words = (piece) => new Uint32Array(piece.bytes.buffer, piece.address, piece.size / 4);

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));

// Writes numbers into cells: [which list, which cell, number], one after the other.
function write(lists, changes) {
  for (let i = 0; i < changes.length; i += 3) lists[changes[i]][changes[i + 1]] = BigInt(changes[i + 2]);
}

function difference(kernels, piece, expected) {
  const there = words(piece);
  const wanted = new Uint32Array(expected.buffer);
  const at = there.findIndex((word, i) => word !== wanted[i]);
  if (at < 0) return "";
  const cell = at >> 1;
  const ints = new BigInt64Array(piece.bytes.buffer, piece.address, piece.size / 8);
  const fields = kernels.contents.records[piece.kind] || [];
  let left = cell % (expected.length / piece.count);
  const field = fields.find(([, size]) => (left -= size || 1) < 0);
  return `${piece.kind}.${field ? field[0] : cell}: ${expected[cell]} and ${ints[cell]}`;
}

/** Return how many steps of a tape the kernels did alike, the first difference ("" for none), and the time of each call. */
export function repeat(kernels, steps) {
  const start = kernels.mark;
  const pieces = [];
  const expected = [];
  const ms = [];
  let agreed = 0;
  const end = (told) => {
    kernels.release(start);
    return { agreed, difference: told, ms };
  };
  for (const step of steps) {
    for (const [kind, count, hex] of step.new) {
      const piece = kernels.make(kind, count, hex ? bytesOf(hex) : undefined);
      pieces.push(piece);
      expected.push(new BigInt64Array(piece.bytes.slice().buffer));
    }
    const views = pieces.map((piece) => new BigInt64Array(piece.bytes.buffer, piece.address, piece.size / 8));
    write(views, step.before);
    write(expected, step.before);
    const used = [];
    const given = step.given.map((one) => {
      if (!Array.isArray(one)) return one;
      used.push(one[0]);
      return one[1] < 0 ? pieces[one[0]] : pieces[one[0]].one(one[1]);
    });
    const began = performance.now();
    const returned = kernels.call(step.call, ...given);
    ms.push(performance.now() - began);
    write(expected, step.after);
    const told = returned === undefined ? "" : returned;
    const agrees = typeof told === "number" ? told === Number(step.returns) : String(told) === step.returns;
    const wrong = !agrees ? `${step.returns} and ${told}` : used.map((i) => difference(kernels, pieces[i], expected[i])).find(Boolean);
    if (wrong) return end(`step ${agreed}, ${step.call}: ${wrong}`);
    agreed += 1;
  }
  // What no kernel was given must be as it was.
  const last = pieces.map((piece, i) => difference(kernels, piece, expected[i])).find(Boolean);
  return end(last ? `after all: ${last}` : "");
}
