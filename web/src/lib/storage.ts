/**
 * Browser storage that may be missing or full (private windows, blocked site data). It holds conveniences only, so a
 * failure is logged and never shown.
 */
export interface SmallStore {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

interface BrowserStore extends SmallStore {
  /** Removes every key of this origin. */
  clear(): void;
}

function safely(open: () => Storage): BrowserStore {
  const attempt = <T>(act: (storage: Storage) => T, otherwise: T): T => {
    if (typeof window === 'undefined') return otherwise;
    try {
      return act(open());
    } catch (error) {
      console.warn('Browser storage is not available', error);
      return otherwise;
    }
  };
  return {
    get: (key) => attempt((storage) => storage.getItem(key), null),
    set: (key, value) => attempt((storage) => storage.setItem(key, value), undefined),
    remove: (key) => attempt((storage) => storage.removeItem(key), undefined),
    clear: () => attempt((storage) => storage.clear(), undefined),
  };
}

export const localStore = safely(() => window.localStorage);
export const sessionStore = safely(() => window.sessionStorage);
