/** The listeners of a state outside of React, as `useSyncExternalStore` needs them. */
export interface Listeners {
  /** Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly notify: () => void;
}

/** The state calls `notify` after each change. */
export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify: () => {
      for (const listener of [...listeners]) listener();
    },
  };
}
