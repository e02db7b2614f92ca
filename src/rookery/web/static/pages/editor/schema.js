// The form's fields, made of the JSON schema of a rule set. The schema says which options there are, what they
// may be and which group they belong to; only that one list is an order is said here.
const ORDERS = new Set(["declaration_order"]);

const resolved = (spec, defs) => (spec.$ref ? defs[spec.$ref.split("/").pop()] : spec);

// One of several shapes: words that stand for themselves, a number, or a number with a name.
function alternatives(specs, defs) {
  return specs.flatMap((each) => {
    const spec = resolved(each, defs);
    if (spec.enum) return spec.enum.map((value) => ({ word: value, value }));
    if ("const" in spec) return [{ word: spec.const, value: spec.const }];
    if (spec.type === "integer") return [{ word: "number", inner: spec, part: null }];
    const [part, inner] = Object.entries(spec.properties)[0];
    return [{ word: part, inner, part }];
  });
}

function shape(name, spec, defs) {
  if (spec.anyOf) return { kind: "union", ways: alternatives(spec.anyOf, defs) };
  if (spec.enum) return { kind: "choice", words: spec.enum };
  if (spec.type === "boolean") return { kind: "switch" };
  if (spec.type === "integer") return { kind: "number", least: spec.minimum, most: spec.maximum };
  if (spec.type === "object" && spec.additionalProperties) return { kind: "worth", inner: spec.additionalProperties };
  if (spec.type === "object") return { kind: "parts", parts: Object.entries(spec.properties).map(([part, inner]) => [part, inner.enum]) };
  const item = resolved(spec.items, defs);
  if (item.discriminator) {
    const kinds = Object.entries(item.discriminator.mapping).map(([word, ref]) => {
      const { value } = resolved({ $ref: ref }, defs).properties;
      return [word, shape(word, value, defs)];
    });
    return { kind: "specials", kinds };
  }
  if (item.enum) return { kind: ORDERS.has(name) ? "order" : "several", words: item.enum };
  if (item.type === "integer") return { kind: "ranks", least: item.minimum, most: item.maximum };
  return { kind: "names" };
}

/** Return [[group, [{name, kind, ...}, ...]], ...]; an option with one possible value is left out. */
export function groupsOf(schema) {
  const defs = schema.$defs || {};
  const groups = new Map();
  for (const [name, raw] of Object.entries(schema.properties)) {
    const { group } = raw;
    const spec = { ...raw, ...resolved(raw, defs) };
    if (!group || "const" in spec) continue;
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push({ name, ...shape(name, spec, defs) });
  }
  return [...groups];
}

/** Return whether two option values say the same. */
export function same(a, b) {
  if (a === b) return true;
  if (!a || !b || typeof a !== "object" || typeof b !== "object" || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}
