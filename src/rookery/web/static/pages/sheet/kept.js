// What this browser keeps of score sheets.
import { shelf } from "../../core/shelf.js";

export const sheets = shelf("rookery.sheet.", /^[\w-]{43}$/);
export const { all, change, forget } = sheets;
