// What this browser keeps of evenings: a key is a host's, or with a number before it a table's.
import { shelf } from "../../core/shelf.js";

const isTold = (told) => Array.isArray(told?.evening?.people);

export const evenings = shelf("rookery.evening.", /^([\w-]{43}|[1-9]\d{0,2}-[\da-f]{32})$/, isTold);
