// A value that is watched.

/** Return a store: `get()`, `set(value)` and `subscribe(told)`, which returns how to stop. */
export function createStore(value) {
  const watchers = new Set();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const told of [...watchers]) told(value);
    },
    subscribe(told) {
      watchers.add(told);
      return () => watchers.delete(told);
    },
  };
}
