import { useLocation, type Location } from 'react-router-dom';

/** Navigation state of /sign-in and /sign-up: the page to return to, and its state. */
export interface ReturnState {
  readonly returnTo?: string;
  readonly prompt?: string;
  readonly previousState?: unknown;
}

/**
 * Navigation state for a link to sign-in or sign-up, to return to this page. The sign-in pages already have it.
 */
export function useWayBack(): ReturnState | undefined {
  const { pathname, search, state } = useLocation() as Location<unknown>;
  if (/^\/(sign-in|sign-up|oauth)(\/|$)/.test(pathname)) return undefined;
  return { returnTo: pathname + search, previousState: state };
}
