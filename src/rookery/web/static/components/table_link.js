// The way in for friends, as the server says it: this page may stand at an address of this computer alone.
import { get } from "../core/api.js";
import { useEffect, useState } from "../core/ui.js";

/** Return the link that takes a friend to the table, "" until the server has said it. */
export function useLink(code) {
  const [link, set] = useState("");
  useEffect(() => {
    let wanted = true;
    get(`/api/tables/${encodeURIComponent(code)}`).then(
      (found) => wanted && set(found.link),
      () => wanted && set(`${location.origin}/t/${code}`),
    );
    return () => {
      wanted = false;
    };
  }, [code]);
  return link;
}
