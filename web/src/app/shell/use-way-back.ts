import { useLocation, type Location } from 'react-router-dom';
import type { ReturnState } from '../../features/identity/return-to.js';

/** The state for a link to sign-in or sign-up: back to this page, as it is. On those pages themselves it is set already. */
export function useWayBack(): ReturnState | undefined {
  const { pathname, search, state } = useLocation() as Location<unknown>;
  if (/^\/(sign-in|sign-up|oauth)(\/|$)/.test(pathname)) return undefined;
  return { returnTo: pathname + search, previousState: state };
}
