import { isAspectRatio, type AspectRatio } from '../../../../src/contract/aspect-ratios.js';
import type { ImageInfo } from '../../../../src/contract/media.js';
import { viewer } from '../../lib/auth.js';
import { sanitiseIdentifier } from '../../lib/sanitise.js';
import { localStore } from '../../lib/storage.js';
import { returnPlaceOf, type ReturnPlace } from '../../lib/return-place.js';
import { createListeners } from '../../lib/listeners.js';

/** The image that a remix starts from (fan spec, section 3). */
export interface RemixSource {
  /** Its prompt. */
  readonly title: string;
  /** Path of its page. */
  readonly url: string;
  /** The picture itself; absent in older history entries. */
  readonly image?: ImageInfo | undefined;
}

/** Navigation state of a generation page. All fields are optional: the page works from its address alone. */
export interface GenerationNavState {
  readonly prompt?: string | undefined;
  /** The shape of the image, so that its frame has it at once. */
  readonly aspectRatio?: AspectRatio | undefined;
  readonly creatorId?: string | undefined;
  /** The server owns the model; these stay null. */
  readonly deploymentName?: string | null | undefined;
  readonly loraId?: string | null | undefined;
  readonly useDeployment?: boolean | null | undefined;
  readonly predictionId?: string | null | undefined;
  /** Target of the back link. */
  readonly returnTo?: string | undefined;
  /** Place of the picture on that page. */
  readonly returnPlace?: ReturnPlace | undefined;
  /** The image that this prompt was taken from. */
  readonly remixSource?: RemixSource | undefined;
  /** The fan comes back from the sign-up that Generate asked for. */
  readonly resume?: boolean | undefined;
  /** Browser clock (ms) at the start in this tab. Distinguishes a fresh state from one found after a reload. */
  readonly startedAt?: number | undefined;
}

/** Reads a navigation state; skips fields of another shape, because history entries outlive releases. */
export function generationNavState(state: unknown): GenerationNavState {
  const fields = (typeof state === 'object' && state !== null ? state : {}) as Record<string, unknown>;
  const text = (key: string): string | undefined => (typeof fields[key] === 'string' ? fields[key] : undefined);
  return {
    prompt: text('prompt'),
    aspectRatio: isAspectRatio(fields['aspectRatio']) ? fields['aspectRatio'] : undefined,
    creatorId: text('creatorId'),
    predictionId: text('predictionId'),
    returnTo: text('returnTo'),
    returnPlace: returnPlaceOf(fields['returnPlace']),
    remixSource: remixSourceOf(fields['remixSource']),
    resume: fields['resume'] === true || undefined,
    startedAt: typeof fields['startedAt'] === 'number' ? fields['startedAt'] : undefined,
  };
}

function remixSourceOf(value: unknown): RemixSource | undefined {
  const { title, url, image } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof title !== 'string' || typeof url !== 'string' || !isOwnPath(url)) return undefined;
  return { title, url, image: imageOf(image) };
}

/** A picture of this site, in its largest size only: enough for a preview. */
function imageOf(value: unknown): ImageInfo | undefined {
  const { url, width, height, thumbhash } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  if (typeof url !== 'string' || !isOwnPath(url) || typeof width !== 'number' || typeof height !== 'number') {
    return undefined;
  }
  return { url, width, height, thumbhash: typeof thumbhash === 'string' ? thumbhash : '', sources: [] };
}

/** True for a path of this site; false for `//host` and `/\host`, which browsers resolve to another site. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path);
}

/** Another person of this browser must not learn of the generation. */
const runningKey = (): string => `fanvas.last-generation.${sanitiseIdentifier(viewer().user?.id ?? '')}`;

const { subscribe, notify } = createListeners();

/** Calls back when the running generation changes, in any tab; returns a function that unsubscribes. */
export function subscribeRunning(listener: () => void): () => void {
  const unsubscribe = subscribe(listener);
  window.addEventListener('storage', listener);
  return () => {
    unsubscribe();
    window.removeEventListener('storage', listener);
  };
}

/** Stores the path of the running generation, so that other pages can link to it. */
export function rememberRunning(path: string): void {
  localStore.set(runningKey(), path);
  notify();
}

/** The path of the generation that the person last started in this browser; null once its end was seen. */
export function runningPath(): string | null {
  const path = localStore.get(runningKey());
  return path !== null && isOwnPath(path) ? path : null;
}

/** Removes the path; false when it was removed before. */
export function forgetRunning(path: string): boolean {
  if (localStore.get(runningKey()) !== path) return false;
  localStore.remove(runningKey());
  notify();
  return true;
}
