import { localStore } from '../../lib/storage.js';

/** Navigation state of a generation page. All of it is a convenience: the page also works from its address alone. */
export interface GenerationNavState {
  readonly prompt?: string;
  readonly creatorId?: string;
  /** The server owns the model; these stay null. */
  readonly deploymentName?: string | null;
  readonly loraId?: string | null;
  readonly useDeployment?: boolean | null;
  readonly predictionId?: string | null;
  /** Where the back arrow leads. */
  readonly returnTo?: string;
  /** Browser clock (ms) when it was started here; a state found again after a reload is told from a fresh one by it. */
  readonly startedAt?: number;
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
    startedAt: typeof fields['startedAt'] === 'number' ? fields['startedAt'] : undefined,
  };
}

/** Address of a generation. */
export function generationPath(username: string, generationId: string): string {
  return `/${encodeURIComponent(username)}/generate/${encodeURIComponent(generationId)}`;
}

const LAST_STARTED_KEY = 'fanvas.last-generation';

/** Remembers the address of the running generation, so that other pages can lead back to it. */
export function rememberRunning(path: string): void {
  localStore.set(LAST_STARTED_KEY, path);
}

/** The address of the generation that was last started in this browser, until it was seen to end. */
export function runningPath(): string | null {
  const path = localStore.get(LAST_STARTED_KEY);
  return path?.startsWith('/') && !path.startsWith('//') ? path : null;
}

export function forgetRunning(path: string): void {
  if (localStore.get(LAST_STARTED_KEY) === path) localStore.remove(LAST_STARTED_KEY);
}
