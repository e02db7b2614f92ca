// Three short sounds, synthesised; silent unless sound is on in the settings.
import { settings } from "./settings.js";

let context = null;
const TUNES = {
  card: [[220, 0.05]],
  turn: [[523, 0.09], [659, 0.12]],
  hand: [[392, 0.1], [523, 0.1], [659, 0.16]],
};

/** Play "card", "turn" or "hand". */
export function play(name) {
  if (!settings.get().sound) return;
  try {
    context ??= new AudioContext();
    let at = context.currentTime;
    for (const [pitch, length] of TUNES[name]) {
      const tone = context.createOscillator();
      const loud = context.createGain();
      tone.frequency.value = pitch;
      tone.type = "triangle";
      loud.gain.setValueAtTime(0.12, at);
      loud.gain.exponentialRampToValueAtTime(0.001, at + length);
      tone.connect(loud).connect(context.destination);
      tone.start(at);
      tone.stop(at + length);
      at += length;
    }
  } catch {
    // No sound device, or the browser wants a tap first: play on without.
  }
}
