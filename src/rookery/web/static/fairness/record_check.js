// A match's record checked in this browser: whether every key fits its fingerprint and leads to the cards.
import { get } from "../core/api.js";
import { deckByNumber } from "../cards/suits.js";
import { inWords } from "../core/i18n.js";
import { dealerOf, leadsTo, opens, rulesKey } from "./deal_check.js";
import { checkRules, getOnce } from "../components/loading.js";

const FORMAT = "rookery/1";
const SCHEME = "rook-deal-1";
const SETS = "rook-set-1"; // the deal of a day, and those of an evening
const THROWN_IN = 20; // deals of a key that are looked at; hardly ever does it take a second one

async function optionsOf(rules) {
  if (typeof rules === "string") return (await get(inWords(`/api/variants/${encodeURIComponent(rules)}`))).options;
  return (await checkRules(rules)).options;
}

// Which deal of a key it is depends on the rules, which say what is thrown in. No page knows them, so of a later one than the
// first this says only that it is one of the key's.
async function verdictOfSet({ deal, nest, dealer, proof }, options, game) {
  const ofDay = proof.day !== undefined;
  const [name, part] = ofDay ? [proof.day, proof.family] : [proof.evening, proof.boards];
  const code = `${name} ${ofDay ? part : proof.number}`;
  if (!(await opens(proof, [name, part, proof.rules]))) return { good: false, key: "fair.key_wrong" };
  if (proof.rules !== game) return { good: false, key: "fair.other_rules" };
  const { seats } = options;
  const turn = ofDay ? await dealerOf(proof, seats) : (proof.number - 1) % seats;
  const listed = ofDay || (proof.number >= 1 && proof.number <= proof.boards);
  for (let number = 0; listed && dealer === turn && number < THROWN_IN; number += 1) {
    const tried = { ...proof, number, shares: [] };
    if (await leadsTo({ deal, nest }, { deck: deckByNumber(options), game, code, seats, proof: tried })) {
      return number ? { good: null, key: "fair.later_deal" } : { good: true, key: "fair.fits" };
    }
  }
  return { good: false, key: "fair.cards_wrong" };
}

async function verdict(hand, options, game) {
  const { deal, nest, proof } = hand;
  if (proof?.scheme === SETS && proof.key) return verdictOfSet(hand, options, game);
  if (!proof || proof.scheme !== SCHEME || !proof.key) return { good: null, key: "fair.no_proof" };
  if (!(await opens(proof, [proof.table, proof.number]))) return { good: false, key: "fair.key_wrong" };
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
