// node tape_in_node.mjs KERNELS.js ROOKERY.wasm TAPES: repeats the tapes, one on a line, and prints one line of JSON for each.

import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

// Older versions take a file called .js for no module.
const module = (path) => import(`data:text/javascript;base64,${readFileSync(path).toString("base64")}`);

const [loader, file, tapes] = process.argv.slice(2);
const { open } = await module(loader);
const { repeat } = await module(new URL("tape.js", import.meta.url).pathname);
const bytes = readFileSync(file);
const compiled = new WebAssembly.Module(bytes);
console.log(JSON.stringify({ imports: WebAssembly.Module.imports(compiled), exports: WebAssembly.Module.exports(compiled) }));
const kernels = await open(compiled);
for await (const line of createInterface({ input: createReadStream(tapes) })) console.log(JSON.stringify(repeat(kernels, JSON.parse(line))));
