import { RESERVED_SEGMENTS } from '../contract/paths.js';

const MAX_LENGTH = 50;

/**
 * Returns the username for an Instagram handle. It contains only lower-case letters, digits, `_`, `.` and `-`.
 * @param attempt number of usernames for this handle that were already taken; from 1 on, a number is appended
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
  const taken = RESERVED_SEGMENTS.has(base) ? attempt + 1 : attempt;
  const suffix = taken === 0 ? '' : `-${taken + 1}`;
  return base.slice(0, MAX_LENGTH - suffix.length) + suffix;
}

/** Maximum number of usernames to try. */
const MAX_CANDIDATES = 50;

/** The usernames for a handle in the order of preference. */
export function usernameCandidates(instagram: string): readonly string[] {
  return Array.from({ length: MAX_CANDIDATES }, (_, attempt) => usernameFor(instagram, attempt));
}
