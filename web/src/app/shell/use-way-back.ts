import { useLocation, type Location } from 'react-router-dom';
import type { ReturnState } from '../../features/identity/return-to.js';

/**
 * Navigation state for a link to sign-in or sign-up, to return to this page. The sign-in pages already have it.
 */
export function useWayBack(): ReturnState | undefined {
  const { pathname, search, state } = useLocation() as Location<unknown>;
  if (/^\/(sign-in|sign-up|oauth)(\/|$)/.test(pathname)) return undefined;
  return { returnTo: pathname + search, previousState: state };
}
