// What this browser keeps of score sheets.
import { shelf } from "../../core/shelf.js";

const isTold = (told) => Array.isArray(told?.players) && typeof told.rules?.name === "string";

export const sheets = shelf("rookery.sheet.", /^[\w-]{43}$/, isTold);
export const { all, change, forget } = sheets;
