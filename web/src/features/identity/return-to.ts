import type { Location } from 'react-router-dom';
import { stripTagsOfFields, urlParameters } from '../../lib/sanitise.js';
import { sessionStore } from '../../lib/storage.js';
import type { ReturnState } from '../../lib/way-back.js';
import { safeRedirect } from './safe-redirect.js';

/** A path and its navigation state. */
export interface Destination {
  readonly to: string;
  readonly state: unknown;
}

const KEY = 'fanvas.return-to';

/**
 * The destination after a sign-in or sign-up: `returnTo` of the navigation state, else the query parameter
 * `redirect_url`, else the one stored by an earlier page of the same sign-in (for example before a reload), else `/`.
 */
export function destinationOf(location: Location): Destination {
  const state = (stripTagsOfFields(location.state) ?? {}) as ReturnState;
  const asked = state.returnTo ?? urlParameters(location.search).get('redirect_url');
  if (!asked) return recall() ?? { to: '/', state: null };
  const to = safeRedirect(asked);
  // The link between sign-in and sign-up passes the path on, but not the state.
  const remembered = recall();
  const kept = state.returnTo === undefined && remembered?.to === to ? remembered.state : null;
  const destination = { to, state: state.previousState ?? (state.prompt ? { prompt: state.prompt } : kept) };
  sessionStore.set(KEY, JSON.stringify(destination));
  return destination;
}

/** Forgets the stored destination after arrival. */
export function forgetDestination(): void {
  sessionStore.remove(KEY);
}

/** The stored destination, for the return from the identity SDK. */
export function recall(): Destination | null {
  const text = sessionStore.get(KEY);
  if (!text) return null;
  try {
    const { to, state } = JSON.parse(text) as Destination;
    return { to: safeRedirect(to), state };
  } catch (error) {
    console.warn('The stored destination of the sign-in is not readable', error);
    forgetDestination();
    return null;
  }
}
