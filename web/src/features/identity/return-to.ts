import type { Location } from 'react-router-dom';
import { stripTagsOfFields, urlParameters } from '../../lib/sanitise.js';
import { sessionStore } from '../../lib/storage.js';
import { safeRedirect } from './safe-redirect.js';

/** Navigation state of /sign-in and /sign-up: where to go afterwards, and what that page was about to do. */
export interface ReturnState {
  readonly returnTo?: string;
  readonly prompt?: string;
  readonly previousState?: unknown;
}

/** A destination with the navigation state that it gets. */
export interface Destination {
  readonly to: string;
  readonly state: unknown;
}

const KEY = 'fanvas.return-to';

/**
 * Where a sign-in or sign-up page leads: `returnTo` of the navigation state, else the query parameter `redirect_url`, else
 * what an earlier page of the same sign-in remembered (a reload in the middle of it), else `/`.
 */
export function destinationOf(location: Location): Destination {
  const state = (stripTagsOfFields(location.state) ?? {}) as ReturnState;
  const asked = state.returnTo ?? urlParameters(location.search).get('redirect_url');
  if (!asked) return recall() ?? { to: '/', state: null };
  const to = safeRedirect(asked);
  // The link between sign-in and sign-up carries the path on, but not the state.
  const remembered = recall();
  const kept = state.returnTo === undefined && remembered?.to === to ? remembered.state : null;
  const destination = { to, state: state.previousState ?? (state.prompt ? { prompt: state.prompt } : kept) };
  sessionStore.set(KEY, JSON.stringify(destination));
  return destination;
}

/** Ends the memory of {@link destinationOf}, once the person is there. */
export function forgetDestination(): void {
  sessionStore.remove(KEY);
}

/** What {@link destinationOf} remembered last; only for the way back from the identity SDK. */
export function recall(): Destination | null {
  const text = sessionStore.get(KEY);
  if (!text) return null;
  try {
    const { to, state } = JSON.parse(text) as Destination;
    return { to: safeRedirect(to), state };
  } catch (error) {
    console.warn('What was remembered of the sign-in is not readable', error);
    forgetDestination();
    return null;
  }
}
