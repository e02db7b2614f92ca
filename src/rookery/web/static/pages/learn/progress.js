// How far somebody has come with the lessons: kept in this browser alone.
const KEY = "rookery.lessons";

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || {};
  } catch {
    return {};
  }
}

/** Return what is kept of a lesson: {version, trail, done}. */
export const progressOf = (id) => kept()[id] || {};

/** Keep something of a lesson; a browser that keeps nothing begins it again. */
export function keep(id, some) {
  const all = kept();
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all, [id]: { ...all[id], ...some } }));
  } catch {
    // Private windows may refuse storage.
  }
}
