import { localStore } from '../../lib/storage.js';
import { returnPlaceOf, type ReturnPlace } from '../../lib/return-place.js';

/** The image that a remix starts from (fan spec, section 3). */
export interface RemixSource {
  /** Its prompt. */
  readonly title: string;
  /** Path of its page. */
  readonly url: string;
}

/** Navigation state of a generation page. All of it is a convenience: the page also works from its address alone. */
export interface GenerationNavState {
  readonly prompt?: string | undefined;
  readonly creatorId?: string | undefined;
  /** The server owns the model; these stay null. */
  readonly deploymentName?: string | null | undefined;
  readonly loraId?: string | null | undefined;
  readonly useDeployment?: boolean | null | undefined;
  readonly predictionId?: string | null | undefined;
  /** Where the back arrow leads. */
  readonly returnTo?: string | undefined;
  /** Which picture of that page it stands for. */
  readonly returnPlace?: ReturnPlace | undefined;
  /** The image that this prompt was taken from. */
  readonly remixSource?: RemixSource | undefined;
  /** Browser clock (ms) when it was started here; a state found again after a reload is told from a fresh one by it. */
  readonly startedAt?: number | undefined;
}

/** The navigation state as far as it has the right shape: history entries outlive releases. */
export function generationNavState(state: unknown): GenerationNavState {
  const fields = (typeof state === 'object' && state !== null ? state : {}) as Record<string, unknown>;
  const text = (key: string): string | undefined => (typeof fields[key] === 'string' ? fields[key] : undefined);
  return {
    prompt: text('prompt'),
    creatorId: text('creatorId'),
    predictionId: text('predictionId'),
    returnTo: text('returnTo'),
    returnPlace: returnPlaceOf(fields['returnPlace']),
    remixSource: remixSourceOf(fields['remixSource']),
    startedAt: typeof fields['startedAt'] === 'number' ? fields['startedAt'] : undefined,
  };
}

function remixSourceOf(value: unknown): RemixSource | undefined {
  const { title, url } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof title !== 'string' || typeof url !== 'string' || !isOwnPath(url)) return undefined;
  return { title, url };
}

/** A path on this site and nothing that browsers take for another one. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path);
}

const LAST_STARTED_KEY = 'fanvas.last-generation';

const listeners = new Set<() => void>();

/** Calls back when the running generation changes, in this tab or another one; returns how to stop. */
export function subscribeRunning(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function tellOthers(): void {
  for (const listener of [...listeners]) listener();
}

/** Remembers the address of the running generation, so that other pages can lead back to it. */
export function rememberRunning(path: string): void {
  localStore.set(LAST_STARTED_KEY, path);
  tellOthers();
}

/** The address of the generation that was last started in this browser, until it was seen to end. */
export function runningPath(): string | null {
  const path = localStore.get(LAST_STARTED_KEY);
  return path !== null && isOwnPath(path) ? path : null;
}

/** False when it was forgotten before. */
export function forgetRunning(path: string): boolean {
  if (localStore.get(LAST_STARTED_KEY) !== path) return false;
  localStore.remove(LAST_STARTED_KEY);
  tellOthers();
  return true;
}
