// House rules as files: the same that `rookery rules check` reads.
import { Unreadable, checked } from "./house_rules.js";
import { parseToml } from "../toml.js";

/** Return the rules that the text of a file holds, JSON or TOML. */
export function read(text) {
  const plain = text.replace(/^\uFEFF/, "");
  let value;
  if (plain.trimStart().startsWith("{")) {
    try {
      value = JSON.parse(plain);
    } catch {
      throw new Unreadable("house.bad_json");
    }
  } else {
    try {
      value = parseToml(plain);
    } catch (error) {
      throw new Unreadable("house.bad_toml", { line: error.line });
    }
  }
  return checked(value);
}

/** Give the browser a file of these rules to keep. */
export function download(rules) {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(rules, null, 2)}\n`], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${rules.name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase() || "rules"}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
