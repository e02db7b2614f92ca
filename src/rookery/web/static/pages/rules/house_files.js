// House rules as files: the same that `rookery rules check` reads.
import { post } from "../../core/api.js";
import { inWords } from "../../core/i18n.js";
import { Unreadable } from "./house_rules.js";

/** Return the rules that the text of a file holds, JSON or TOML: the server reads it. */
export async function read(text, name) {
  const { rules, problems } = await post(inWords("/api/rules/parse"), { text, name });
  if (!rules) throw new Unreadable("house.unreadable", { problem: problems[0].text });
  return rules;
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
