// The kernels as WebAssembly, and the memory that they work in. There is no rule here: the file itself says which kernels it
// has, what each takes, and how records are laid out. Runs in a page, in a worker and in Node; docs/design/wasm.md.

const CELL = 8; // bytes: every number is an int64 or a float64
const PAGE = 65536; // bytes by which memory grows

/** A piece of the kernels' memory: records of one kind, or numbers (`int` or `float`). */
export class Cells {
  #memory;
  #places;

  constructor(memory, kind, count, address, places) {
    Object.assign(this, { kind, count, address });
    this.#memory = memory;
    this.#places = places;
  }

  /** How many bytes it has. */
  get size() {
    return this.count * (this.#places ? this.#places.size : 1) * CELL;
  }

  // Views are made anew each time: memory that grows leaves the old ones empty.
  /** Its cells as they are now; what is written here is written in the memory. */
  get cells() {
    const kind = this.kind === "float" ? Float64Array : BigInt64Array;
    return new kind(this.#memory.buffer, this.address, this.size / CELL);
  }

  /** Its bytes, likewise. */
  get bytes() {
    return new Uint8Array(this.#memory.buffer, this.address, this.size);
  }

  /** One record of a list, in the same memory. */
  one(record) {
    if (!(record >= 0 && record < this.count)) throw new TypeError(`there is no record ${record} of ${this.count} of ${this.kind}`);
    const size = this.#places ? this.#places.size * CELL : CELL;
    return new Cells(this.#memory, this.kind, 1, this.address + record * size, this.#places);
  }

  /** The cells of a field, likewise; `record` is its place in a list of records. */
  field(name, record = 0) {
    const place = this.#places && this.#places.fields[name];
    if (!place || !(record >= 0 && record < this.count)) throw new TypeError(`${this.kind} ${record} of ${this.count} has no field ${name}`);
    const at = record * this.#places.size + place[0];
    return this.cells.subarray(at, at + place[1]);
  }
}

/** The kernels of one file, with a memory of their own. */
export class Kernels {
  #exports;
  #next;
  #places = {};

  constructor(instance) {
    this.#exports = instance.exports;
    this.#next = Number(instance.exports.__heap_base.value);
    const memory = new Uint8Array(this.#exports.memory.buffer);
    const at = this.#exports.rookery_contents();
    /** What the file says of itself: `api`, `kernels` and `records`. */
    this.contents = JSON.parse(new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at))));
    for (const [kind, fields] of Object.entries(this.contents.records)) {
      let size = 0;
      const places = {};
      const begun = [];
      for (const [name, cells, start] of fields) {
        places[name] = [size, cells || 1];
        size += cells || 1;
        while (begun.length < size) begun.push(BigInt(start));
      }
      this.#places[kind] = { size, fields: places, begun };
    }
  }

  /** Where the next piece of memory will begin; `release(mark)` gives back all that was taken since. */
  get mark() {
    return this.#next;
  }

  /** Give back all memory that was taken since `mark`. */
  release(mark) {
    this.#next = mark;
  }

  /** Return new records of a kind as they are at first, or numbers (`int`, `float`), all 0; or these bytes. */
  make(kind, count = 1, bytes = undefined) {
    const places = this.#places[kind];
    if (!places && kind !== "int" && kind !== "float") throw new TypeError(`there is no record ${kind}`);
    const { memory } = this.#exports;
    const made = new Cells(memory, kind, count, Math.ceil(this.#next / 16) * 16, places);
    if (bytes && bytes.length !== made.size) throw new TypeError(`${count} of ${kind} are ${made.size} bytes, got ${bytes.length}`);
    this.#next = made.address + made.size;
    const short = this.#next - memory.buffer.byteLength;
    if (short > 0) memory.grow(Math.ceil(short / PAGE));
    made.bytes.fill(0);
    if (bytes) made.bytes.set(bytes);
    else if (places) for (let i = 0; i < count; i += 1) made.cells.set(places.begun, i * places.size);
    return made;
  }

  /** Return what a kernel returns: a BigInt, a number, or nothing. `given` are numbers and `Cells`, as its `takes` says. */
  call(name, ...given) {
    const kernel = this.contents.kernels[name];
    if (!kernel) throw new TypeError(`there is no kernel ${name}`);
    const { takes } = kernel;
    if (given.length !== takes.length) throw new TypeError(`${name} takes ${takes.length}, got ${given.length}`);
    const passed = [];
    takes.forEach((word, i) => {
      const value = given[i];
      if (word === "int") return passed.push(BigInt(value));
      if (word === "float") return passed.push(Number(value));
      const list = word.endsWith("[]");
      const fits = value instanceof Cells && value.kind === word.replace("[]", "") && (list || value.count === 1);
      if (!fits) throw new TypeError(`${name} takes ${word}, got ${value instanceof Cells ? `${value.count} of ${value.kind}` : typeof value}`);
      return list ? passed.push(value.address, BigInt(value.count)) : passed.push(value.address);
    });
    return this.#exports[name](...passed);
  }
}

/** Return the kernels of a file: its bytes, a compiled module, or the answer to a request for it. */
export async function open(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return new Kernels(await WebAssembly.instantiate(given));
  const bytes = typeof Response === "function" && given instanceof Response ? await given.arrayBuffer() : given;
  return new Kernels((await WebAssembly.instantiate(bytes)).instance);
}
