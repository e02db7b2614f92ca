// A value that is watched.

/** Return a store: `get()`, `set(value)` and `subscribe(listener)`, which returns how to stop. */
export function createStore(value) {
  const watchers = new Set();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...watchers]) listener(value);
    },
    subscribe(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
  };
}
