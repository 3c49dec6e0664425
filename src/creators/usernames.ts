import { RESERVED_SEGMENTS } from '../contract/paths.js';

/**
 * First path segments that no creator may have as a username: routes of the spec, paths that the server answers, and
 * words that would mislead. A creator's page at such a path would hide the route.
 */
export const RESERVED_USERNAMES: ReadonlySet<string> = new Set([
  ...RESERVED_SEGMENTS,
  // names that would look official
  'about',
  'account',
  'api',
  'fanvas',
  'help',
  'home',
  'login',
  'logout',
  'me',
  'official',
  'privacy',
  'search',
  'settings',
  'signin',
  'signup',
  'static',
  'support',
  'terms',
  'unknown',
  'user',
  'users',
]);

/** True for a first path segment that cannot be a username. */
export function isReservedUsername(segment: string): boolean {
  return RESERVED_USERNAMES.has(segment.toLowerCase());
}

const MAX_LENGTH = 50;

/**
 * The username for an Instagram handle: lower case, letters, digits, `_`, `.` and `-` only.
 * `attempt` counts collisions from 0; later ones get a number at the end.
 */
export function usernameFor(instagram: string, attempt: number): string {
  const slug = instagram
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '')
    .replace(/^[^a-z0-9]+/, '')
    // Programs that turn addresses into links drop a trailing dot.
    .replace(/[.-]+$/, '');
  const base = slug === '' ? 'artist' : slug;
  const taken = RESERVED_USERNAMES.has(base) ? attempt + 1 : attempt;
  const suffix = taken === 0 ? '' : `-${taken + 1}`;
  return base.slice(0, MAX_LENGTH - suffix.length) + suffix;
}
