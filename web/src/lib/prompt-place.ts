import { sessionStore } from './storage.js';

/** A page with a prompt box, and what was written there. */
export interface PromptPlace {
  /** Path of the page. */
  readonly path: string;
  readonly creatorName: string;
  /** '' when nothing was written. */
  readonly prompt: string;
}

const KEY = 'fanvas.prompt-place';

/** Stores where the fan was about to write, in this tab: a payment leads back there. */
export function rememberPromptPlace(place: PromptPlace): void {
  sessionStore.set(KEY, JSON.stringify(place));
}

/** Forgets the place: another person has come. */
export function forgetPromptPlace(): void {
  sessionStore.remove(KEY);
}

/** The page with a prompt box that this tab showed last; null when there was none. */
export function promptPlace(): PromptPlace | null {
  try {
    const { path, creatorName, prompt } = JSON.parse(sessionStore.get(KEY) ?? '{}') as Record<string, unknown>;
    // A path of this site: `//host` and `/\\host` are other sites.
    if (typeof path !== 'string' || !/^\/(?![/\\])/.test(path) || typeof creatorName !== 'string') return null;
    return { path, creatorName, prompt: typeof prompt === 'string' ? prompt : '' };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}
