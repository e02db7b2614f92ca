// node tape_in_node.mjs KERNELS.js ROOKERY.wasm TAPES: repeats the tapes, one on a line, and prints one line of JSON for each.

import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

// Older versions take a file called .js for no module.
const module = (path) => import(`data:text/javascript;base64,${readFileSync(path).toString("base64")}`);

// Code that may lie anywhere, as Pyodide loads it: it asks for a memory, and where it lies in it.
function placed(compiled) {
  const memory = new WebAssembly.Memory({ initial: 64 });
  const number = (value, mutable = false) => new WebAssembly.Global({ value: "i32", mutable }, value);
  const [base, heap] = [1 << 20, 1 << 21];
  const env = { memory, __memory_base: number(base), __stack_pointer: number(base, true), __table_base: number(0) };
  return { exports: { ...new WebAssembly.Instance(compiled, { env }).exports, memory, __heap_base: number(heap) } };
}

const [loader, file, tapes] = process.argv.slice(2);
const { Kernels, open } = await module(loader);
const { repeat } = await module(new URL("tape.js", import.meta.url).pathname);
const compiled = new WebAssembly.Module(readFileSync(file));
const imports = WebAssembly.Module.imports(compiled).map((one) => one.name);
console.log(JSON.stringify({ imports, exports: WebAssembly.Module.exports(compiled).map((one) => one.name) }));
const kernels = imports.length ? new Kernels(placed(compiled)) : await open(compiled);
for await (const line of createInterface({ input: createReadStream(tapes) })) console.log(JSON.stringify(repeat(kernels, JSON.parse(line))));
