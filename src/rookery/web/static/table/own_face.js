// The face that I have chosen on this device goes with me to every table.
import { settings } from "../core/settings.js";
import { useEffect, useRef, useStore } from "../core/ui.js";

const RESTS = 600; // milliseconds a choice has to stand: arrow keys go through many faces to the one that is meant

/** Shows it at my seat when I sit down, and when I choose another; draws nothing. */
export function OwnFace({ room, table }) {
  const { face } = useStore(settings);
  const { you } = table;
  const isRefused = useRef(false); // then it is sent again when the table changes, and with each hand
  // Not when somebody else's device, which is mine too, has just shown another one.
  useEffect(() => {
    if (you === null || face === null) return undefined;
    const timer = setTimeout(async () => {
      const now = room.state.get().table;
      if (now.you === you && now.seats[you].face !== face) isRefused.current = !(await room.ask({ type: "face", face }));
    }, RESTS);
    return () => clearTimeout(timer);
  }, [you, face, isRefused.current && table.hand_number]);
  return null;
}
