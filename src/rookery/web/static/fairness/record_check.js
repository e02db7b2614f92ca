// A match's record checked in this browser: whether every key fits its fingerprint and leads to the cards.
import { get } from "../core/api.js";
import { deckByNumber } from "../cards/suits.js";
import { inWords } from "../core/i18n.js";
import { leadsTo, opens, rulesKey } from "./deal_check.js";
import { checkRules, getOnce } from "../components/loading.js";

const FORMAT = "rookery/1";
const SCHEME = "rook-deal-1";

async function optionsOf(rules) {
  if (typeof rules === "string") return (await get(inWords(`/api/variants/${encodeURIComponent(rules)}`))).options;
  return (await checkRules(rules)).options;
}

async function verdict({ deal, nest, proof }, options, game) {
  if (!proof || proof.scheme !== SCHEME || !proof.key) return { good: null, key: "fair.no_proof" };
  if (!(await opens(proof, proof.table))) return { good: false, key: "fair.key_wrong" };
  if (proof.rules !== game) return { good: false, key: "fair.other_rules" };
  const fits = await leadsTo({ deal, nest }, { deck: deckByNumber(options), game, code: proof.table, seats: options.seats, proof });
  return fits ? { good: true, key: "fair.fits" } : { good: false, key: "fair.cards_wrong" };
}

/**
 * Return what this browser finds in the text of a record: a verdict a hand, {good, key}, where key is a text's
 * and good is null where nothing can be said. Throws {code: "not-a-record"} for any other text.
 */
export async function checked(text) {
  try {
    const { format, rules, hands } = JSON.parse(text);
    if (format !== FORMAT || !hands.length) throw new TypeError(format);
    const options = await optionsOf(rules);
    const game = await rulesKey(options, await getOnce("/api/rules/schema"));
    return await Promise.all(hands.map((hand) => verdict({ nest: [], ...hand }, options, game)));
  } catch (error) {
    if (error.status !== undefined) throw error;
    throw Object.assign(new Error("no record"), { code: "not-a-record" });
  }
}
